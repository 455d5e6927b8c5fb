package archive

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestValueEnd(t *testing.T) {
	for text, want := range map[string]int{
		`null,`: 4, `true`: 4, `false}`: 5, `nul`: 0, `True`: 0, ``: 0, `,`: 0, `NaN`: 0, `Infinity`: 0,
		`0,`: 1, `-0`: 2, `01`: 0, `-`: 0, `+1`: 0, `.5`: 0, `1.`: 0, `1.50,`: 4, `1e5`: 3, `1E+05}`: 5, `1e`: 0, `1e-`: 0, `-12.5e-300 `: 10,
		`123456789012345678901234567890.123456789`: 40,
		`""`: 2, `"a"b`: 3, `"`: 0, `"a`: 0, `"\"`: 0, `"\""`: 4, `"\\"`: 4, `"\u00e9"`: 8, `"\u00eg"`: 0, `"\u00`: 0, `"\x"`: 0, `"\b\f\n\r\t\/"`: 14,
		"\"\t\"": 0, "\"a\nb\"": 0, "\"\x7f\"": 3, `"é"`: 4,
		`{}`: 2, `[1,"]",{"a":[]}],`: 16, `[1,]`: 0, `{"a"}`: 0, `[`: 0, `["`: 0, `{"a": 1, "a": 2}`: 16,
	} {
		if got := valueEnd([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestValueEndAgainstTheStandardLibrary has values that are mutated at random.
func TestValueEndAgainstTheStandardLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	for _, text := range []string{`"a\u00e9\\\"é/"`, `-10.25e+7`, `null`, `true`, `[1,{"a":"b\n"},[null,false]]`} {
		for range 5000 {
			b := []byte(text)
			for range 1 + random.IntN(2) {
				b[random.IntN(len(b))] = `"\{}[]:,0123456789eE+-.untrlfaseb`[random.IntN(33)]
			}
			// The whole text is one value, unless there is white space around it, which none of these has.
			if got, want := valueEnd(b) == len(b), json.Valid(b); got != want {
				t.Fatalf("%q: %v, the standard library says %v", b, got, want)
			}
		}
	}
}

func TestLines(t *testing.T) {
	tables := smallTables()
	for _, c := range []struct {
		table int
		line  string
		want  string
	}{
		{0, `{"id":1,"body":null,"raw":"null"}`, ""},
		{0, `{"id":1,"body":[1, 2],"raw":null}`, ""},
		{1, `{"a":1,"b":2,"\u0022q\"<&":null}`, ""},
		{2, `{"x":"NaN"}`, ""},
		{0, ``, "does not begin with {"},
		{0, `{}`, `does not have column "id" where it belongs`},
		{0, `{"id":1,"body":null}`, `does not have column "raw" where it belongs`},
		{0, `{"body":1,"id":null,"raw":null}`, `does not have column "id" where it belongs`},
		{0, `{"id":1"body":null,"raw":null}`, `does not have column "body" where it belongs`},
		{0, `{"id":1,"body":null,"raw":null,"id":1}`, "does not end with } after its last column"},
		{0, `{"id":1,"body":null,"raw":null}}`, "does not end with } after its last column"},
		{0, `{"id":1,"body":null,"raw":null} `, "does not end with } after its last column"},
		{0, `{"id": 1,"body":null,"raw":null}`, `has a value of column "id" that is not JSON`},
		{0, `{"id":NaN,"body":null,"raw":null}`, `has a value of column "id" that is not JSON`},
		{0, `{"id":1,"body":null,"raw":5}`, `has a value of column "raw" that is not a string`},
		{0, "{\"id\":1,\"body\":\"\xff\",\"raw\":null}", "is not UTF-8"},
	} {
		f, err := newLineFormat(&tables[c.table])
		if err != nil {
			t.Fatal(err)
		}
		err = f.check([]byte(c.line))
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %v, want %q", c.line, err, c.want)
		}
	}
}

func TestKeysAreText(t *testing.T) {
	f, err := newLineFormat(&smallTables()[1])
	if err != nil {
		t.Fatal(err)
	}
	key, err := f.keyOf([]byte(`{"a":"\u00e9\"","b":12345678901234567890.10,"\"q\"<&":null}`))
	if err != nil || strings.Join(key, " ") != `12345678901234567890.10 é"` {
		t.Errorf("%q, %v", key, err)
	}
	if _, err := newLineFormat(&TableManifest{Key: []string{"no"}}); err == nil {
		t.Error("a key that is not among the columns was taken")
	}
}
