// Package linebreak breaks lines for a terminal: by cells, styled or not, with
// the rules of Chinese for what a line may begin and end with.
//
// The libraries of the screen break at blanks only, and cut what does not fit:
// Chinese would be lost. So they are told to leave lines whole, and everything
// that is shown is broken here, by one set of rules. linebreak.go takes a line
// apart and puts lines together; rules.go says where one may end.
package linebreak
