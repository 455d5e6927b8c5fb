package stat

import (
	"fmt"
	"math"
	"slices"
)

// minRepeats is the fewest repeats whose range is worth calling an interval (93.75 % for a median).
const minRepeats = 5

// Spread is a figure of an arm that is too slow for blocks: it ran a few times, and all of them are shown.
type Spread struct {
	// Values are the repeats in the order in which they ran, in the unit of the figure.
	Values []float64
	// Median is the figure.
	Median float64
	// Interval is the range of the repeats; its Level is 1 - 2^(1-n), the probability that the range of n independent
	// repeats holds the true median.
	Interval
}

// Repeats gives the median of at least 5 repeats and their range. Fewer, or a value that is not finite, is an error.
func Repeats(xs []float64) (Spread, error) {
	if len(xs) < minRepeats {
		return Spread{}, fmt.Errorf("taking the range of %d repeats: it needs at least %d; repeat the arm more often", len(xs), minRepeats)
	}
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return Spread{}, fmt.Errorf("taking the range of repeats: repeat %d is %v", i, x)
		}
	}
	return Spread{Values: slices.Clone(xs), Median: Median(xs), Interval: Interval{
		Low: slices.Min(xs), High: slices.Max(xs), Level: 1 - math.Exp2(float64(1-len(xs))), Method: RangeOfRepeats,
	}}, nil
}
