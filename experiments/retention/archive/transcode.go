package archive

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A form is how a column's text output becomes JSON.
type form byte

const (
	formString form = iota // a string that holds the text
	formNumber             // the text itself when JSON has such numbers, else a string
	formBool               // true or false
)

// The types, by object identifier, that JSON has a way of its own for; those
// identifiers are fixed in PostgreSQL's catalog (pg_type.dat).
var forms = map[uint32]form{
	16: formBool,
	20: formNumber, 21: formNumber, 23: formNumber, 26: formNumber, // int8, int2, int4, oid
	700: formNumber, 701: formNumber, 1700: formNumber, // float4, float8, numeric
	25: formString, 1043: formString, 1042: formString, 19: formString, // text, varchar, bpchar, name
	2950: formString, 1082: formString, 1114: formString, 1184: formString, // uuid, date, timestamp, timestamptz
	1083: formString, 1266: formString, 1186: formString, // time, timetz, interval
	17: formString, 869: formString, 650: formString, 829: formString, // bytea, inet, cidr, macaddr
}

// carryOf says how values of a type are carried.
func carryOf(typeID uint32) string {
	if _, ok := forms[typeID]; ok {
		return CarryJSON
	}
	return CarryText
}

// A transcoder turns rows of COPY's text format into JSON Lines, which a
// lineFormat turns back. No value is ever decoded, so none can change.
type transcoder struct {
	keys  [][]byte // what comes before each value: {"a": or ,"b":
	forms []form
}

// newTranscoder needs the names of the columns and their forms.
func newTranscoder(columns []Column, forms []form) (*transcoder, error) {
	t := &transcoder{forms: forms}
	for i, c := range columns {
		name, err := quoted(c.Name)
		if err != nil {
			return nil, fmt.Errorf("writing column name %q: %w", c.Name, err)
		}
		lead := ","
		if i == 0 {
			lead = "{"
		}
		t.keys = append(t.keys, slices.Concat([]byte(lead), name, []byte(":")))
	}
	return t, nil
}

// appendLine adds the JSON of one row, with its newline.
func (t *transcoder) appendLine(line, row []byte) ([]byte, error) {
	if !utf8.Valid(row) {
		return line, errors.New("a row is not UTF-8")
	}
	for i, key := range t.keys {
		value := row
		tab := bytes.IndexByte(row, '\t')
		if (tab < 0) != (i == len(t.keys)-1) {
			return line, fmt.Errorf("a row does not have %d columns", len(t.keys))
		}
		if tab >= 0 {
			value, row = row[:tab], row[tab+1:]
		}
		line = append(line, key...)
		line = t.forms[i].append(line, value)
	}
	return append(line, '}', '\n'), nil
}

// append adds one value, given as COPY writes it.
func (f form) append(line, value []byte) []byte {
	switch {
	case len(value) == 2 && value[0] == '\\' && value[1] == 'N':
		return append(line, "null"...)
	case f == formNumber && isNumber(value):
		return append(line, value...)
	case f == formBool && len(value) == 1 && value[0] == 't':
		return append(line, "true"...)
	case f == formBool && len(value) == 1 && value[0] == 'f':
		return append(line, "false"...)
	}
	return appendString(line, value)
}

// isNumber tells a number of JSON from NaN and the infinities.
func isNumber(value []byte) bool {
	return len(value) > 0 && numberEnd(value) == len(value)
}

// inString says how a byte of COPY's text is written in a JSON string: 0 as it
// is, 1 with something to do.
var inString = func() (special [256]byte) {
	for c := range 0x20 {
		special[c] = 1
	}
	special['"'], special['\\'] = 1, 1
	return special
}()

// appendString adds a JSON string. COPY's escapes are JSON's, but for \v.
func appendString(line, value []byte) []byte {
	const hex = "0123456789abcdef"
	line = append(line, '"')
	from := 0
	for i := 0; i < len(value); i++ {
		c := value[i]
		if inString[c] == 0 {
			continue
		}
		line = append(line, value[from:i]...)
		switch {
		case c == '"':
			line = append(line, '\\', '"')
		case c == '\\' && i+1 < len(value) && value[i+1] == 'v':
			line = append(line, `\u000b`...)
			i++
		case c == '\\' && i+1 < len(value):
			line = append(line, c, value[i+1])
			i++
		default:
			line = append(line, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
	line = append(line, value[from:]...)
	return append(line, '"')
}

func lineEnd(p []byte) int { return bytes.IndexByte(p, '\n') }
