package stat

import (
	"fmt"
	"math"
)

// SlopeOfRatio is the slope between two sizes of which one is times as large: the logarithm of the ratio of their y over that of
// times. Its interval is that of the ratio, so that it has the level, the method and the warning of the comparison. The ratio,
// the ends of its interval, and times less 1 are above 0.
func SlopeOfRatio(ratio float64, i Interval, times float64) (Slope, error) {
	if !(times > 1) || math.IsInf(times, 1) || !positive(ratio) || !positive(i.Low) || !positive(i.High) {
		return Slope{}, fmt.Errorf("taking the slope of a ratio %v over %v times the size: both sizes and both figures must differ from nothing, and the sizes from each other", ratio, times)
	}
	of := func(y float64) float64 { return math.Log(y) / math.Log(times) }
	i.Low, i.High = of(i.Low), of(i.High)
	return Slope{Value: of(ratio), Interval: i, N: 2, LowX: 1, HighX: times}, nil
}

// Grown is how many times as large y becomes when x does so by times, which is above 1: times to the power of the slope, with
// the ends of its interval.
func (s Slope) Grown(times float64) Figure {
	return Figure{Value: math.Pow(times, s.Value), Low: math.Pow(times, s.Low), High: math.Pow(times, s.High)}
}

// RateGrown is the same of x over y, as of rows a second when y is seconds: times to the power of 1 less the slope.
func (s Slope) RateGrown(times float64) Figure {
	return Figure{Value: math.Pow(times, 1-s.Value), Low: math.Pow(times, 1-s.High), High: math.Pow(times, 1-s.Low)}
}

// LineThrough is the straight line y = fixed + slope x through two points. It has no error, since nothing is left to tell one
// by. ok is false when the points do not differ in x.
func LineThrough(x1, y1, x2, y2 float64) (fixed, slope float64, ok bool) {
	if x1 == x2 {
		return 0, 0, false
	}
	slope = (y2 - y1) / (x2 - x1)
	return y1 - slope*x1, slope, true
}
