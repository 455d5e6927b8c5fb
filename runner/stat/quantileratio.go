package stat

import "math/rand/v2"

// BlockQuantileRatio is the ratio of the q-th quantiles of two arms that took turns in the same blocks, all samples of
// an arm together, and its interval. Blocks are drawn with replacement, each with the samples of both arms, so that
// what disturbed a block disturbs numerator and denominator of the same draw; the ends are percentiles as in
// BlockQuantileInterval, and where runs are drawn the farther one is taken for both. Its Warning is that of either arm.
//
// The ratio is NaN when an arm has no samples. ok is false, and there is no interval, when the arms have different
// numbers of blocks and in the cases of BlockQuantileInterval.
func BlockQuantileRatio(a, b [][]float64, q, level float64, rng *rand.Rand) (ratio float64, interval Interval, ok bool) {
	above, below := newPool(a), newPool(b)
	ratio = above.quantile(onceEach(len(a)), q) / below.quantile(onceEach(len(b)), q)
	if len(a) != len(b) || !resampled(a, above, q, level) || !resampled(b, below, q, level) {
		return ratio, Interval{}, false
	}
	d := dependenceOf(a, b)
	low, high := d.percentiles(level, rng, func(times []int) float64 { return above.quantile(times, q) / below.quantile(times, q) })
	if d.length > 1 {
		low, high = d.symmetric(ratio, low, high)
	}
	warning := joined(d.warning(), joined(above.concentrated(q), below.concentrated(q)))
	return ratio, Interval{Low: low, High: high, Level: level, Method: d.method(), Warning: warning}.Holding(ratio), true
}

// onceEach takes every block once.
func onceEach(blocks int) []int {
	times := make([]int, blocks)
	for i := range times {
		times[i] = 1
	}
	return times
}
