package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

var newline = []byte("\n")

// A lineFormat is what each line of a table's parts looks like.
type lineFormat struct {
	columns []lineColumn
	key     []int // places of the key's columns, from 0
}

type lineColumn struct {
	name string
	head []byte // the name as JSON and a colon, with a comma before all but the first
	text bool   // only strings and null
}

func newLineFormat(t *TableManifest) (*lineFormat, error) {
	f := new(lineFormat)
	for i, c := range t.Columns {
		name, err := quoted(c.Name)
		if err != nil {
			return nil, err
		}
		head := slices.Concat(name, []byte(":"))
		if i > 0 {
			head = slices.Concat([]byte(","), head)
		}
		f.columns = append(f.columns, lineColumn{c.Name, head, c.Carry == CarryText})
	}
	for _, name := range t.Key {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("key column %q is not among the columns", name)
		}
		f.key = append(f.key, i)
	}
	return f, nil
}

// quoted writes a string as JSON, as few characters escaped as may be.
func quoted(text string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(text)
	return bytes.TrimSuffix(b.Bytes(), newline), err
}

// check finds out what is wrong with a line, which comes without its newline.
func (f *lineFormat) check(line []byte) error {
	return f.read(line, func(int, []byte) {})
}

// appendRow adds the row of COPY's text format that a line stands for, whoever
// wrote it, and finds out what is wrong with the line as check does.
func (f *lineFormat) appendRow(row, line []byte) ([]byte, error) {
	var wrong error
	err := f.read(line, func(i int, v []byte) {
		if i > 0 {
			row = append(row, '\t')
		}
		var ok bool
		if row, ok = appendValue(row, v); !ok && wrong == nil {
			wrong = fmt.Errorf("has a value of column %q that PostgreSQL has no such text of", f.columns[i].name)
		}
	})
	if err == nil {
		err = wrong
	}
	return row, err
}

// keyOf returns the text of the key's columns, nil without a key.
func (f *lineFormat) keyOf(line []byte) ([]string, error) {
	if len(f.key) == 0 {
		return nil, nil
	}
	values := make([][]byte, len(f.columns))
	if err := f.read(line, func(i int, v []byte) { values[i] = v }); err != nil {
		return nil, err
	}
	var key []string
	for _, i := range f.key {
		text := string(values[i])
		if text == "null" {
			return nil, fmt.Errorf("has null in key column %q", f.columns[i].name)
		}
		if text[0] == '"' {
			if err := json.Unmarshal(values[i], &text); err != nil {
				return nil, err
			}
		}
		key = append(key, text)
	}
	return key, nil
}

// read goes over the values of a line, which has no white space between them.
func (f *lineFormat) read(line []byte, value func(place int, v []byte)) error {
	if !utf8.Valid(line) {
		return errors.New("is not UTF-8")
	}
	rest, found := bytes.CutPrefix(line, []byte("{"))
	if !found {
		return errors.New("does not begin with {")
	}
	for i, c := range f.columns {
		if rest, found = cutHead(rest, c.head); !found {
			return fmt.Errorf("does not have column %q where it belongs", c.name)
		}
		end := valueEnd(rest)
		if end <= 0 {
			return fmt.Errorf("has a value of column %q that is not JSON", c.name)
		}
		if c.text && rest[0] != '"' && rest[0] != 'n' {
			return fmt.Errorf("has a value of column %q that is not a string", c.name)
		}
		value(i, rest[:end])
		rest = rest[end:]
	}
	if len(rest) != 1 || rest[0] != '}' {
		return errors.New("does not end with } after its last column")
	}
	return nil
}

// cutHead takes off the name of a column and its colon, also when other
// characters of the name are escaped than we would escape.
func cutHead(rest, head []byte) ([]byte, bool) {
	if after, found := bytes.CutPrefix(rest, head); found {
		return after, true
	}
	name := bytes.TrimPrefix(head, []byte(","))
	if len(name) < len(head) {
		var comma bool
		if rest, comma = bytes.CutPrefix(rest, []byte(",")); !comma {
			return nil, false
		}
	}
	end := stringEnd(rest)
	if end <= 0 || end >= len(rest) || rest[end] != ':' {
		return nil, false
	}
	var got, want string
	if json.Unmarshal(rest[:end], &got) != nil || json.Unmarshal(name[:len(name)-1], &want) != nil {
		return nil, false
	}
	return rest[end+1:], got == want
}
