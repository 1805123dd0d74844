package tui_test

import (
	"fmt"
	"strings"

	"ibtour/tui"
)

// The key list is made from the key map of the program.
func ExampleKeys() {
	first, _, _ := strings.Cut(strings.SplitN(tui.Keys("en"), "|\n|", 3)[2], "\n")
	fmt.Println(first)
	// Output: `space` `enter` `→` `n` | next |
}

func ExampleFits() {
	why, _ := tui.Fits("dumb")
	fmt.Println(why)
	// Output: a terminal of type "dumb" cannot place text on the screen: this is the walk in plain text
}
