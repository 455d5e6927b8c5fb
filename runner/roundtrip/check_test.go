package roundtrip

import (
	"testing"
	"time"
)

func TestValid(t *testing.T) {
	const us = time.Microsecond
	for _, test := range []struct {
		asked, added time.Duration
		want         bool
	}{
		{100 * us, 105 * us, true},
		{100 * us, 106 * us, false},
		{100 * us, 94 * us, false},
		{1000 * us, 1020 * us, true},
		{1000 * us, 1021 * us, false},
		{1000 * us, 980 * us, true},
		{0, 5 * us, true},
	} {
		if got := Valid(test.asked, test.added); got != test.want {
			t.Errorf("asked for %v and added %v: valid %v, want %v", test.asked, test.added, got, test.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		xs   []time.Duration
		want time.Duration
	}{
		{[]time.Duration{3, 1, 2}, 2}, {[]time.Duration{9, 1, 2, 4}, 3}, {[]time.Duration{5}, 5},
	} {
		if got := median(test.xs); got != test.want {
			t.Errorf("median is %d, want %d", got, test.want)
		}
	}
}
