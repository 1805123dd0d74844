package main

import (
	"testing"

	"ibtour/annotations/words/wordstest"
)

func TestWording(t *testing.T) {
	wordstest.Compare(t, english, chinese)
	wordstest.Used(t, english)
}
