package report

import (
	"math"
	"strings"
	"unicode/utf8"

	"deletecost/runner"
)

// axis is one axis of a figure with a single scale, chosen from its data.
type axis struct {
	name     string  // what is drawn along it, without the unit
	unit     string  // as people read it: MiB, ms
	factor   float64 // drawn = measured / factor
	log      bool
	least    float64   // the smallest positive value, in unit
	reach    float64   // the largest absolute value, in unit
	category bool      // words, not numbers
	whole    bool      // counts: nothing is between 1 and 2
	top      float64   // where a linear axis ends, 0: where ECharts finds it round
	few      []float64 // the values, in unit, when each of them is labelled
}

// newAxis describes a column along which values are drawn.
func newAxis(c runner.Column, values []float64) axis {
	reach, least := 0.0, math.Inf(1)
	for _, v := range values {
		reach = max(reach, math.Abs(v))
		if v > 0 {
			least = min(least, v)
		}
	}
	unit, factor := scale(c.Unit, reach)
	return axis{name: axisName(c), unit: unit, factor: factor, least: least / factor, reach: reach / factor,
		whole: factor == 1 && whole(values)}
}

// bounds are the ends of a logarithmic axis: the nearest 1, 2 or 5 of a power
// of ten outside the values, so that no decade stays empty.
func (a axis) bounds() (low, high float64) {
	if math.IsInf(a.least, 1) {
		return 1, 10
	}
	low, high = below(a.least), above(a.reach)
	if low == high {
		high = above(2 * low)
	}
	return low, high
}

// nearly keeps a value that is itself 1, 2 or 5 of a power of ten in its place.
const nearly = 1e-9

func below(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)+nearly))
	for _, step := range []float64{5, 2} {
		if decade*step <= v*(1+nearly) {
			return decade * step
		}
	}
	return decade
}

func above(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)+nearly))
	for _, step := range []float64{1, 2, 5} {
		if decade*step >= v*(1-nearly) {
			return decade * step
		}
	}
	return 10 * decade
}

// scale chooses one unit for all values of an axis by the largest of them.
func scale(unit string, reach float64) (string, float64) {
	steps := map[string][]struct {
		unit   string
		factor float64
	}{
		"s":     {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}},
		"bytes": {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"bytes", 1}},
	}[unit]
	for i, s := range steps {
		if reach >= s.factor || i == len(steps)-1 {
			return s.unit, s.factor
		}
	}
	if unit == "x" {
		return "×", 1
	}
	return unit, 1
}

// axisName is the column's meaning when that is short enough for a narrow
// screen, and otherwise its name without the base unit.
func axisName(c runner.Column) string {
	if c.Meaning != "" && utf8.RuneCountInString(c.Meaning) <= 40 {
		return c.Meaning
	}
	name := c.Name
	for _, suffix := range map[string][]string{"s": {"_s", "_seconds"}, "bytes": {"_bytes"}, "%": {"_percent"}}[c.Unit] {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// label is the axis' name with its unit.
func (a axis) label() string {
	switch {
	case a.unit == "":
		return a.name
	case a.name == "":
		return a.unit
	}
	return a.name + " (" + a.unit + ")"
}

// scaled is a measured value as it is drawn.
func (a axis) scaled(v float64) float64 { return seven(v / a.factor) }

// draws says whether the axis has a place for a value.
func (a axis) draws(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.log || v > 0)
}
