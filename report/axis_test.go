package report

import (
	"math"
	"testing"

	"deletecost/runner"
)

func TestScaleChoosesOneUnitForAnAxis(t *testing.T) {
	for _, c := range []struct {
		unit     string
		reach    float64
		wantUnit string
		drawn    float64 // reach as it is drawn
	}{
		{"s", 12, "s", 12},
		{"s", 1, "s", 1},
		{"s", 0.25, "ms", 250},
		{"s", 0.000236, "µs", 236},
		{"s", 0, "µs", 0},
		{"bytes", 44359680, "MiB", 42.3046875},
		{"bytes", 3 << 30, "GiB", 3},
		{"bytes", 8192, "KiB", 8},
		{"bytes", 1023, "bytes", 1023},
		{"x", 26.7, "×", 26.7},
		{"%", 97, "%", 97},
		{"rows", 5034, "rows", 5034},
		{"", 5, "", 5},
	} {
		unit, factor := scale(c.unit, c.reach)
		if unit != c.wantUnit || math.Abs(c.reach/factor-c.drawn) > 1e-9 {
			t.Errorf("%g of %q: %g %q, want %g %q", c.reach, c.unit, c.reach/factor, unit, c.drawn, c.wantUnit)
		}
	}
}

func TestLogarithmicBoundsEncloseTheValues(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{[]float64{0.86, 9.7}, 0.5, 10},
		{[]float64{1, 10}, 1, 10},
		{[]float64{2, 5}, 2, 5},
		{[]float64{0.003, 1200}, 0.002, 2000},
		{[]float64{0, -3, 40}, 20, 50},
		{[]float64{1}, 1, 2},
		{[]float64{0}, 1, 10},
		{nil, 1, 10},
	} {
		low, high := newAxis(runner.Column{}, c.values).bounds()
		if math.Abs(low/c.low-1) > 1e-9 || math.Abs(high/c.high-1) > 1e-9 {
			t.Errorf("%v: from %g to %g, want %g to %g", c.values, low, high, c.low, c.high)
		}
	}
}

func TestAxisLabelCarriesTheUnit(t *testing.T) {
	for _, c := range []struct {
		column runner.Column
		want   string
	}{
		{runner.Column{Name: "heap_bytes", Unit: "bytes", Meaning: "heap after the cycle"}, "heap after the cycle (MiB)"},
		{runner.Column{Name: "heap_bytes", Unit: "bytes"}, "heap (MiB)"},
		{runner.Column{Name: "heap_bytes", Unit: "bytes", Meaning: "a phrase that would run over the edge of a telephone's screen"}, "heap (MiB)"},
		{runner.Column{Name: "cycle"}, "cycle"},
	} {
		if got := newAxis(c.column, []float64{5 << 20}).label(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.column, got, c.want)
		}
	}
}
