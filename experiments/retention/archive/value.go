package archive

import (
	"bytes"
	"encoding/json"
)

// valueEnd returns where the JSON value ends that b begins with, or 0 when it
// begins with none. It is told apart from what encoding/json offers by needing
// no Go values: every byte of an archive goes through it.
func valueEnd(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"':
		return stringEnd(b)
	case 'n':
		return wordEnd(b, "null")
	case 't':
		return wordEnd(b, "true")
	case 'f':
		return wordEnd(b, "false")
	case '{', '[':
		return nestedEnd(b)
	}
	return numberEnd(b)
}

func wordEnd(b []byte, word string) int {
	if bytes.HasPrefix(b, []byte(word)) {
		return len(word)
	}
	return 0
}

// plain is true of the bytes that stand for themselves in a JSON string.
var plain = func() (is [256]bool) {
	for c := 0x20; c < 256; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

// stringEnd returns where the string ends that b begins with, its quote
// included, or 0.
func stringEnd(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return 0
	}
	for i := 1; i < len(b); {
		switch c := b[i]; {
		case plain[c]:
			i++
		case c == '"':
			return i + 1
		default:
			n := escapeLength(b[i:])
			if n == 0 {
				return 0
			}
			i += n
		}
	}
	return 0
}

// escapeLength returns the length of the escape that b begins with, or 0.
func escapeLength(b []byte) int {
	if len(b) < 2 || b[0] != '\\' {
		return 0
	}
	if b[1] != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), b[1]) < 0 {
			return 0
		}
		return 2
	}
	if len(b) < 6 {
		return 0
	}
	for _, c := range b[2:6] {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0
		}
	}
	return 6
}

// numberEnd returns where the number ends that b begins with, or 0.
func numberEnd(b []byte) int {
	i := 0
	if b[0] == '-' {
		i++
	}
	whole := digits(b[i:])
	if whole == 0 || whole > 1 && b[i] == '0' {
		return 0
	}
	i += whole
	if i < len(b) && b[i] == '.' {
		n := digits(b[i+1:])
		if n == 0 {
			return 0
		}
		i += 1 + n
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		n := digits(b[i:])
		if n == 0 {
			return 0
		}
		i += n
	}
	return i
}

func digits(b []byte) int {
	for i, c := range b {
		if !isDigit(c) {
			return i
		}
	}
	return len(b)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nestedEnd returns where the object or array ends that b begins with, or 0.
func nestedEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n := stringEnd(b[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				if !json.Valid(b[:i+1]) {
					return 0
				}
				return i + 1
			}
		}
	}
	return 0
}
