package stat

import "math"

// RecoveredVariance is the method of an interval that was made from the intervals of two independent figures.
const RecoveredVariance = "variances recovered from two intervals"

// Figure is a value with its interval, whatever that came from. Where there is none, Low and High are the value.
type Figure struct {
	Value, Low, High float64
}

// IndependentRatio is a.Value over b.Value with an interval from those of the two, which must come from runs that had
// nothing to do with each other. On logarithms, which make a ratio a difference, the distances from each figure to the
// ends of its interval stand for its spread to that side, and are added as squares (the method of variance estimates
// recovery, MOVER: Zou and Donner, Statistics in Medicine 27, 2008, page 1693; asymmetric intervals stay asymmetric).
// It covers the true ratio about as often as each interval covers its figure, and Level is that of this package.
//
// ok is false, and there is no ratio, unless every number is finite and above 0 and the ends enclose their value.
func IndependentRatio(a, b Figure) (ratio float64, interval Interval, ok bool) {
	if !a.positive() || !b.positive() {
		return 0, Interval{}, false
	}
	ratio = a.Value / b.Value
	down := math.Hypot(math.Log(a.Value/a.Low), math.Log(b.High/b.Value))
	up := math.Hypot(math.Log(a.High/a.Value), math.Log(b.Value/b.Low))
	interval = Interval{Low: ratio * math.Exp(-down), High: ratio * math.Exp(up), Level: level, Method: RecoveredVariance}
	// Numbers that are far enough apart leave the range of a float64.
	if !(interval.Low > 0) || math.IsInf(interval.High, 1) {
		return 0, Interval{}, false
	}
	return ratio, interval, true
}

func (f Figure) positive() bool {
	return f.Low > 0 && f.Low <= f.Value && f.Value <= f.High && !math.IsInf(f.High, 1)
}
