package treedelete

import (
	"deletecost/runner"
	"deletecost/runner/stat"
)

// turnCells are a value, the ends of its interval, its level, its method and the
// number of blocks or repeats.
func turnCells(value float64, i stat.Interval, turns int) []any {
	return []any{value, i.Low, i.High, i.Level, i.Method, turns}
}

// turnColumns describe them.
func turnColumns(value, unit string) []runner.Column {
	return []runner.Column{{Name: value, Unit: unit}, {Name: "low", Unit: unit}, {Name: "high", Unit: unit},
		{Name: "level", Meaning: "probability that the interval holds the true value"}, {Name: "method", Text: true, Meaning: "of the interval"}, {Name: "turns", Meaning: "blocks or repeats"}}
}
