package report

import (
	"slices"
	"testing"

	"deletecost/runner"
)

func TestTicks(t *testing.T) {
	many := []float64{1, 2, 3, 4, 5, 6, 7}
	for _, c := range []struct {
		name   string
		unit   string
		values []float64
		log    bool
		want   []float64
	}{
		{"few", "%", []float64{98, 80, 95, 90, 80}, false, []float64{80, 90, 95, 98}},
		{"six", "", []float64{1, 2, 3, 4, 5, 6}, false, []float64{1, 2, 3, 4, 5, 6}},
		{"seven", "", many, false, nil},
		{"few, but measured", "s", []float64{0.0278712, 0.1704583}, true, []float64{20, 50, 100, 200}},
		{"few in milliseconds", "s", []float64{0.25, 0.5}, false, []float64{250, 500}},
		{"few, logarithmic, without 0", "rows", []float64{0, 1000, 4000}, true, []float64{1000, 4000}},
		{"ratios", "x", []float64{0.72, 0.8, 1, 1.1, 3, 4, 9.5}, true, []float64{0.5, 1, 2, 5, 10}},
		{"three decades", "", []float64{1, 3, 9, 27, 81, 243, 729}, true, []float64{1, 10, 100, 1000}},
	} {
		a := newAxis(runner.Column{Unit: c.unit}, c.values)
		a.log = c.log
		a.few = a.distinct(c.values)
		if got := a.ticks(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCountsHaveNoFractionsBetweenThem(t *testing.T) {
	for _, c := range []struct {
		unit   string
		values []float64
		want   float64
	}{
		{"", []float64{1, 2}, 1},
		{"rows", []float64{0, 5000}, 1},
		{"rows", []float64{220.5}, 0},
		{"bytes", []float64{8192}, 0},
		{"s", []float64{0.002}, 0},
	} {
		a := newAxis(runner.Column{Unit: c.unit}, c.values)
		if got := a.interval(); got != c.want {
			t.Errorf("%v of %q: labels at least %g apart, want %g", c.values, c.unit, got, c.want)
		}
		if a.log = true; a.interval() != 0 {
			t.Errorf("%v of %q: labels of a logarithmic axis are held apart", c.values, c.unit)
		}
	}
}
