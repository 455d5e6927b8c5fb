package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Line is y = Intercept + Slope x.
type Line struct {
	// Intercept is in the unit of y, Slope in that of y over x; their intervals are 95 %, by Student's t with N-2 degrees
	// of freedom.
	Intercept, Slope Coefficient
	// N is the number of points, at least 3.
	N int
	// MaxError is the largest distance of a point from the line, in the unit of y.
	MaxError float64
}

// FitLine fits a line by least squares, every point weighing the same: for a y whose noise does not grow with x, as the
// time of a server to which a wait of known length is added. Fewer than 3 points, a value that is not finite, and
// points that all have the same x are errors.
func FitLine(x, y []float64) (Line, error) {
	if len(x) != len(y) || len(x) < 3 {
		return Line{}, fmt.Errorf("fitting a line to %d x and %d y: measure at 3 or more x", len(x), len(y))
	}
	columns := mat.NewDense(len(x), 2, nil)
	low, high := x[0], x[0]
	for i := range x {
		if sum := x[i] + y[i]; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return Line{}, fmt.Errorf("fitting a line: point %d is (%v, %v)", i, x[i], y[i])
		}
		columns.SetRow(i, []float64{1, x[i]})
		low, high = min(low, x[i]), max(high, x[i])
	}
	s, ok := solve(columns, y)
	if !ok {
		return Line{}, fmt.Errorf("fitting a line: x goes only from %v to %v; measure at x further apart", low, high)
	}
	return Line{
		Intercept: Coefficient{Value: s.values.AtVec(0), Interval: s.interval(0), LowX: 1, HighX: 1},
		Slope:     Coefficient{Value: s.values.AtVec(1), Interval: s.interval(1), LowX: low, HighX: high},
		N:         len(x), MaxError: mat.Norm(s.residuals, math.Inf(1)),
	}, nil
}

// At is the line's y at x.
func (l Line) At(x float64) float64 { return l.Intercept.Value + l.Slope.Value*x }
