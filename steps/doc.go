// Package steps is the program that ibtour shows: the RC ping-pong of
// ibv_rc_pingpong, as an ordered list of small steps.
//
// tour.go is the table of contents: one line a step. Each step is a file with
// one short function of plain verbs calls, named by its ID; what they carry
// from one to the next is an End (end.go). What is posted when is decided in
// flow.go alone.
//
// runner.go executes a tour. It holds before every step and every call
// (gate.go), looks at the state before and after (snapshot.go, facts.go), and
// tells everything as a stream of events (event.go). Whatever ends a run, it
// tears down what was made, in order.
//
// pace.go runs iterations at full speed, figures.go measures them, checker.go
// validates their bytes, gid.go and reasons.go know what the original leaves
// to the user. wording.go has every sentence, in each language. How events are
// shown, and which device is used, is decided above this package; the TCP
// exchange is in steps/exchange.
package steps
