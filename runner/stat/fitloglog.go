package stat

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Slope is how y grows with x: as x to the power of Value. 0 is constant, 1 linear, 2 quadratic.
type Slope struct {
	// Value is the slope of log y on log x, without a unit.
	Value float64
	// Interval holds the true slope at 95 %, by Student's t with N-2 degrees of freedom. It takes y for a power of x: of a
	// constant and a linear part together, it tells only the mean growth over this range.
	Interval
	// N is the number of points, at least 3.
	N int
	// LowX and HighX are the range of x that the slope comes from.
	LowX, HighX float64
}

// LogLogSlope fits the logarithm of y to that of x by least squares. Fewer than 3 points, an x or y that is not positive
// and finite, and points that all have the same x are errors.
func LogLogSlope(x, y []float64) (Slope, error) {
	if len(x) != len(y) || len(x) < 3 {
		return Slope{}, fmt.Errorf("taking the slope of %d x and %d y: measure at 3 or more x", len(x), len(y))
	}
	columns := mat.NewDense(len(x), 2, nil)
	for i := range x {
		if !positive(x[i]) || !positive(y[i]) {
			return Slope{}, fmt.Errorf("taking the slope: point %d is (%v, %v), and only positive numbers have a logarithm", i, x[i], y[i])
		}
		columns.SetRow(i, []float64{1, math.Log(x[i])})
	}
	low, high := slices.Min(x), slices.Max(x)
	s, ok := solve(columns, logarithms(y))
	if !ok {
		return Slope{}, fmt.Errorf("taking the slope: x goes only from %v to %v; measure at x further apart", low, high)
	}
	return Slope{Value: s.values.AtVec(1), Interval: s.interval(1), N: len(x), LowX: low, HighX: high}, nil
}
