package main

import "ibtour/annotations"

// explainText holds the words of explain in one language.
type explainText struct {
	steps, concepts, glossary string // headings of the list
	use                       string // below the list
	live                      string // what ‹name› stands for
	also                      string // other pages on the topic
	linked                    string // pages it links to
	more                      string // entries that are not shown; a number
	part                      string // part of a topic
	nothing                   string // a topic
	near                      string // names that are like it
	lists                     string
}

var explainTexts = map[string]explainText{
	annotations.English: {
		steps: "Steps of the ping-pong", concepts: "Concepts, in reading order", glossary: "Glossary",
		use: "ibtour explain TOPIC shows a page. A topic can also be a verb, an errno, a completion status, " +
			"or a line of output.",
		live:    "‹name› stands for a value of a run; ibtour walk shows it.",
		also:    "Also on this topic",
		linked:  "Linked from this page",
		more:    "and %d more",
		part:    "No page has all of it; this one has %q.",
		nothing: "nothing explains %q",
		near:    "the nearest names are %s",
		lists:   "ibtour explain lists all topics",
	},
	annotations.Chinese: {
		steps: "乒乓测试的步骤", concepts: "概念，按阅读顺序", glossary: "词汇表",
		use:     "ibtour explain TOPIC 显示一页。主题也可以是一个 verb、一个 errno、一个完成状态，或一行输出。",
		live:    "‹名字› 代表一次运行里的值，用 ibtour walk 可以看到。",
		also:    "同一主题还见于",
		linked:  "本页链接到",
		more:    "另有 %d 项",
		part:    "没有哪一页包含整句，这一页里有 %q。",
		nothing: "没有解释 %q 的内容",
		near:    "最接近的名字是 %s",
		lists:   "ibtour explain 列出全部主题",
	},
}
