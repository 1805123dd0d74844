// Package handout makes one document of a walked run: each step with its text,
// its calls, what they returned and changed, and the measured figures.
//
// To read: run.go collects a run from its events; document.go has the order of
// the document; step.go, events.go, tables.go, figures.go and appendix.go write
// its parts as Markdown; drawing.go and svg.go draw a queue pair; html.go makes
// a page of HTML of the same Markdown. The words are in text.go.
//
// Not here: how a run is executed, and where the document is written to.
package handout
