package runner

import (
	"fmt"
	"strconv"
	"strings"
)

// A Tolerance is the rule, fixed before a run, that turns a
// measured value into a verdict. In fixtures it is written as one of
//
//	shown                          never judged
//	equal 44359680                 the very number
//	equal yes                      the very word
//	within 24.03 29.37             value and interval inside the bounds
//	within 1.62 1.98 or above 1    the same, and the side of 1 counts
//	above 1                        only the side of 1 counts
type Tolerance struct {
	rule      string  // shown, equal, within or side
	word      string  // of equal
	low, high float64 // of within
	side      float64 // +1 above 1, -1 below 1, 0 no direction
}

// ParseTolerance reads the written form.
func ParseTolerance(text string) (Tolerance, error) {
	f := strings.Fields(text)
	bad := fmt.Errorf("reading tolerance %q: want shown, equal X, within LOW HIGH [or above|below 1], or above|below 1", text)
	switch {
	case len(f) == 1 && f[0] == "shown":
		return Tolerance{rule: "shown"}, nil
	case len(f) >= 2 && f[0] == "equal":
		return Tolerance{rule: "equal", word: strings.Join(f[1:], " ")}, nil
	case len(f) == 2 && f[1] == "1":
		side := sideOf(f[0])
		if side == 0 {
			return Tolerance{}, bad
		}
		return Tolerance{rule: "side", side: side}, nil
	case (len(f) == 3 || len(f) == 6 && f[3] == "or" && f[5] == "1") && f[0] == "within":
		return parseWithin(f, bad)
	}
	return Tolerance{}, bad
}

func parseWithin(f []string, bad error) (Tolerance, error) {
	t := Tolerance{rule: "within"}
	var lowErr, highErr error
	t.low, lowErr = strconv.ParseFloat(f[1], 64)
	t.high, highErr = strconv.ParseFloat(f[2], 64)
	if lowErr != nil || highErr != nil || t.low > t.high {
		return Tolerance{}, bad
	}
	if len(f) == 6 {
		if t.side = sideOf(f[4]); t.side == 0 {
			return Tolerance{}, bad
		}
	}
	return t, nil
}

func sideOf(word string) float64 {
	switch word {
	case "above":
		return 1
	case "below":
		return -1
	}
	return 0
}

// String returns the rule in words.
func (t Tolerance) String() string {
	side := map[float64]string{1: "above 1", -1: "below 1"}[t.side]
	switch t.rule {
	case "shown":
		return "shown, never judged"
	case "equal":
		return "must equal " + Humanize(t.word, "")
	case "side":
		return side + " is the same direction, never more"
	}
	text := "must lie between " + grouped(t.low) + " and " + grouped(t.high) + " with its whole interval"
	if t.side != 0 {
		text += "; " + side + " is the same direction"
	}
	return text
}

// Judge compares a measured cell with the tolerance.
func (t Tolerance) Judge(c Cell) Verdict {
	switch t.rule {
	case "shown":
		return NotJudged
	case "equal":
		return t.judgeEqual(c)
	}
	value, isNumber := c.Number()
	if !isNumber {
		return NotReproduced
	}
	low, high, ok := c.Interval()
	if !ok {
		return Inconclusive // an interval that could not be had is as wide as can be
	}
	low, high = min(low, value), max(high, value)
	if t.rule == "within" && low >= t.low && high <= t.high {
		return Reproduced
	}
	return t.judgeOutside(low, high, c.aboveFloor())
}

func (t Tolerance) judgeEqual(c Cell) Verdict {
	want, wantNumber := number(t.word)
	got, gotNumber := c.Number()
	if wantNumber && gotNumber && want == got || t.word == c.Text {
		return Reproduced
	}
	return NotReproduced
}

// judgeOutside is for an interval that is not wholly inside the bounds. A
// ratio below the noise floor is on neither side of 1.
func (t Tolerance) judgeOutside(low, high float64, aboveFloor bool) Verdict {
	overlaps := t.rule == "within" && low <= t.high && high >= t.low
	switch {
	case (t.side > 0 && low > 1 || t.side < 0 && high < 1) && aboveFloor:
		return SameDirection
	case t.side != 0 && !aboveFloor, overlaps, t.rule == "side" && low <= 1 && high >= 1:
		return Inconclusive
	}
	return NotReproduced
}
