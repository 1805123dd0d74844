package words_test

import (
	"fmt"
	"io"

	"ibtour/annotations/words"
)

// greetings are the words of a package.
type greetings struct{ hello, failed words.Format }

func Example() {
	english := greetings{hello: "hello %s, number %d", failed: "failed: %w"}
	chinese := greetings{hello: "第 %[2]d 位，%[1]s，你好", failed: "失败：%w"}
	for _, lang := range []string{words.English, words.Chinese} {
		say := words.In(lang, &english, &chinese)
		fmt.Println(say.hello.With("Ada", 1))
		fmt.Println(say.failed.Err(io.EOF))
	}

	// Output:
	// hello Ada, number 1
	// failed: EOF
	// 第 1 位，Ada，你好
	// 失败：EOF
}
