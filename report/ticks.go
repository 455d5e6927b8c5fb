package report

import (
	"math"
	"slices"
	"strconv"
)

const (
	fewValues = 6 // an axis with no more values is labelled at these
	manySteps = 8 // a logarithmic axis with more of 1, 2 and 5 is labelled at powers of ten
)

// ticks are where an axis is labelled; nil: wherever ECharts finds it round.
func (a axis) ticks() []float64 {
	switch {
	case a.category:
		return nil
	case len(a.few) > 0:
		return a.few
	case a.log:
		return a.decades()
	}
	return nil
}

// decades are the 1, 2 and 5 of each power of ten between the ends of a
// logarithmic axis, or of a long one the powers of ten.
func (a axis) decades() []float64 {
	low, high := a.bounds()
	for _, steps := range [][]float64{{1, 2, 5}, {1}} {
		var all []float64
		for decade := math.Floor(math.Log10(low) + nearly); decade <= math.Log10(high)+nearly; decade++ {
			for _, step := range steps {
				v := seven(step * math.Pow(10, decade))
				if v >= low*(1-nearly) && v <= high*(1+nearly) {
					all = append(all, v)
				}
			}
		}
		if len(all) <= manySteps || len(steps) == 1 {
			return all
		}
	}
	return nil
}

// distinct returns the different values as they are drawn, in their order, when
// they are few and short enough to label each, and nil otherwise.
func (a axis) distinct(values []float64) []float64 {
	var all []float64
	for _, v := range values {
		if v = a.scaled(v); a.draws(v) && !slices.Contains(all, v) {
			all = append(all, v)
		}
		if len(all) > fewValues || a.draws(v) && digits(v, 4) != v {
			return nil
		}
	}
	slices.Sort(all)
	return all
}

// seven rounds to seven digits: more than a screen shows.
func seven(v float64) float64 { return digits(v, 7) }

// digits rounds to so many significant digits.
func digits(v float64, n int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}

// whole says whether all values are whole numbers.
func whole(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}
