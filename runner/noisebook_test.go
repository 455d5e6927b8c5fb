package runner

import (
	"slices"
	"testing"
)

func TestNoiseBook(t *testing.T) {
	l := testLab(t)
	if note := l.out.tables.NoiseNote(); note != "" {
		t.Errorf("nothing was timed and the note is %q", note)
	}
	l.noise.add("reading", 0, Noise{Steal: 0, Pressure: 0.5, Gap: 0.0004, Switches: 3})
	l.noise.add("reading", 1, Noise{Steal: 0.02, Pressure: 0.25, Gap: 0.0002, Switches: 4})
	l.noise.add("deleting", 0, Noise{Steal: -1, Pressure: -1, Gap: -1, Switches: -1})
	l.noise.add("reading", 2, Noise{Gap: 0.0011})
	l.Watch("deleting")()
	l.noise.sum()
	want := [][]string{
		{"reading", "3", "2", "66.66666666666667", "0.02", "0.75", "7", "0.0011"},
		{"deleting", "2", "", "", "", "", "", "n/a"},
	}
	got := l.out.tables[noiseByPartTable].Rows
	if len(got) != 2 || !slices.Equal(got[0], want[0]) || got[1][1] != "2" || got[1][7] != NotAvailable {
		t.Errorf("the parts are %q, want %q", got, want)
	}
	raw := l.out.tables[noiseTable]
	if len(raw.Rows) != 5 || !slices.Equal(raw.Rows[2], []string{"deleting", "0", "no", NotAvailable, NotAvailable, NotAvailable, NotAvailable}) || raw.Rows[4][1] != "1" {
		t.Errorf("the blocks are %q", raw.Rows)
	}
}

func TestNoiseNote(t *testing.T) {
	ts := Tables{noiseTable: &Table{TableSpec: noiseSpec, Rows: [][]string{
		{"reading", "0", "yes", "0.01", "0", "0", "0"}, {"reading", "1", "no", "0", "0", "0", "0"}, {"reading", "2", "no", "0", "0", "0", "0"}, {"reading", "3", "no", "0", "0", "0", "0"}}}}
	if got, want := ts.NoiseNote(), "1 of the 4 timed blocks of this experiment were noisy (25 %, noise.csv)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Beside seconds the note belongs, and not beside bytes nor beside the noise itself.
func TestTableTimes(t *testing.T) {
	for _, test := range []struct {
		spec TableSpec
		want bool
	}{
		{TableSpec{Name: "sizes", Columns: []Column{{Name: "heap", Unit: "bytes"}}}, false},
		{TableSpec{Name: "times", Columns: []Column{{Name: "heap", Unit: "bytes"}, {Name: "p50_s", Unit: "s"}}}, true},
		{noiseSpec, false}, {noiseByPartSpec, false},
	} {
		if got := (&Table{TableSpec: test.spec}).Times(); got != test.want {
			t.Errorf("%s: %v, want %v", test.spec.Name, got, test.want)
		}
	}
}
