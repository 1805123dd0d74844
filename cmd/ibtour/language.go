package main

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"ibtour/annotations"
)

// language returns the language asked for, else that of the locale, else
// English.
func language(asked string) (string, error) {
	if asked == "" {
		return localeLanguage(), nil
	}
	if all := annotations.Languages(); !slices.Contains(all, asked) {
		say := wordingIn(localeLanguage())
		return "", &usageError{say.notKnown.Err("--lang", asked, say.oneOf(all...))}
	}
	return asked, nil
}

func localeLanguage() string {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if strings.HasPrefix(locale, annotations.Chinese) {
		return annotations.Chinese
	}
	return annotations.English
}

// languageOf returns the language of a command line that has not been parsed:
// help and errors of the command line are in it too.
func languageOf(args []string) string {
	for i, arg := range args {
		asked, ok := strings.CutPrefix(arg, "--lang=")
		if arg == "--lang" && i+1 < len(args) {
			asked, ok = args[i+1], true
		}
		if ok && slices.Contains(annotations.Languages(), asked) {
			return asked
		}
		if arg == "--" {
			break
		}
	}
	return localeLanguage()
}
