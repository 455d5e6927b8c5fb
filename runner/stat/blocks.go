package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Medians are the medians of blocks, in their order and unit. An empty block gives NaN.
func Medians(blocks [][]float64) []float64 {
	all := make([]float64, len(blocks))
	for k, block := range blocks {
		all[k] = Median(block)
	}
	return all
}

// PooledMedian is the median of the samples of all blocks together, in their unit. NaN without a sample.
func PooledMedian(blocks [][]float64) float64 { return Median(slices.Concat(blocks...)) }

// Cut makes so many blocks of neighbouring samples, as equal as may be, of samples that are in the order of their time: for
// load that has no blocks of its own. With fewer samples than blocks some are empty. blocks is at least 1.
func Cut(xs []float64, blocks int) [][]float64 {
	cut := make([][]float64, blocks)
	for k := range cut {
		cut[k] = xs[k*len(xs)/blocks : (k+1)*len(xs)/blocks]
	}
	return cut
}

// OfBlocks is the median of the medians of an arm's blocks, in the unit of its samples. From 12 blocks on its interval is that
// of order statistics (ranks 3 and 10 of 12, 14 and 27 of 40), or, when blocks depend on the ones before them, that of
// BlockQuantileInterval with each block for one sample. Of 5 to 11 blocks it is their range, as in Repeats. Fewer are an error,
// and so is a block without samples.
func OfBlocks(blocks [][]float64, rng *rand.Rand) (Spread, error) {
	medians := Medians(blocks)
	s, err := Repeats(medians)
	if err != nil || len(blocks) < minBlocks {
		return s, err
	}
	if dependenceOf(blocks).length > 1 {
		s.Interval, _ = BlockQuantileInterval(Cut(medians, len(medians)), 0.5, level, rng)
		return s, nil
	}
	s.Interval, _ = QuantileInterval(medians, 0.5, level)
	return s, nil
}

// RatioOfTurns compares two arms that took turns: it is PairedRatio from 12 blocks on. Of 5 to 11 the interval is the range of
// the ratios of the blocks, as in Repeats; fewer are an error.
func RatioOfTurns(a, b [][]float64, rng *rand.Rand) (Paired, error) {
	if len(a) >= minBlocks {
		return PairedRatio(a, b, rng)
	}
	ratios, err := BlockRatios(a, b)
	if err != nil {
		return Paired{}, err
	}
	s, err := Repeats(ratios)
	return Paired{Ratios: ratios, Ratio: s.Median, Interval: s.Interval, Blocks: len(ratios)}, err
}

// Difference is how much larger one of two arms is that took turns.
type Difference struct {
	// Value is the median of all samples of the first arm less that of the second, so that a chain of differences adds up.
	Value float64
	// Interval is that of the median of the differences of the blocks' medians, stretched to hold Value where it does not.
	Interval
	// Autocorrelation, AutocorrelationLimit and Warnings are as those of a Paired, of the differences of the blocks.
	Autocorrelation, AutocorrelationLimit float64
	Warnings                              []string
}

// PairedDifference is PairedRatio for differences, in the unit of the samples, which may be of any sign: the logarithm of the
// ratio of two exponentials. The errors are those of PairedRatio.
func PairedDifference(a, b [][]float64, rng *rand.Rand) (Difference, error) {
	p, err := PairedRatio(exponentials(a), exponentials(b), rng)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{Value: PooledMedian(a) - PooledMedian(b), Interval: p.Interval,
		Autocorrelation: p.Autocorrelation, AutocorrelationLimit: p.AutocorrelationLimit, Warnings: p.Warnings}
	d.Low, d.High = math.Log(p.Low), math.Log(p.High)
	d.Interval = d.Holding(d.Value)
	return d, nil
}

// exponentials are of the medians of blocks.
func exponentials(blocks [][]float64) [][]float64 {
	all := make([][]float64, len(blocks))
	for k, m := range Medians(blocks) {
		all[k] = []float64{math.Exp(m)}
	}
	return all
}
