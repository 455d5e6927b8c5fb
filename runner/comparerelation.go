package runner

import "deletecost/runner/stat"

// A Relation says how a group's figure stands to that of the first group.
type Relation struct {
	Word      RelationWord
	Ratio     float64 // over the first group's figure, 0: there is none
	Low, High float64 // its interval (stat.IndependentRatio)
	Interval  bool    // there is one
}

// A RelationWord is the relation in words.
type RelationWord string

// The relations. A figure that is 0 in one group has no ratio.
const (
	Missing      RelationWord = "not in both"
	Equal        RelationWord = "equal"               // counted, or words, and the same in every run
	Unequal      RelationWord = "not equal"           // counted, or words, and not the same
	NoDifference RelationWord = "no difference shown" // the interval of the ratio holds 1, or intervals overlap
	Larger       RelationWord = "larger"
	Smaller      RelationWord = "smaller"
	Untold       RelationWord = "no interval" // a time that was taken once: nothing tells it from chance
)

// relationOf holds a spread against the first one.
func relationOf(s, first Spread) Relation {
	switch {
	case len(s.Cells) == 0 || len(first.Cells) == 0:
		return Relation{Word: Missing}
	case !s.Number || !first.Number || s.Counted && first.Counted && s.Equal && first.Equal:
		r := Relation{Word: Unequal}
		if s.Equal && first.Equal && s.sameAs(first) {
			r.Word = Equal
		}
		if s.Number && first.Number && s.Value > 0 && first.Value > 0 {
			r.Ratio = s.Value / first.Value
		}
		return r
	}
	return sampled(s, first)
}

// sameAs compares numbers as numbers and words as words.
func (s Spread) sameAs(first Spread) bool {
	if s.Number && first.Number {
		return s.Value == first.Value
	}
	return s.Cells[0].Text == first.Cells[0].Text
}

func sampled(s, first Spread) Relation {
	ratio, in, ok := stat.IndependentRatio(stat.Figure{Value: s.Value, Low: s.Low, High: s.High},
		stat.Figure{Value: first.Value, Low: first.Low, High: first.High})
	r := Relation{}
	if ok {
		r.Ratio, r.Low, r.High = ratio, in.Low, in.High
	}
	// What is counted needs no interval of its own.
	if r.Interval = ok && (s.Interval || s.Counted) && (first.Interval || first.Counted); r.Interval {
		r.Word = sideOfOne(in.Low, in.High)
		return r
	}
	r.Low, r.High = 0, 0
	switch {
	case !(s.Interval || s.Counted) || !(first.Interval || first.Counted):
		r.Word = Untold
	case s.Low <= first.High && first.Low <= s.High:
		r.Word = NoDifference
	default:
		r.Word = Unequal
	}
	return r
}

func sideOfOne(low, high float64) RelationWord {
	switch {
	case low > 1:
		return Larger
	case high < 1:
		return Smaller
	}
	return NoDifference
}
