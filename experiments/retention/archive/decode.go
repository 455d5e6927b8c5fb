package archive

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// appendValue adds a whole value of JSON as COPY writes it; false for one that
// no column's text is carried as.
func appendValue(row, value []byte) ([]byte, bool) {
	switch value[0] {
	case '"':
		return appendText(row, value[1:len(value)-1])
	case 'n':
		return append(row, '\\', 'N'), true
	case 't', 'f':
		return append(row, value[0]), true
	case '{', '[':
		return row, false
	}
	return append(row, value...), true
}

// appendText adds what stands between the quotes of a string.
func appendText(row, text []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(row, text...), true
		}
		row = append(row, text[:i]...)
		var used int
		if row, used = appendEscape(row, text[i+1:]); used == 0 {
			return row, false
		}
		text = text[i+1+used:]
	}
}

// appendEscape adds what an escape without its backslash stands for, as COPY
// writes it, and returns its length; 0 for a character that no text has.
func appendEscape(row, escape []byte) ([]byte, int) {
	switch escape[0] {
	case '"', '/':
		return append(row, escape[0]), 1
	case '\\', 'b', 'f', 'n', 'r', 't':
		return append(row, '\\', escape[0]), 1
	case 'u':
		return appendUnicode(row, escape)
	}
	return row, 0
}

func appendUnicode(row, escape []byte) ([]byte, int) {
	r, ok := hexRune(escape)
	used := 5
	if ok && utf16.IsSurrogate(r) && len(escape) > 6 && escape[5] == '\\' {
		low, _ := hexRune(escape[6:])
		r, used = utf16.DecodeRune(r, low), 11
		ok = r != utf8.RuneError
	}
	if !ok || r == 0 || utf16.IsSurrogate(r) {
		return row, 0
	}
	if at := bytes.IndexRune([]byte("\b\f\n\r\t\v\\"), r); at >= 0 {
		return append(row, '\\', `bfnrtv\`[at]), used
	}
	return utf8.AppendRune(row, r), used
}

// hexRune reads u and four hexadecimal digits.
func hexRune(escape []byte) (rune, bool) {
	if len(escape) < 5 || escape[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(escape[1:5]), 16, 16)
	return rune(n), err == nil
}
