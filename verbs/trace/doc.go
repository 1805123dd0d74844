// Package trace defines the events of a verbs program: each call before and
// after it is made, each change of a queue pair's state, each completion and,
// where a software device can see them, each packet. Every reader of a run
// (screen, plain text, JSON, tests) knows the run from these events alone.
//
// Read call.go first, then trace.go. What to do with the events is decided by
// the packages above; nothing here prints or stores.
package trace
