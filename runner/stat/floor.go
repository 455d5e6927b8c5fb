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
	f := Floor{Paired: p, Distance: math.Max(p.High, 1/p.Low), Missed: p.Different()}
	if f.Missed {
		f.Warnings = append(p.Warnings[:len(p.Warnings):len(p.Warnings)],
			"the arm differs from itself: 1 lies outside of the interval, as it does by chance in 1 of 20")
	}
	return f
}

// Indistinguishable says whether a ratio is nearer to 1 than the floor, as a ratio, above or below.
func (f Floor) Indistinguishable(ratio float64) bool {
	return math.Abs(math.Log(ratio)) < math.Log(f.Distance)
}
