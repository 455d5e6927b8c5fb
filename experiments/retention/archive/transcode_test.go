package archive

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// code returns what writes columns a, b and so on of these types, and what reads
// them.
func code(t *testing.T, typeIDs ...uint32) (*transcoder, *lineFormat) {
	t.Helper()
	var columns []Column
	var how []form
	for i, id := range typeIDs {
		columns, how = append(columns, Column{Name: string(rune('a' + i)), Carry: carryOf(id)}), append(how, forms[id])
	}
	c, err := newTranscoder(columns, how)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newLineFormat(&TableManifest{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

// COPY's text format is that of the documentation of COPY, "Text Format"; JSON
// that of RFC 8259.
func TestTranscode(t *testing.T) {
	const boolean, integer, float, number, text, jsonb = 16, 20, 701, 1700, 25, 3802
	for _, c := range []struct {
		typ        uint32
		copy, json string
	}{
		{boolean, `t`, `true`},
		{boolean, `f`, `false`},
		{boolean, `\N`, `null`},
		{integer, `-9223372036854775808`, `-9223372036854775808`},
		{float, `1e-07`, `1e-07`},
		{float, `-0`, `-0`},
		{float, `NaN`, `"NaN"`},
		{float, `-Infinity`, `"-Infinity"`},
		{number, strings.Repeat("9", 100) + ".10", strings.Repeat("9", 100) + ".10"},
		{text, ``, `""`},
		{text, `null`, `"null"`},
		{text, `\N`, `null`},
		{text, `\\N`, `"\\N"`},
		{text, `t`, `"t"`},
		{text, `12`, `"12"`},
		{text, `a\nb\tc\rd\be\ff`, `"a\nb\tc\rd\be\ff"`},
		{text, `\v`, `"\u000b"`},
		{text, `\\v`, `"\\v"`},
		{text, "\x01\x1f\x7f", `"\u0001\u001f` + "\x7f\""},
		{text, `"é` + "\u2028", `"\"é` + "\u2028\""},
		{text, `\\u0041`, `"\\u0041"`},
		{jsonb, `null`, `"null"`},
		{jsonb, `\N`, `null`},
		{jsonb, `{"a": "\\n"}`, `"{\"a\": \"\\n\"}"`},
	} {
		tr, back := code(t, c.typ)
		line, err := tr.appendLine(nil, []byte(c.copy))
		if want := `{"a":` + c.json + "}\n"; err != nil || string(line) != want {
			t.Errorf("%q of type %d: %q, %v, want %q", c.copy, c.typ, line, err, want)
			continue
		}
		if !json.Valid(line) {
			t.Errorf("%q is no JSON", line)
		}
		row, err := back.appendRow(nil, line[:len(line)-1])
		if err != nil || string(row) != c.copy {
			t.Errorf("%q comes back as %q, %v", c.copy, row, err)
		}
	}
}

// The standard library reads the text that was meant, and each text comes back.
func TestTranscodeAgainstTheStandardLibrary(t *testing.T) {
	escapes := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\b", `\b`, "\f", `\f`, "\v", `\v`)
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("ab\\\"\n\t\r\b\f\v\x01\x1f\x7fNnu0/{}[],: é\u2028\ufeff🜁\U0010ffff")
	tr, back := code(t, 25, 3802)
	for range 20_000 {
		var values [2]string
		for i := range values {
			for range random.IntN(12) {
				values[i] += string(alphabet[random.IntN(len(alphabet))])
			}
		}
		copied := escapes.Replace(values[0]) + "\t" + escapes.Replace(values[1])
		line, err := tr.appendLine(nil, []byte(copied))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(line, &got); err != nil || got["a"] != values[0] || got["b"] != values[1] {
			t.Fatalf("%q: %q read as %q, %v", values, line, got, err)
		}
		if row, err := back.appendRow(nil, line[:len(line)-1]); err != nil || string(row) != copied {
			t.Fatalf("%q came back as %q, %v", copied, row, err)
		}
		again, err := json.Marshal(got["a"]) // its escapes are others: < and U+2028
		if err != nil {
			t.Fatal(err)
		}
		if row, ok := appendValue(nil, again); !ok || string(row) != escapes.Replace(values[0]) {
			t.Fatalf("%q: %q was decoded as %q, %v", values[0], again, row, ok)
		}
	}
}

func TestRowsThatAreRefused(t *testing.T) {
	tr, back := code(t, 25, 25)
	for _, row := range []string{"one", "one\ttwo\tthree", "\xff\ta"} {
		if line, err := tr.appendLine(nil, []byte(row)); err == nil {
			t.Errorf("%q was written as %q", row, line)
		}
	}
	for _, line := range []string{
		"", "{}", `{"a":"x"}`, `{"b":"x","a":"y"}`, `{"a":"x","b":"y"`, `{"a":"x","b":"y"} `, `{"a":"x","b":"y","c":"z"}`,
		`{"a":x,"b":"y"}`, `{"a":1x1,"b":"y"}`, `{"a":"x","b":"\u0000"}`, `{"a":"x","b":"\ud83d"}`, `{"a":"x","b":"\ud83dxxxxxx"}`, `{"a":"x","b":"\x"}`,
		`{"a":"x","b":"\`, "{\"a\":\"x\",\"b\":\"\n\"}", `{"a":"x","b":[1]}`, `{"a":,"b":"y"}`,
	} {
		if row, err := back.appendRow(nil, []byte(line)); err == nil {
			t.Errorf("%q was read as %q", line, row)
		}
	}
}

func TestColumnNamesAreKeys(t *testing.T) {
	names := []string{`"`, `\`, "a\nb", "<é>", ""}
	var columns []Column
	for _, n := range names {
		columns = append(columns, Column{Name: n})
	}
	tr, err := newTranscoder(columns, make([]form, len(names)))
	if err != nil {
		t.Fatal(err)
	}
	line, err := tr.appendLine(nil, []byte("1\t2\t3\t4\t5"))
	var got map[string]string
	if err != nil || json.Unmarshal(line, &got) != nil || !utf8.Valid(line) {
		t.Fatalf("%q, %v", line, err)
	}
	for i, n := range names {
		if got[n] != string(rune('1'+i)) {
			t.Errorf("column %q is %q", n, got[n])
		}
	}
}

// A stream may be cut anywhere; the digest does not depend on the order and
// counts.
func TestRowSplitterAndDigest(t *testing.T) {
	stream := "a\tb\n\n\\n\nlast\n"
	for cut := range len(stream) + 1 {
		var rows []string
		s := &rowSplitter{each: func(row []byte) error {
			rows = append(rows, string(row))
			return nil
		}}
		for _, part := range []string{stream[:cut], stream[cut:]} {
			if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := s.finish(); err != nil || strings.Join(rows, "|") != `a`+"\t"+`b||\n|last` {
			t.Errorf("cut at %d: %q, %v", cut, rows, err)
		}
	}
	s := &rowSplitter{each: func([]byte) error { return nil }}
	if _, err := s.Write([]byte("a\nb")); err != nil || s.finish() == nil {
		t.Error("a stream that ends within a row is whole")
	}
	of := func(rows ...string) string {
		var d rowDigest
		for _, r := range rows {
			d.add([]byte(r))
		}
		return d.String()
	}
	// printf x | sha256sum
	if got := of("x"); got != "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" {
		t.Errorf("digest of x: %s", got)
	}
	if of("x", "y") != of("y", "x") || of("x", "x", "y") == of("y") || of("x", "x", "y") == of("x", "y", "y") {
		t.Error("the digest depends on the order, or does not count")
	}
}
