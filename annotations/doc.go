// Package annotations holds the texts of ibtour, in English and in Chinese:
// one page for every step of the tour, the concept pages behind them, and the
// glossary. They are Markdown files that are embedded in the program.
//
//	en/<step>.md            what a call does, shown when it is about to be made
//	en/concepts/<topic>.md  the ideas, opened from a step or by ibtour explain
//	en/glossary.md          one entry per term
//	zh/…                    the same files in Chinese
//
// To read: page.go for what a page consists of and how it is parsed; book.go
// for a whole language and its checks; links.go and fill.go for the two things
// that are not plain Markdown, links between pages and live values; find.go
// for the index.
//
// A page that breaks a rule is an error of Load, so that it never reaches a
// learner. What needs the tour to be checked (the ids, the names of live
// values, the errors a step can return, the age of a translation) is checked
// by the tests, each of which says what to do.
//
// Not here: how a page is drawn. Nothing in this package knows a terminal.
package annotations
