package cli

import "testing"

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"saturday", "sunday", 3}, // textbook examples of Levenshtein
		{"lpatop", "laptop", 1}, // a swap is one edit, not two
		{"ü", "u", 1},
	} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	experiments := []string{"softdelete", "treedelete", "bulkdelete", "retention"}
	scales := []string{"smoke", "laptop", "published"}
	for _, c := range []struct {
		word  string
		valid []string
		want  string // "" when none is near
	}{
		{"softdelte", experiments, "softdelete"},
		{"SoftDelete", experiments, "softdelete"},
		{"soft", experiments, "softdelete"},
		{"retantion", experiments, "retention"},
		{"vacuum", experiments, ""},
		{"", experiments, ""},
		{"lpatop", scales, "laptop"},
		{"publish", scales, "published"},
		{"huge", scales, ""},
		{"x", []string{"y"}, ""},
		{"x", nil, ""},
	} {
		if got, _ := nearest(c.word, c.valid); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestUnknownVersion(t *testing.T) {
	valid := []string{"16", "16.14", "17", "17.10", "18", "18.4"}
	for word, want := range map[string]string{
		"19":    `unknown PostgreSQL version "19": the nearest is 18 (of 16, 16.14, 17, 17.10, 18, 18.4)`,
		"9":     `unknown PostgreSQL version "9": the nearest is 16 (of 16, 16.14, 17, 17.10, 18, 18.4)`,
		"17.9":  `unknown PostgreSQL version "17.9": the nearest is 17.10 (of 16, 16.14, 17, 17.10, 18, 18.4)`,
		"18.40": `unknown PostgreSQL version "18.40": the nearest is 18.4 (of 16, 16.14, 17, 17.10, 18, 18.4)`,
		"newest": `unknown PostgreSQL version "newest": choose one of ` +
			`16, 16.14, 17, 17.10, 18, 18.4`,
	} {
		if got := unknownVersion(word, valid).Error(); got != want {
			t.Errorf("version %q: %s\nwant %s", word, got, want)
		}
	}
}
