// Package tui is the tour on screen: it walks a steps.Runner with one key per
// step, and shows why, what and the state of the world side by side.
//
// To read, in this order:
//
//	run.go           Config and Run: from a terminal to a terminal restored
//	program.go       what bubbletea runs: the model, guarded against panics, in
//	terminal.go      the terminal: taken over, drawn on, given back
//	app.go           the one model; update.go routes messages, act.go obeys keys
//	session.go       a runner in its own goroutine: the gate and the event pump
//	history.go       every recorded moment; going back only reads
//	layout.go        who is where: a pure function of the size
//	keys.go text.go  keys and words, in two languages
//	styles.go        palette → roles → inks; panes use roles only
//	pane_*.go        one panel each: lines of exactly the width asked for
//
// Nothing here chooses a device or makes a call: the events of the run are all
// that a panel knows.
package tui
