package postgres

import (
	"slices"
	"testing"
)

// The word for checksums is initdb's own: --no-data-checksums came with 18, where they are on unless it is given.
func TestInitdbOptions(t *testing.T) {
	for _, c := range []struct {
		version   string
		checksums bool
		want      []string
	}{
		{"16.14", true, []string{"--data-checksums"}},
		{"16.14", false, nil},
		{"17.10", true, []string{"--data-checksums"}},
		{"17.10", false, nil},
		{"18.4", true, []string{"--data-checksums"}},
		{"18.4", false, []string{"--no-data-checksums"}},
		{"19beta1", false, []string{"--no-data-checksums"}},
	} {
		options, err := initdbOptions(c.version, c.checksums)
		got := slices.DeleteFunc(slices.Clone(options), func(o string) bool {
			return o != "--data-checksums" && o != "--no-data-checksums"
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s, checksums %v: %v, %v; want %v", c.version, c.checksums, got, err, c.want)
		}
		for _, always := range []string{"--locale=C", "--encoding=UTF8", "--auth=scram-sha-256"} {
			if !slices.Contains(options, always) {
				t.Errorf("%s: %v lacks %s", c.version, options, always)
			}
		}
	}
	if _, err := initdbOptions("devel", false); err == nil {
		t.Error("version devel: accepted, want an error")
	}
}
