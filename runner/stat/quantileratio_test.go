package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// lognormalBlocks are blocks whose samples and whose common factor are lognormal; scale multiplies all of them.
func lognormalBlocks(rng *rand.Rand, factors []float64, scale float64) [][]float64 {
	blocks := make([][]float64, len(factors))
	for k, f := range factors {
		for range 20 {
			blocks[k] = append(blocks[k], scale*f*math.Exp(0.2*rng.NormFloat64()))
		}
	}
	return blocks
}

func TestBlockQuantileRatioOfScaledArm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	factors := make([]float64, 40)
	for k := range factors {
		factors[k] = math.Exp(0.1 * rng.NormFloat64())
	}
	b := lognormalBlocks(rng, factors, 1)
	a := make([][]float64, len(b))
	for k := range b {
		for _, x := range b[k] {
			a[k] = append(a[k], 3*x)
		}
	}
	// An arm times 3 is 3 times as slow at every quantile and in every draw.
	ratio, i, ok := BlockQuantileRatio(a, b, 0.99, 0.95, rng)
	if !ok || math.Abs(ratio-3) > 1e-12 || math.Abs(i.Low-3) > 1e-9 || math.Abs(i.High-3) > 1e-9 {
		t.Errorf("3 times an arm over itself: %v in [%v, %v], %v; want 3 everywhere", ratio, i.Low, i.High, ok)
	}
}

// TestCoverageOfBlockQuantileRatio simulates arms with a known ratio of 1.5 at every quantile.
func TestCoverageOfBlockQuantileRatio(t *testing.T) {
	const runs, truth = 200, 1.5
	rng := rand.New(rand.NewPCG(11, 5))
	covered := 0
	for range runs {
		factors := make([]float64, 50)
		for k := range factors {
			factors[k] = math.Exp(0.1 * rng.NormFloat64())
		}
		a, b := lognormalBlocks(rng, factors, truth), lognormalBlocks(rng, factors, 1)
		if _, i, ok := BlockQuantileRatio(a, b, 0.95, 0.95, rng); ok && i.Contains(truth) {
			covered++
		}
	}
	t.Logf("p95 ratio of 50 blocks: %d of %d intervals hold the true ratio", covered, runs)
	// 95 % asked for; 200 runs put three standard errors at 4.6 points.
	if share := float64(covered) / runs; share < 0.90 {
		t.Errorf("coverage %.3f, want at least 0.90", share)
	}
}

func TestBlockQuantileRatioRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	twelve := lognormalBlocks(rng, onesOf(12), 1)
	for name, arms := range map[string][2][][]float64{
		"fewer than 12 blocks":        {twelve[:11], twelve[:11]},
		"different numbers of blocks": {twelve, append(twelve, twelve[0])},
		"an empty block":              {twelve, append(append([][]float64{}, twelve[:11]...), nil)},
	} {
		if _, i, ok := BlockQuantileRatio(arms[0], arms[1], 0.5, 0.95, rng); ok {
			t.Errorf("%s: an interval %v, want none", name, i)
		}
	}
}

func onesOf(n int) []float64 {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}
