package treedelete

import (
	"math"
	"math/rand/v2"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// A turnRatio is the ratio of two arms that took turns, or one arm's time, with
// its interval.
type turnRatio struct {
	value float64
	stat.Interval
	n        int // blocks or repeats
	warnings []string
}

// ratioOf compares two arms: by blocks where there are 12 or more, by the range
// of the repeats where there are fewer.
func ratioOf(a, b [][]float64, rng *rand.Rand) (turnRatio, error) {
	if len(a) >= blocks {
		p, err := stat.PairedRatio(a, b, rng)
		return turnRatio{p.Ratio, p.Interval, p.Blocks, p.Warnings}, err
	}
	ratios, err := stat.BlockRatios(a, b)
	if err != nil {
		return turnRatio{}, err
	}
	return rangeOf(ratios)
}

// timeOf is the median of the blocks' medians, with the interval of the same
// kind as that of a ratio.
func timeOf(taken [][]float64) (turnRatio, error) {
	all := medians(taken)
	if i, ok := stat.QuantileInterval(all, 0.5, 0.95); ok && len(all) >= blocks {
		return turnRatio{value: stat.Median(all), Interval: i, n: len(all)}, nil
	}
	return rangeOf(all)
}

func rangeOf(repeated []float64) (turnRatio, error) {
	s, err := stat.Repeats(repeated)
	return turnRatio{value: s.Median, Interval: s.Interval, n: len(repeated)}, err
}

// cells are the value, the ends of its interval, its level, its method and the
// number of blocks.
func (r turnRatio) cells() []any { return []any{r.value, r.Low, r.High, r.Level, r.Method, r.n} }

// floorOf is how far from 1 an arm came out against itself, as NoiseFloor has it.
func floorOf(r turnRatio) float64 { return max(r.High, 1/r.Low) }

// toldApart says that a figure is another than nothing, which is 1 for a ratio and
// 0 for a difference: its interval leaves nothing out, and the figure is further
// from it than an arm came out from itself.
func toldApart(i stat.Interval, nothing, distance, floor float64) bool {
	return !i.Contains(nothing) && distance > floor
}

// toldFrom1 says that two arms differ by more than the floor, which is a ratio.
func (r turnRatio) toldFrom1(floor float64) bool {
	return toldApart(r.Interval, 1, math.Abs(math.Log(r.value)), math.Log(floor))
}

// turnColumns describe a turnRatio's cells.
func turnColumns(value, unit string) []runner.Column {
	return []runner.Column{{Name: value, Unit: unit}, {Name: "low", Unit: unit}, {Name: "high", Unit: unit},
		{Name: "level", Meaning: "probability that the interval holds the true value"}, {Name: "method", Text: true, Meaning: "of the interval"}, {Name: "turns", Meaning: "blocks or repeats"}}
}
