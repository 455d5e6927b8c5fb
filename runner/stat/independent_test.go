package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// 20 [10, 40] over 10 [5, 20]: each is off by a factor 2 to either side, so that the ratio is off by 2 to the power
// of the square root of 2.
func TestIndependentRatio(t *testing.T) {
	off := math.Pow(2, math.Sqrt2)
	for name, c := range map[string]struct {
		a, b             Figure
		ratio, low, high float64
	}{
		"both have intervals": {Figure{20, 10, 40}, Figure{10, 5, 20}, 2, 2 / off, 2 * off},
		"one has":             {Figure{20, 10, 30}, Figure{10, 10, 10}, 2, 1, 3},
		"the other has":       {Figure{20, 20, 20}, Figure{10, 5, 40}, 2, 0.5, 4},
		"none has":            {Figure{3, 3, 3}, Figure{4, 4, 4}, 0.75, 0.75, 0.75},
	} {
		ratio, in, ok := IndependentRatio(c.a, c.b)
		if !ok || !near(ratio, c.ratio) || !near(in.Low, c.low) || !near(in.High, c.high) {
			t.Errorf("%s: %v [%v, %v], want %v [%v, %v]", name, ratio, in.Low, in.High, c.ratio, c.low, c.high)
		}
	}
}

func TestIndependentRatioNeedsPositiveFigures(t *testing.T) {
	good := Figure{2, 1, 3}
	for name, bad := range map[string]Figure{"zero": {0, 0, 1}, "zero at its end": {1, 0, 2}, "negative": {-1, -2, -0.5},
		"outside of its interval": {1, 2, 3}, "infinite": {1, 1, math.Inf(1)}, "none": {math.NaN(), 1, 2}} {
		if _, _, ok := IndependentRatio(good, bad); ok {
			t.Errorf("%s: there is a ratio to it", name)
		}
		if _, _, ok := IndependentRatio(bad, good); ok {
			t.Errorf("%s: there is a ratio of it", name)
		}
	}
}

// Medians of two arms that ran apart, with their exact intervals (96.2 % at 40 samples): the interval of the ratio
// holds the true one, exp(0.3), in 93 to 98 of 100 cases.
func TestIndependentRatioCovers(t *testing.T) {
	const runs = 2000
	for name, draw := range map[string]func(*rand.Rand) float64{
		"lognormal":   func(rng *rand.Rand) float64 { return math.Exp(0.8 * rng.NormFloat64()) },
		"exponential": func(rng *rand.Rand) float64 { return rng.ExpFloat64() },
		"two places":  func(rng *rand.Rand) float64 { return math.Exp(0.2*rng.NormFloat64() + float64(rng.IntN(2))) },
	} {
		rng := rand.New(rand.NewPCG(7, 11))
		held := 0
		for range runs {
			_, in, ok := IndependentRatio(medianOf(rng, math.Exp(0.3), draw), medianOf(rng, 1, draw))
			if ok && in.Contains(math.Exp(0.3)) {
				held++
			}
		}
		if share := float64(held) / runs; share < 0.93 || share > 0.98 {
			t.Errorf("%s: %.2f %% of the intervals hold the ratio, want 93 to 98", name, 100*share)
		}
	}
}

// medianOf draws 40 samples.
func medianOf(rng *rand.Rand, scale float64, draw func(*rand.Rand) float64) Figure {
	xs := make([]float64, 40)
	for i := range xs {
		xs[i] = scale * draw(rng)
	}
	in, _ := QuantileInterval(xs, 0.5, level)
	return Figure{Median(xs), in.Low, in.High}
}

func TestIndependentRatioLeavesTheRangeOfNumbers(t *testing.T) {
	if r, in, ok := IndependentRatio(Figure{1e300, 1e300, 1e300}, Figure{1e-300, 1e-300, 1e-300}); ok {
		t.Errorf("%v [%v, %v], want none", r, in.Low, in.High)
	}
}
