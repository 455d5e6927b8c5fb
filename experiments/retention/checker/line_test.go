package checker

import "testing"

// The values are what JSON (RFC 8259) says that the text stands for.
func TestKeyOf(t *testing.T) {
	columns := []listedColumn{{Name: "id"}, {Name: `a "b"`}}
	for line, want := range map[string]string{
		`{"id":"x","a \"b\"":null}`:                     "x",
		`{"id":"x\"y\\","a \"b\"":"}"}`:                 `x"y\`,
		`{"id":"\u00e9","a \u0022b\u0022":",}"}`:        "é",
		`{"id":12345678901234567890.10,"a \"b\"":true}`: "12345678901234567890.10",
		`{"id":-1e400,"a \"b\"":1}`:                     "-1e400",
		`{"id":"","a \"b\"":"\\"}`:                      "",
	} {
		if got, err := keyOf([]byte(line), columns, "id"); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{
		``, `{}`, `[]`, `null`, `"id"`, `{"id":1}`, `{"id":1,"a \"b\"":2,"c":3}`, `{"a \"b\"":2,"id":1}`, `{"id":1,"id":1}`,
		`{"id":1,"a \"b\"":{}}`, `{"id":1,"a \"b\"":[1]}`, `{"id": 1,"a \"b\"":2}`, `{"id":1,"a \"b\"":2} `, `{"id":1,"a \"b\"":2}{}`, `{"id":NaN,"a \"b\"":2}`, `{"id":1,"a \"b\"":2`,
	} {
		if got, err := keyOf([]byte(line), columns, "id"); err == nil {
			t.Errorf("%s was read, as %q", line, got)
		}
	}
	if got, err := keyOf([]byte(`{"id":1,"a \"b\"":2}`), columns, "key"); err == nil {
		t.Errorf("a key that is no column was read, as %q", got)
	}
	// What is carried as JSON may nest, but for the key.
	columns[1].Carry = "json"
	for line, want := range map[string]bool{
		`{"id":1,"a \"b\"":{"x": [1, "]}\"", {}]}}`: true, `{"id":1,"a \"b\"":[]}`: true, `{"id":1,"a \"b\"":"x"}`: true,
		`{"id":1,"a \"b\"":[],"c":1}`: false, `{"id":[1],"a \"b\"":[]}`: false, `{"id":1,"a \"b\"":[}`: false,
	} {
		if got, err := keyOf([]byte(line), columns, "id"); (err == nil && got == "1") != want {
			t.Errorf("%s: %q, %v; want it read: %v", line, got, err, want)
		}
	}
}
