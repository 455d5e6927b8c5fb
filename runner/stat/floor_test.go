package stat

import (
	"math/rand/v2"
	"testing"
)

func TestNoiseFloor(t *testing.T) {
	for _, test := range []struct {
		low, high, distance float64
		missed              bool
	}{
		{0.98, 1.05, 1.05, false},
		{0.8, 1.05, 1.25, false}, // 1/0.8 is farther than 1.05
		{1.02, 1.04, 1.04, true},
		{0.5, 0.8, 2, true},
		{1, 1, 1, false},
	} {
		f := NoiseFloor(Paired{Interval: Interval{Low: test.low, High: test.high}})
		if !near(f.Distance, test.distance) || f.Missed != test.missed || len(f.Warnings) != count(test.missed) {
			t.Errorf("floor of %v to %v: %v, missed %v, warnings %q, want %v, %v", test.low, test.high, f.Distance, f.Missed, f.Warnings, test.distance, test.missed)
		}
	}
}

func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 9))
	first := map[int]int{}
	for range 300 {
		order := Order(rng, 3)
		if len(order) != 6 {
			t.Fatalf("three arms run in the order %v, want each twice", order)
		}
		seen := map[int]bool{}
		for i, arm := range order[:3] {
			seen[arm] = true
			if order[5-i] != arm {
				t.Errorf("order %v is not its own reverse", order)
			}
		}
		if len(seen) != 3 {
			t.Errorf("order %v leaves out an arm", order)
		}
		first[order[0]]++
	}
	for arm := range 3 {
		if first[arm] < 70 || first[arm] > 130 {
			t.Errorf("arm %d ran first in %d of 300 blocks, want about 100", arm, first[arm])
		}
	}
}
