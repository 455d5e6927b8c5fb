package treedelete

import (
	"testing"

	"deletecost/runner/stat"
)

// A ratio is told from 1 only when its interval leaves out 1 and it lies beyond
// the floor, on either side; a time likewise from 0.
func TestToldApart(t *testing.T) {
	for _, c := range []struct {
		value, low, high, floor float64
		told                    bool
	}{
		{1.2, 1.1, 1.3, 1.05, true}, {1.2, 0.95, 1.5, 1.05, false}, {1.04, 1.02, 1.06, 1.05, false}, {0.8, 0.7, 0.9, 1.05, true}, {0.97, 0.96, 0.98, 1.05, false}, {0.8, 0.7, 1, 1.05, false},
	} {
		r := turnRatio{value: c.value, Interval: stat.Interval{Low: c.low, High: c.high}}
		if got := r.toldFrom1(c.floor); got != c.told {
			t.Errorf("%v [%v, %v] with a floor of %v: told %v, want %v", c.value, c.low, c.high, c.floor, got, c.told)
		}
	}
	if toldApart(stat.Interval{Low: -0.28, High: 16.6}, 0, 7.56, 2) || !toldApart(stat.Interval{Low: 3, High: 16.6}, 0, 7.56, 2) {
		t.Error("an interval with 0 in it tells nothing from 0; one without does beyond the floor")
	}
}
