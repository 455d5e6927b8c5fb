package stat

import (
	"fmt"
	"slices"
)

// Exact is a quantity that is counted and not sampled: rows, pages, WAL records, bytes as EXPLAIN counts them.
type Exact struct {
	// Values are the repeats in the order in which they ran, in the unit of the quantity.
	Values []float64
	// Value is the first repeat. It stands for all when Equal is true.
	Value float64
	// Equal says that every repeat gave the same value. When false, all of Values are to be shown.
	Equal bool
	// Low and High are the least and the greatest repeat.
	Low, High float64
}

// Repeated holds repeats of a counted quantity against each other; nothing is averaged. Fewer than two is an error.
func Repeated(values []float64) (Exact, error) {
	if len(values) < 2 {
		return Exact{}, fmt.Errorf("comparing %d values of an exact quantity: measure it at least twice", len(values))
	}
	low, high := slices.Min(values), slices.Max(values)
	return Exact{Values: slices.Clone(values), Value: values[0], Equal: low == high, Low: low, High: high}, nil
}
