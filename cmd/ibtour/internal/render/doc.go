// Package render draws a page of Markdown as text: for a terminal with colours
// that can be read on a dark and on a light background, or without any.
//
// Glamour breaks lines at blanks only, and cuts what does not fit: Chinese would
// be lost. So its lines are left whole, and broken by package linebreak.
package render
