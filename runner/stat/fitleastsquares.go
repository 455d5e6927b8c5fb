package stat

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LeastSquares is the Method of an interval from a fit: Student's t times the standard error that the residuals give.
const LeastSquares = "least squares"

// indistinct is the ratio of the least to the greatest singular value of columns of length 1 below which one of them
// is taken for a sum of the others; rounding alone gives some 1e-16.
const indistinct = 1e-10

// solution is the ordinary least-squares solution of columns·values = target.
type solution struct {
	values           *mat.VecDense
	residuals        *mat.VecDense
	degreesOfFreedom int
	sd               float64    // of the residuals
	spread           *mat.Dense // spread·spreadᵀ is the inverse of columnsᵀ·columns
	student          float64    // how many standard errors an interval reaches to either side
}

// solve needs more rows than columns. ok is false when the columns cannot be told apart.
func solve(columns *mat.Dense, target []float64) (s solution, ok bool) {
	n, p := columns.Dims()
	lengths := make([]float64, p)
	for j := range lengths {
		lengths[j] = mat.Norm(columns.ColView(j), 2)
		if lengths[j] == 0 {
			return solution{}, false
		}
	}
	// Columns differ by the unit of their term: seconds per call stand beside seconds per row.
	scaled := mat.NewDense(n, p, nil)
	scaled.Apply(func(_, j int, v float64) float64 { return v / lengths[j] }, columns)
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThin) || svd.Rank(indistinct) < p {
		return solution{}, false
	}
	singular := svd.Values(nil)
	var left, spread mat.Dense
	svd.UTo(&left)
	svd.VTo(&spread)
	spread.Apply(func(i, j int, v float64) float64 { return v / lengths[i] / singular[j] }, &spread)

	var along, values, residuals mat.VecDense
	b := mat.NewVecDense(n, target)
	along.MulVec(left.T(), b)
	values.MulVec(&spread, &along)
	residuals.MulVec(columns, &values)
	residuals.SubVec(b, &residuals)
	free := float64(n - p)
	return solution{
		values: &values, residuals: &residuals, degreesOfFreedom: n - p, spread: &spread,
		sd:      mat.Norm(&residuals, 2) / math.Sqrt(free),
		student: distuv.StudentsT{Sigma: 1, Nu: free}.Quantile((1 + level) / 2),
	}, true
}

// standardError is that of the sum of the values, each times its weight.
func (s solution) standardError(weights mat.Vector) float64 {
	var along mat.VecDense
	along.MulVec(s.spread.T(), weights)
	return s.sd * mat.Norm(&along, 2)
}

// interval is that of the j-th value.
func (s solution) interval(j int) Interval {
	only := mat.NewVecDense(s.values.Len(), nil)
	only.SetVec(j, 1)
	return around(s.values.AtVec(j), s.student*s.standardError(only))
}

func around(value, reach float64) Interval {
	return Interval{Low: value - reach, High: value + reach, Level: level, Method: LeastSquares}
}
