package stat

import (
	"math"
	"testing"
)

func TestIntervalsMoved(t *testing.T) {
	i := Interval{Low: 2, High: 5, Level: 0.95, Method: ResampledBlocks, Warning: "narrow"}
	for name, c := range map[string]struct {
		got       Interval
		low, high float64
	}{
		"held already": {i.Holding(3), 2, 5},
		"held below":   {i.Holding(1), 1, 5},
		"held above":   {i.Holding(7), 2, 7},
		"taken from 6": {i.TakenFrom(6), 1, 4},
		"taken from 3": {i.TakenFrom(3), -2, 1},
	} {
		if want := (Interval{c.low, c.high, 0.95, ResampledBlocks, "narrow"}); c.got != want {
			t.Errorf("%s: %+v, want %+v", name, c.got, want)
		}
	}
}

func TestBounded(t *testing.T) {
	none := math.Inf(1)
	for _, c := range []struct {
		low, high, least, most float64
		inside, outside        bool
	}{
		{1.5, 2, 1.5, none, true, false}, // the bound itself is inside
		{1.2, 1.4, 1.5, none, false, true},
		{1.4, 1.6, 1.5, none, false, false},
		{1.1, 1.4, -none, 1.5, true, false},
		{1.6, 1.7, -none, 1.5, false, true},
		{1.4, 1.6, -none, 1.5, false, false},
		{1, 3, 0, 2, false, false},
		{1, 2, 0, 3, true, false},
	} {
		if inside, outside := (Interval{Low: c.low, High: c.high}).Bounded(c.least, c.most); inside != c.inside || outside != c.outside {
			t.Errorf("%+v: inside %v, outside %v", c, inside, outside)
		}
	}
}
