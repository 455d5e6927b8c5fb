package runner

import (
	"strings"
	"unicode"
)

// OneLine makes one line of a text that may be a stranger's: it neither writes
// to a terminal nor turns the direction of what is around it. Runs of blanks
// become one.
func OneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}
