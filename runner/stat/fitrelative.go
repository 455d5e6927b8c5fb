package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// mostWeighings bounds how often the weights of a fit are taken anew; a handful settles them to the last digits.
const mostWeighings = 100

// solveRelative minimises the sum of (y/fitted - 1)² over the values, the weights being those of the last fit. It begins with
// those of y itself and keeps them where a fit is not positive at a point, since it has no relative error there. ok is false
// when the terms cannot be told apart.
func solveRelative(x [][]float64, y []float64) (s solution, ok bool) {
	scale := slices.Clone(y)
	for range mostWeighings {
		next, ok := solveScaled(x, y, scale)
		if !ok {
			return solution{}, false
		}
		s = next
		fitted := make([]float64, len(y))
		settled := true
		for i, row := range x {
			fitted[i] = mat.Dot(mat.NewVecDense(len(row), slices.Clone(row)), s.values)
			settled = settled && math.Abs(fitted[i]/scale[i]-1) < 1e-13
		}
		if settled || !positive(slices.Min(fitted)) {
			break
		}
		scale = fitted
	}
	return s, true
}

// solveScaled divides each point by its scale and then weighs all the same.
func solveScaled(x [][]float64, y, scale []float64) (solution, bool) {
	columns, target := mat.NewDense(len(y), len(x[0]), nil), make([]float64, len(y))
	for i, row := range x {
		for j, v := range row {
			columns.Set(i, j, v/scale[i])
		}
		target[i] = y[i] / scale[i]
	}
	return solve(columns, target)
}
