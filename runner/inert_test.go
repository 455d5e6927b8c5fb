package runner

import "testing"

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"as it is: 5 % of ~ 🐘":         "as it is: 5 % of ~ 🐘",
		"two\nlines\r\n  and\ttabs":    "two lines and tabs",
		"\x1b[2J\x1b]0;title\x07 gone": "[2J ]0;title gone", // ECMA-48: CSI and OSC begin with ESC
		"C1 \u009b2J and \u0085 end":   "C1 2J and end",     // CSI and NEL as one character each
		"\u202egnp.exe\u202c \u2066x":  "gnp.exe x",         // UAX #9: overrides and isolates
		"a\u2028b\u2029c":              "a b c",             // line and paragraph separator
		"\xff\xfe not UTF-8":           "\ufffd\ufffd not UTF-8",
		"\x00\x7f":                     "",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
