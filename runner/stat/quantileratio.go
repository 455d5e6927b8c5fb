package stat

import "math/rand/v2"

// BlockQuantileRatio is the ratio of the q-th quantiles of two arms that took turns in the same blocks, all samples of
// an arm together, and its interval. Blocks are drawn with replacement, each with the samples of both arms, so that
// what disturbed a block disturbs numerator and denominator of the same draw; the ends are percentiles as in
// BlockQuantileInterval.
//
// The ratio is NaN when an arm has no samples. ok is false, and there is no interval, when the arms have different
// numbers of blocks and in the cases of BlockQuantileInterval.
func BlockQuantileRatio(a, b [][]float64, q, level float64, rng *rand.Rand) (ratio float64, interval Interval, ok bool) {
	above, below := newPool(a), newPool(b)
	ratio = above.quantile(onceEach(len(a)), q) / below.quantile(onceEach(len(b)), q)
	if len(a) != len(b) || !resampled(a, above, q, level) || !resampled(b, below, q, level) {
		return ratio, Interval{}, false
	}
	draws := make([]float64, resamples)
	times := make([]int, len(a))
	for i := range draws {
		drawBlocks(times, rng)
		draws[i] = above.quantile(times, q) / below.quantile(times, q)
	}
	low, high := percentiles(draws, len(a), level)
	return ratio, Interval{Low: min(low, ratio), High: max(high, ratio), Level: level, Method: ResampledBlocks}, true
}

// onceEach takes every block once.
func onceEach(blocks int) []int {
	times := make([]int, blocks)
	for i := range times {
		times[i] = 1
	}
	return times
}
