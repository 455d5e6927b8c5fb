package checker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// errNotTheColumns says that a line is JSON and not a row of the table.
var errNotTheColumns = errors.New("no object with exactly the columns of the manifest in their order")

// keyOf reads one line as an object with exactly the columns, in their order,
// and returns the text of the key's value, which is a scalar as all others that
// are not carried as JSON. Numbers stay text.
// The standard library says whether the line is JSON; walking over one that is
// takes no more than looking for the ends of its tokens, a tenth of the time
// that json.Decoder takes for them.
func keyOf(line []byte, columns []listedColumn, key string) (id string, err error) {
	if !json.Valid(line) {
		return "", errors.New("no JSON")
	}
	w := walker{line}
	if !w.skip('{') {
		return "", errNotTheColumns
	}
	found := false
	for i, c := range columns {
		if i > 0 && !w.skip(',') {
			return "", errNotTheColumns
		}
		name := w.scalar()
		if !stands(name, c.Name) || !w.skip(':') {
			return "", fmt.Errorf("%w: found %.40q where column %q was expected", errNotTheColumns, name, c.Name)
		}
		if c.Carry == "json" && c.Name != key && w.nested() {
			continue
		}
		value := w.scalar()
		if len(value) == 0 {
			return "", fmt.Errorf("column %q: its value is no scalar", c.Name)
		}
		if c.Name == key {
			found = true
			if id, err = textOf(value); err != nil {
				return "", fmt.Errorf("column %q: %w", c.Name, err)
			}
		}
	}
	if !w.skip('}') || len(w.rest) > 0 {
		return "", fmt.Errorf("%w: there is more", errNotTheColumns)
	}
	if key != "" && !found {
		return "", fmt.Errorf("there is no column %q", key)
	}
	return id, nil
}

// stands tells whether a token is a string for a text.
func stands(token []byte, text string) bool {
	if len(token) == 0 || token[0] != '"' {
		return false
	}
	if string(token[1:len(token)-1]) == text {
		return bytes.IndexByte(token, '\\') < 0
	}
	got, err := textOf(token)
	return err == nil && got == text
}

// textOf is the text of a scalar token: of a string what it stands for, of any
// other token itself.
func textOf(token []byte) (text string, err error) {
	if len(token) == 0 || token[0] != '"' {
		return string(token), nil
	}
	if bytes.IndexByte(token, '\\') < 0 {
		return string(token[1 : len(token)-1]), nil
	}
	err = json.Unmarshal(token, &text)
	return text, err
}

// A walker goes over one valid JSON text, which has white space between its
// tokens at most within a nested value.
type walker struct{ rest []byte }

// skip goes over one byte, if it comes next.
func (w *walker) skip(c byte) bool {
	if len(w.rest) == 0 || w.rest[0] != c {
		return false
	}
	w.rest = w.rest[1:]
	return true
}

// scalar returns the next token with its quotes; nothing when an object, a list
// or white space comes next.
func (w *walker) scalar() []byte {
	end := 0
	if len(w.rest) > 0 && w.rest[0] == '"' {
		for end = 1; w.rest[end] != '"'; end++ { // it ends, since the text is valid
			if w.rest[end] == '\\' {
				end++
			}
		}
		end++
	} else {
		end = bytes.IndexAny(w.rest, ",}]{[: \t\r\n")
	}
	if end <= 0 {
		return nil
	}
	token := w.rest[:end]
	w.rest = w.rest[end:]
	return token
}

// nested goes over an object or a list, if one comes next.
func (w *walker) nested() bool {
	if len(w.rest) == 0 || w.rest[0] != '{' && w.rest[0] != '[' {
		return false
	}
	for depth := 0; ; {
		switch w.rest[0] { // it ends, since the text is valid
		case '"':
			w.scalar()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		w.rest = w.rest[1:]
		if depth == 0 {
			return true
		}
	}
}
