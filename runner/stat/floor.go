package stat

import "math"

// Floor is the noise floor of an experiment: how far from 1 the ratio of an arm to itself came out.
type Floor struct {
	// Paired is the comparison of the arm with itself.
	Paired
	// Distance is the far end of its interval from 1, as a ratio of at least 1: 1.03 stands for 1/1.03 as well.
	Distance float64
	// Missed says that the interval leaves out 1. One in 20 does by chance; it is flagged all the same.
	Missed bool
}

// NoiseFloor takes the comparison of an arm with itself for the floor. When the interval misses 1, the floor warns.
func NoiseFloor(p Paired) Floor {
	f := Floor{Paired: p, Distance: FloorOf(p.Interval), Missed: p.Different()}
	if f.Missed {
		f.Warnings = append(p.Warnings[:len(p.Warnings):len(p.Warnings)],
			"the arm differs from itself: 1 lies outside of the interval, as it does by chance in 1 of 20")
	}
	return f
}

// FloorOf is how far the far end of the interval of an arm's ratio to itself is from 1, as a ratio of at least 1.
func FloorOf(itself Interval) float64 { return math.Max(itself.High, 1/itself.Low) }

// ToldApart says that two arms differ: the interval of their ratio leaves out 1, and the ratio is not nearer to 1 than the
// floor, which is a ratio of at least 1. Both are asked for, since each alone tells equal arms apart in some per cent of cases.
func ToldApart(i Interval, ratio, floor float64) bool {
	return !i.Contains(1) && math.Abs(math.Log(ratio)) >= math.Log(floor)
}

// ToldFrom0 is ToldApart for a difference: its interval leaves out 0, and it is not nearer to 0 than the floor, which is the far
// end of the interval of an arm's difference from itself.
func ToldFrom0(i Interval, difference, floor float64) bool {
	return !i.Contains(0) && math.Abs(difference) >= floor
}
