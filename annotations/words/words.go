// Package words is what the texts of several packages have in common. Each
// package that talks to people has its words in a struct with one value for
// English and one for Chinese; package wordstest compares the two.
package words

import "fmt"

// The languages. An empty one means English.
const (
	English = "en"
	Chinese = "zh"
)

// In returns the words of a language.
func In[T any](lang string, english, chinese *T) *T {
	if lang == Chinese {
		return chinese
	}
	return english
}

// Format is a sentence with places for values, in the notation of fmt. Where
// a language needs another order it says %[2]d.
type Format string

// With puts the values in their places.
func (f Format) With(values ...any) string { return fmt.Sprintf(string(f), values...) }

// Err returns the sentence as an error, which wraps what is placed with %w.
func (f Format) Err(values ...any) error { return fmt.Errorf(string(f), values...) }
