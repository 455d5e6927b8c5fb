package stat

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Steadiness says whether the blocks of one arm drift over the run: whether it was warm when timing began.
type Steadiness struct {
	// Steady is false when P is below 1 %: the flag "not steady".
	Steady bool
	// P is the probability of at least such a trend, up or down, in independent blocks without one: Mann-Kendall,
	// normal approximation with the correction for ties.
	P float64
	// Drift is the median of the last third of the blocks over that of the first third: 0.9 is 10 % less at the end.
	Drift float64
}

// Steady tests the medians of an arm's blocks, in the order in which they ran, for a trend (Mann 1945; Kendall 1975).
// It counts pairs of blocks that rise and fall, so that a few slow ones at the start, which a median does not feel, do
// not raise the flag, while a lasting drift does. Fewer than 12 blocks, or an empty one, cannot be judged: ok is false.
func Steady(blocks [][]float64) (s Steadiness, ok bool) {
	n := len(blocks)
	if n < minBlocks || slices.ContainsFunc(blocks, func(block []float64) bool { return len(block) == 0 }) {
		return Steadiness{}, false
	}
	medians := Medians(blocks)
	p := mannKendall(medians)
	return Steadiness{Steady: p >= 0.01, P: p, Drift: Median(medians[n-n/3:]) / Median(medians[:n/3])}, true
}

// mannKendall is the two-sided probability of the trend in xs.
func mannKendall(xs []float64) float64 {
	rises := 0
	ties := map[float64]int{}
	for i, x := range xs {
		ties[x]++
		for _, before := range xs[:i] {
			switch {
			case x > before:
				rises++
			case x < before:
				rises--
			}
		}
	}
	spread := func(n int) float64 { return float64(n) * float64(n-1) * float64(2*n+5) / 18 }
	variance := spread(len(xs))
	for _, n := range ties {
		variance -= spread(n)
	}
	if rises == 0 || variance <= 0 {
		return 1
	}
	// One less, because the count moves in steps and the normal distribution does not.
	z := (math.Abs(float64(rises)) - 1) / math.Sqrt(variance)
	return 2 * stats.StdNormal.CDF(-z)
}
