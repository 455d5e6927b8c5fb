package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// errNotOurs is returned for a line that this package would not have written.
var errNotOurs = errors.New("the line is not one of this format")

// appendRow adds the row of COPY's text format, without a newline, that a line
// was made from: the exact inverse of appendLine.
func (t *transcoder) appendRow(row, line []byte) (_ []byte, err error) {
	for i, key := range t.keys {
		if !bytes.HasPrefix(line, key) {
			return row, fmt.Errorf("at column %d: %w", i+1, errNotOurs)
		}
		if i > 0 {
			row = append(row, '\t')
		}
		if row, line, err = appendValue(row, line[len(key):]); err != nil {
			return row, fmt.Errorf("at column %d: %w", i+1, err)
		}
	}
	if string(line) != "}" {
		return row, fmt.Errorf("after the last column: %w", errNotOurs)
	}
	return row, nil
}

// appendValue adds the value at the beginning of the rest of a line and returns
// what follows it.
func appendValue(row, rest []byte) ([]byte, []byte, error) {
	if len(rest) > 0 && rest[0] == '"' {
		return appendText(row, rest[1:])
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return row, rest, errNotOurs
	}
	row, err := appendToken(row, rest[:end])
	return row, rest[end:], err
}

// appendToken adds a value that is no string.
func appendToken(row, token []byte) ([]byte, error) {
	switch string(token) {
	case "null":
		return append(row, '\\', 'N'), nil
	case "true":
		return append(row, 't'), nil
	case "false":
		return append(row, 'f'), nil
	}
	if !isNumber(token) {
		return row, errNotOurs
	}
	return append(row, token...), nil
}

// appendWhole adds a value of which nothing else follows.
func appendWhole(row, value []byte) ([]byte, error) {
	if value[0] != '"' {
		return appendToken(row, value)
	}
	row, rest, err := appendText(row, value[1:])
	if err == nil && len(rest) > 0 {
		err = errNotOurs
	}
	return row, err
}

// appendText adds the text of a string whose opening quote was read.
func appendText(row, rest []byte) ([]byte, []byte, error) {
	from := 0
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		if inString[c] == 0 {
			continue
		}
		row = append(row, rest[from:i]...)
		switch {
		case c == '"':
			return row, rest[i+1:], nil
		case c != '\\' || i+1 == len(rest):
			return row, rest, errNotOurs
		}
		var used int
		if row, used = appendEscape(row, rest[i+1:]); used == 0 {
			return row, rest, errNotOurs
		}
		i += used
		from = i + 1
	}
	return row, rest, errNotOurs
}

// appendEscape adds what an escape without its backslash stands for, as COPY
// writes it, and returns its length; 0 for none that there is.
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
