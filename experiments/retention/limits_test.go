package retention

import (
	"maps"
	"strings"
	"testing"

	"deletecost/runner"
)

// Knobs that make no sense are refused with their range, or say what does not
// fit and what to change.
func TestKnobsAreRefused(t *testing.T) {
	e := Experiment()
	for _, test := range []struct{ knob, value, says string }{
		{"rows_first", "0", "rows_first is 0, outside 100 to 100000000"},
		{"rows_second", "1000000000000", "outside 100 to 100000000"},
		{"part_rows", "0", "part_rows is 0, outside 1 to 10000000"},
		{"writers", "0", "writers is 0, outside 1 to 64"},
		{"level", "0", "level is 0, outside 1 to 9"},
		{"open_loop_percent", "100", "open_loop_percent is 100, outside 10 to 90"},
		{"restore", "perhaps", `restore takes true or false, not "perhaps"`},
	} {
		k, ok := e.Knob(test.knob)
		if !ok {
			t.Fatalf("there is no knob %q", test.knob)
		}
		if _, err := k.Parse(test.value); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s=%s: got %v, want %q", test.knob, test.value, err, test.says)
		}
	}
	for change, says := range map[string]string{"rows_first": "raise rows_second", "rows_small": "lower rows_small", "rows_third": "one of the other sizes", "part_rows": "raise part_rows", "small_month": "lower small_month to 60000"} {
		v := e.ValuesAt(runner.Laptop)
		v[change] = map[string]int64{"rows_first": 300_000, "rows_small": 60_000, "rows_third": 200_000, "part_rows": 1, "small_month": 60_001}[change]
		if err := e.Check(v); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s=%d: got %v, want %q", change, v[change], err, says)
		}
	}
}

// Sizes in the wrong order, one twice, or one of a few rows: each is named.
func TestSizesMustGrow(t *testing.T) {
	for _, test := range []struct {
		small, first, second, third int64
		says                        string
	}{
		{0, 60_000, 60_000, 0, "rows_second is 60000 and rows_first 60000"},
		{60_000, 60_000, 200_000, 0, "rows_small is 60000"},
		{20_000, 60_000, 200_000, 60_000, "rows_third is 60000, one of the other sizes"},
		{20_000, 60_000, 200_000, 20_000, "rows_third is 20000, one of the other sizes"},
		{1, 60_000, 200_000, 0, "rows_small is 1: choose at least 100 rows"},
		{0, 60_000, 200_000, 99, "rows_third is 99: choose at least 100 rows"},
		{0, 60_000, 200_000, 0, ""},
		{0, 60_000, 200_000, 30_000, ""}, // between or below the others: still unseen
	} {
		v := Experiment().ValuesAt(runner.Laptop)
		v["rows_small"], v["rows_first"], v["rows_second"], v["rows_third"] = test.small, test.first, test.second, test.third
		if err := check(v); err == nil != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: got %v, want %q", test, err, test.says)
		}
	}
}

// Growth and bytes a row need the source's parts, two of them, and sizes ten
// times apart. Smoke has none of it, the other scales have all.
func TestTooSmallForShapes(t *testing.T) {
	at := func(scale runner.Scale, change string, to int64) string {
		v := Experiment().ValuesAt(scale)
		if change != "" {
			v[change] = to
		}
		return tooSmall(v)
	}
	for _, test := range []struct {
		scale  runner.Scale
		change string
		to     int64
		says   string
	}{
		{runner.Laptop, "", 0, ""}, {runner.Published, "", 0, ""},
		{runner.Smoke, "", 0, "parts of 500 rows"},
		{runner.Smoke, "part_rows", 50_000, "the largest size has 10000 rows a table"},
		{runner.Laptop, "part_rows", 1000, "parts of 1000 rows"},
		{runner.Published, "rows_small", 0, "from 10000000 to 30000000"},
	} {
		if got := at(test.scale, test.change, test.to); got == "" != (test.says == "") || !strings.Contains(got, test.says) {
			t.Errorf("%s with %s=%d: %q, want %q", test.scale, test.change, test.to, got, test.says)
		}
	}
}

// The published month of 30 million rows a table takes 23.3 GB and its archive
// 2.8 GB: a run must ask for more than both.
func TestSpaceIsEnoughForThePublishedMonth(t *testing.T) {
	v := Experiment().ValuesAt(runner.Published)
	if got := space(v); got < 26_100_000_000 {
		t.Errorf("%d bytes, and the published month with its archive takes 26.1 GB", got)
	}
	with := space(v)
	// At 100 rows a second 2,000,000 rows take 20,000 s, in which writers at 50 µs
	// an insert write 400,000,000 rows.
	slow := maps.Clone(v)
	slow["pace"] = 100
	if got := space(slow); got < 400_000_000*400 {
		t.Errorf("at 100 rows a second %d bytes, want room for 400,000,000 inserts", got)
	}
	v["restore"] = 0
	if without := space(v); with-without < 30_000_000*2*200 {
		t.Errorf("a restored copy is asked %d bytes for", with-without)
	}
}

// A bar is met, missed, or too close to tell, by the whole interval.
func TestBarIsJudgedByItsInterval(t *testing.T) {
	for _, test := range []struct {
		bar       bar
		low, high float64
		want      string
	}{
		{bar{least: 1.5}, 1.5, 2, "yes"}, {bar{least: 1.5}, 1.4, 2, "cannot be told"}, {bar{least: 1.5}, 1, 1.49, "no"},
		{bar{most: 64}, 30, 30, "yes"}, {bar{most: 64}, 60, 70, "cannot be told"}, {bar{most: 64}, 65, 65, "no"},
	} {
		if got := test.bar.met(test.low, test.high); got != test.want {
			t.Errorf("%v in [%v, %v]: %q, want %q", test.bar, test.low, test.high, got, test.want)
		}
	}
}
