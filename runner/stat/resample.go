package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// resamples is how often a bootstrap draws: of 2,000 some 10 lie beyond either end that eight runs ask for.
const resamples = 2000

// BlockQuantileInterval is the interval of the q-th quantile of all samples of all blocks together, when samples of one block
// depend on each other: whole blocks are drawn with replacement, or runs of neighbouring blocks where blocks depend on the
// ones before them (the circular block bootstrap of Politis and Romano, 1992). The percentiles of the draws are taken as far
// out as Student's t over the number of blocks or runs asks for (Hesterberg, "What teachers should know about the bootstrap",
// 2015), since plain ones are too narrow for few blocks. The farther of the two ends is taken for both, as a ratio: no draw has
// a slower block than the slowest, so that the draws fall short at the end that a tail needs. The interval is never narrower
// than that of independent samples.
//
// A Warning says when the blocks depend on each other too strongly, or when what lies beyond the quantile is from so few
// blocks that another run may well have had none or twice as many of them. docs/statistics.md has the coverage of both cases.
//
// ok is false below 12 blocks, when a block is empty, when the quantile is not Shown for so few
// samples, and when q or the level is not strictly between 0 and 1.
func BlockQuantileInterval(blocks [][]float64, q, level float64, rng *rand.Rand) (interval Interval, ok bool) {
	pool := newPool(blocks)
	if !resampled(blocks, pool, q, level) {
		return Interval{}, false
	}
	d := dependenceOf(blocks)
	low, high := d.percentiles(level, rng, func(times []int) float64 { return pool.quantile(times, q) })
	low, high = d.symmetric(pool.quantile(onceEach(len(blocks)), q), low, high)
	if ranks, ok := QuantileInterval(slices.Concat(blocks...), q, level); ok {
		low, high = math.Min(low, ranks.Low), math.Max(high, ranks.High)
	}
	return Interval{Low: low, High: high, Level: level, Method: d.method(), Warning: joined(d.warning(), pool.concentrated(q))}, true
}

// joined puts two warnings into one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// fewestBeyond is from how many blocks the samples beyond a quantile must be. Of 10 samples in 40 alike blocks 9 blocks
// have one in the mean, and fewer than 6 in 3 of 10,000 cases.
const fewestBeyond = 6

// concentrated is a warning when the samples beyond the quantile are from few blocks although there are more of them.
func (p pool) concentrated(q float64) string {
	beyond := int(math.Round(math.Min(q, 1-q) * float64(len(p.values))))
	tail := p.values[:beyond]
	if q > 0.5 {
		tail = p.values[len(p.values)-beyond:]
	}
	from := map[int]bool{}
	for _, v := range tail {
		from[v.block] = true
	}
	if len(from) >= fewestBeyond || 10*len(from) >= 7*beyond {
		return ""
	}
	return fmt.Sprintf("the %d samples beyond the p%g are from %d of %d blocks, so the interval may be too narrow", beyond, 100*q, len(from), len(p.sizes))
}

// resampled says whether there is enough to resample.
func resampled(blocks [][]float64, pool pool, q, level float64) bool {
	empty := slices.ContainsFunc(blocks, func(b []float64) bool { return len(b) == 0 })
	return len(blocks) >= minBlocks && !empty && Shown(q, len(pool.values)) && between0And1(q) && between0And1(level)
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
