package stat

import (
	"cmp"
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
	return Extremes(xs), nil
}

// Extremes is Repeats of as few as one repeat: for what is shown as its range and nothing is concluded from. The Level of one
// repeat is 0. It is NaN throughout without any.
func Extremes(xs []float64) Spread {
	if len(xs) == 0 {
		nan := math.NaN()
		return Spread{Median: nan, Interval: Interval{Low: nan, High: nan, Method: RangeOfRepeats}}
	}
	return Spread{Values: slices.Clone(xs), Median: Median(xs), Interval: Interval{
		Low: slices.Min(xs), High: slices.Max(xs), Level: 1 - math.Exp2(float64(1-len(xs))), Method: RangeOfRepeats,
	}}
}

// Enough says whether there are as many repeats as Repeats asks for, so that their range is worth calling an interval.
func (s Spread) Enough() bool { return len(s.Values) >= minRepeats }

// Middle is the index of the median value, of two middle ones the lower: where what belongs to the
// value is to be shown with it, and must not be averaged. It is -1 without any value.
func Middle(xs []float64) int {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	if len(order) == 0 {
		return -1
	}
	return order[(len(order)-1)/2]
}

// Times is the figure in another unit, or a share of it; by is above 0.
func (s Spread) Times(by float64) Spread {
	values := make([]float64, len(s.Values))
	for i, v := range s.Values {
		values[i] = by * v
	}
	s.Values, s.Median, s.Low, s.High = values, by*s.Median, by*s.Low, by*s.High
	return s
}

// Less is the figure less another one that did not take turns with it: the interval reaches from the nearest to the farthest
// ends of both, which covers at least as often as the two do together. It has no Values.
func (s Spread) Less(other Spread) Spread {
	return Spread{Median: s.Median - other.Median, Interval: Interval{Low: s.Low - other.High, High: s.High - other.Low, Method: EndsOfBoth}}
}

// Figure is the figure with the ends of its interval, for IndependentRatio.
func (s Spread) Figure() Figure { return Figure{Value: s.Median, Low: s.Low, High: s.High} }
