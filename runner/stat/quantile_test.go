package stat

import (
	"math"
	"slices"
	"testing"
)

// near compares with a relative tolerance that hides rounding and nothing else.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b))
}

func TestQuantile(t *testing.T) {
	// Definition 8: the value at rank 1/3 + q(n + 1/3), linear between ranks.
	for _, test := range []struct {
		xs   []float64
		q    float64
		want float64
	}{
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{4, 1, 3, 2}, 0.5, 2.5},
		{[]float64{40, 10, 30, 20}, 0.25, 10 + (1.0/3+0.25*(4+1.0/3)-1)*10},
		{[]float64{1, 2, 3, 4, 5}, 0.75, 4 + 1.0/3},
		{[]float64{5, 9}, 0, 5},
		{[]float64{5, 9}, 1, 9},
		{[]float64{7}, 0.99, 7},
	} {
		before := slices.Clone(test.xs)
		if got := Quantile(test.xs, test.q); !near(got, test.want) {
			t.Errorf("Quantile(%v, %v) = %v, want %v", test.xs, test.q, got, test.want)
		}
		if !slices.Equal(before, test.xs) {
			t.Errorf("Quantile changed its samples from %v to %v", before, test.xs)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("the median of nothing is %v, want NaN", got)
	}
}

func TestShown(t *testing.T) {
	for _, test := range []struct {
		q    float64
		n    int
		want bool
	}{
		{0.999, 10_000, true},
		{0.999, 9_999, false},
		{0.001, 9_999, false},
		{0.9999, 10_000, false},
		{0.9999, 100_000, true},
		{0.99, 100, true},
		{0.01, 100, true},
		{0.5, 1, true},
		{0.5, 0, false},
		{1.5, 1_000_000, false},
	} {
		if got := Shown(test.q, test.n); got != test.want {
			t.Errorf("Shown(%v, %d) = %v, want %v", test.q, test.n, got, test.want)
		}
	}
}
