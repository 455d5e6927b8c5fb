package stat

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// resamples is how often a bootstrap draws: of 2,000 some 10 lie beyond either end that eight runs ask for.
const resamples = 2000

// BlockQuantileInterval is the interval of the q-th quantile of all samples of all blocks together, when samples of
// one block depend on each other but blocks do not: whole blocks are drawn with replacement, and the ends are
// percentiles of the quantiles of the draws. The percentiles are taken as far out as Student's t over the number of
// blocks asks for (Hesterberg, "What teachers should know about the bootstrap", 2015), since plain ones are too narrow
// for few blocks; and the interval is never narrower than that of independent samples.
//
// It covers 92 to 96 % when 40 blocks of 25 samples differ by less than the samples in them. When they differ by as
// much, a p99 comes from two or three blocks, and no resampling of 40 mends that: it covers 87 % (ranks: 74 %).
//
// ok is false below 12 blocks, when a block is empty, when the quantile is not Shown for so few samples, and when q or
// the level is not strictly between 0 and 1.
func BlockQuantileInterval(blocks [][]float64, q, level float64, rng *rand.Rand) (interval Interval, ok bool) {
	pool := newPool(blocks)
	if !resampled(blocks, pool, q, level) {
		return Interval{}, false
	}
	draws := make([]float64, resamples)
	times := make([]int, len(blocks))
	for i := range draws {
		drawBlocks(times, rng)
		draws[i] = pool.quantile(times, q)
	}
	low, high := percentiles(draws, len(blocks), level)
	if ranks, ok := QuantileInterval(slices.Concat(blocks...), q, level); ok {
		low, high = math.Min(low, ranks.Low), math.Max(high, ranks.High)
	}
	return Interval{Low: low, High: high, Level: level, Method: ResampledBlocks}, true
}

// resampled says whether there is enough to resample.
func resampled(blocks [][]float64, pool pool, q, level float64) bool {
	empty := slices.ContainsFunc(blocks, func(b []float64) bool { return len(b) == 0 })
	return len(blocks) >= minBlocks && !empty && Shown(q, len(pool.values)) && between0And1(q) && between0And1(level)
}

// drawBlocks draws as many blocks as there are, with replacement, and counts how often each one came.
func drawBlocks(times []int, rng *rand.Rand) {
	clear(times)
	for range times {
		times[rng.IntN(len(times))]++
	}
}

// percentiles gives the ends of the interval from the draws of a bootstrap over so many independent units, as far out
// as Student's t asks for.
func percentiles(draws []float64, units int, level float64) (low, high float64) {
	n := float64(units)
	student := stats.InvCDF(stats.TDist{V: n - 1})((1 + level) / 2)
	tail := stats.StdNormal.CDF(-math.Sqrt(n/(n-1)) * student)
	slices.Sort(draws)
	sample := stats.Sample{Xs: draws, Sorted: true}
	return sample.Quantile(tail), sample.Quantile(1 - tail)
}

func between0And1(x float64) bool { return x > 0 && x < 1 }
