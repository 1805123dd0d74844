package steps

import "strconv"

func decimal(n int) string { return strconv.Itoa(n) }

func hexadecimal(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// returned is what a system call returns in C: 0, or -1.
func returned(err error) string {
	if err != nil {
		return "-1"
	}
	return "0"
}
