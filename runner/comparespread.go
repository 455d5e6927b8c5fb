package runner

import (
	"math"
	"slices"

	"deletecost/runner/stat"
)

// A Spread is one value in the runs of a group. Its figure is the median of
// the runs; a single run is its own figure.
type Spread struct {
	Cells   []*Cell // of the runs that have a value
	Number  bool    // all are numbers
	Counted bool    // numbers without an interval that are no times: counted, not sampled
	Equal   bool    // all say the same

	Value     float64 // the figure; only of numbers
	Low, High float64 // its interval; the figure twice when there is none
	Interval  bool    // there is one
	Method    string  // where the interval comes from, "" without one
	Level     float64 // the probability that it holds the true figure, 0: not known

	// Between runs; only of numbers.
	Least, Most float64
	Widest      float64 // the width of the widest interval within a run, 0: none has one
	// Exceeds says that the values of the runs lie further apart than the widest
	// interval within a run is wide.
	Exceeds bool
}

// Where the interval of a group comes from.
const (
	WithinRun   = "within the run"
	EnvelopeOf  = "from the lowest end to the highest of the runs' own intervals"
	RangeOfRuns = "range of the runs"
)

func newSpread(cells []*Cell) Spread {
	s := Spread{Cells: cells}
	if len(cells) == 0 {
		return s
	}
	s.Equal = !slices.ContainsFunc(cells, func(c *Cell) bool { return c.Text != cells[0].Text })
	values, lows, highs, intervals := read(cells)
	if s.Number = values != nil; !s.Number {
		return s
	}
	s.Counted = intervals == 0 && cells[0].Unit != "s"
	s.Value, s.Least, s.Most = stat.Median(values), slices.Min(values), slices.Max(values)
	for i := range lows {
		s.Widest = max(s.Widest, highs[i]-lows[i])
	}
	s.Exceeds = intervals > 0 && s.Most-s.Least > s.Widest
	s.Low, s.High = s.Value, s.Value
	if repeats, err := stat.Repeats(values); err == nil {
		s.setInterval(repeats.Low, repeats.High, RangeOfRuns, repeats.Level)
	} else if intervals == len(cells) && len(cells) == 1 {
		s.setInterval(lows[0], highs[0], WithinRun, 0)
	} else if intervals == len(cells) {
		s.setInterval(slices.Min(lows), slices.Max(highs), EnvelopeOf, 0)
	} else if s.Counted && !s.Equal {
		s.setInterval(s.Least, s.Most, RangeOfRuns, 0)
	}
	return s
}

func (s *Spread) setInterval(low, high float64, method string, level float64) {
	if s.Counted && s.Equal {
		return // what is counted and always the same needs none
	}
	s.Low, s.High, s.Interval, s.Method, s.Level = min(low, s.Value), max(high, s.Value), true, method, level
}

// read returns the numbers of cells, nil when one is none, with the ends of
// their intervals and how many have one.
func read(cells []*Cell) (values, lows, highs []float64, intervals int) {
	for _, c := range cells {
		v, ok := c.Number()
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, nil, 0
		}
		low, high := v, v
		if l, h, has := c.Interval(); has && c.Low != "" && !math.IsNaN(l+h) && !math.IsInf(l+h, 0) {
			low, high = l, h
			intervals++
		}
		values, lows, highs = append(values, v), append(lows, low), append(highs, high)
	}
	return values, lows, highs, intervals
}
