package verbs

import (
	"fmt"
	"strconv"
	"strings"
)

// ErrnoText returns the name of an errno and its meaning: "EINVAL (invalid
// argument)".
func ErrnoText(e Errno) string {
	return fmt.Sprintf("%s (%s)", ErrnoName(e), strings.ToLower(e.Error()))
}

// ErrnoName returns the C name of an errno, such as "EINVAL", or "errno 512".
func ErrnoName(e Errno) string {
	if n := errnoName(e); n != "" {
		return n
	}
	return "errno " + strconv.Itoa(int(e))
}
