package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"ibtour/annotations"
)

// language returns the language asked for, else that of the locale, else
// English.
func language(asked string) (string, error) {
	if asked != "" {
		if !slices.Contains(annotations.Languages(), asked) {
			return "", &usageError{fmt.Errorf("--lang %q is not known: it is %s",
				asked, strings.Join(annotations.Languages(), " or "))}
		}
		return asked, nil
	}
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if strings.HasPrefix(locale, annotations.Chinese) {
		return annotations.Chinese, nil
	}
	return annotations.English, nil
}
