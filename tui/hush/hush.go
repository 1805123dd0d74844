// Package hush keeps the libraries of the screen from asking the terminal for
// its background colour when the program starts, which every command would pay
// for: up to five seconds on a terminal that does not answer, and stray bytes
// on one that answers late.
//
// The question is in an init function of bubbletea, and is not asked where the
// environment says that nobody sits in front of the terminal (CI). So this
// package says so while the packages of the program are initialized, and
// package tui, which is initialized after bubbletea, takes it back with Over.
//
// It is initialized in time because of the order the language specification
// gives ("Program initialization"): of the packages whose imports are
// initialized, the first by import path. This one imports os alone, so it is
// ready as soon as os/signal is, sorts before it, and bubbletea imports
// os/signal. A second import here could break that; the tests on a bare
// terminal would tell.
package hush

import "os"

// variable is what muesli/termenv looks at before it asks.
const variable = "CI"

var said bool // by us

func init() {
	if os.Getenv(variable) == "" {
		said = os.Setenv(variable, "true") == nil
	}
}

// Over puts the environment back. It is for one init function.
func Over() {
	if said {
		said = false
		_ = os.Unsetenv(variable) // what could be set can be unset
	}
}
