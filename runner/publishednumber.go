package runner

import (
	"math"
	"strings"
)

// publishedFactors turn what sources print into base units.
var publishedFactors = map[[2]string]float64{{"ms", "s"}: 1e-3, {"µs", "s"}: 1e-6, {"us", "s"}: 1e-6}

// PublishedNumber returns the published value that belongs to one of the
// measured parts of a claim, in that part's base unit. ok is false when the
// source has no plain number for it, or one in a unit that is not known.
func (c Claim) PublishedNumber(part, parts int, unit string) (v float64, ok bool) {
	values := strings.Split(c.Published, " / ")
	if len(values) != parts || part < 0 || part >= parts {
		return 0, false
	}
	factor := 1.0
	if c.Unit != unit {
		if factor = publishedFactors[[2]string{c.Unit, unit}]; factor == 0 {
			return 0, false
		}
	}
	v, ok = number(strings.ReplaceAll(strings.TrimSpace(values[part]), ",", ""))
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v * factor, true
}
