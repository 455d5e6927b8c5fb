package postgres

import "testing"

func TestParseVersion(t *testing.T) {
	for output, want := range map[string]string{
		"postgres (PostgreSQL) 17.10\n":                         "17.10",
		"postgres (PostgreSQL) 16.14 (Debian 16.14-1.pgdg12+1)": "16.14",
		"postgres (PostgreSQL) 19beta1\n":                       "19beta1",
		"postgres 17.10\n":                                      "",
		"":                                                      "",
	} {
		if got, err := parseVersion(output); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", output, got, err, want)
		}
	}
}
