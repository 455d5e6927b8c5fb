package stat

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Fit is a time (or a size) as a sum of terms, y = c₁x₁ + c₂x₂ + …, with what its samples say about its errors.
type Fit struct {
	// Terms are the names of the x, in the order of the columns.
	Terms []string
	// Coefficients belong to the Terms of the same index.
	Coefficients []Coefficient
	// N is the number of points.
	N int
	// DegreesOfFreedom is N less the number of terms, at least 1.
	DegreesOfFreedom int
	// MaxRelativeError is the largest |y/fitted - 1| over the points: 0.05 is 5 %.
	MaxRelativeError float64
	// ResidualSD estimates the standard deviation of y/fitted - 1, the relative noise of one point, on DegreesOfFreedom.
	ResidualSD float64

	solution solution
}

// Coefficient is what one unit of a term adds to y.
type Coefficient struct {
	// Value is the estimate, in the unit of y per unit of x.
	Value float64
	// Interval holds the true coefficient at 95 %, by Student's t.
	Interval
	// LowX and HighX are the least and the greatest x of the term among the points; beyond them a Fit is extrapolated.
	LowX, HighX float64
}

// Prediction is what a Fit says about an observation that was not made.
type Prediction struct {
	// Value is the expected observation, in the unit of y.
	Value float64
	// Interval holds one new observation at 95 %: the error of the coefficients and the noise of the observation, which
	// is as large relative to Value as among the points.
	Interval
	// Extrapolated says that a term lies outside of the range of the points. Its Interval then trusts the sum of terms
	// where nothing was measured.
	Extrapolated bool
}

// FitTerms fits y to a sum of terms; x has a row for each y and in it a value for each term (1 for a constant one).
//
// It is least squares with the weights 1/fitted²: the noise of a sample is taken to be so many per cent of what is expected
// there. The samples span 5 ms to 2 s and each is known to some per cent, so that an unweighted fit would be decided by the
// largest alone. The weights come from the fit before, until they stay as they are (the quasi-likelihood of Wedderburn 1974
// for a constant coefficient of variation; McCullagh and Nelder, "Generalized Linear Models", 1989, chapter 8). Weights of
// 1/y² would let samples that came out low decide, and make the fit low by twice the square of the noise.
//
// Too few points (at least one more than terms), a y that is not positive, a value that is not finite and terms that
// the points cannot tell apart are errors.
func FitTerms(terms []string, x [][]float64, y []float64) (Fit, error) {
	if err := checkTerms(terms, x, y); err != nil {
		return Fit{}, fmt.Errorf("fitting %s: %w", quoted(terms), err)
	}
	s, ok := solveRelative(x, y)
	if !ok {
		return Fit{}, fmt.Errorf("fitting %s: the terms cannot be told apart; add points at which one alone changes", quoted(terms))
	}
	f := Fit{
		Terms: slices.Clone(terms), N: len(y), DegreesOfFreedom: s.degreesOfFreedom,
		MaxRelativeError: mat.Norm(s.residuals, math.Inf(1)), ResidualSD: s.sd, solution: s,
	}
	for j := range terms {
		c := Coefficient{Value: s.values.AtVec(j), Interval: s.interval(j), LowX: x[0][j], HighX: x[0][j]}
		for _, row := range x {
			c.LowX, c.HighX = min(c.LowX, row[j]), max(c.HighX, row[j])
		}
		f.Coefficients = append(f.Coefficients, c)
	}
	return f, nil
}

// Predict gives the value at x, which has one for each of the Terms. Another number of them gives NaN throughout.
func (f Fit) Predict(x []float64) Prediction {
	if len(x) != len(f.Terms) || len(x) == 0 {
		nan := math.NaN()
		return Prediction{Value: nan, Interval: around(nan, nan), Extrapolated: true}
	}
	at := mat.NewVecDense(len(x), slices.Clone(x))
	value := mat.Dot(at, f.solution.values)
	deviation := math.Hypot(f.solution.standardError(at), f.ResidualSD*value)
	p := Prediction{Value: value, Interval: around(value, f.solution.student*deviation)}
	for j, c := range f.Coefficients {
		within := c.LowX <= x[j] && x[j] <= c.HighX
		p.Extrapolated = p.Extrapolated || !within
	}
	return p
}

// checkTerms is the error of points that no fit can come from.
func checkTerms(terms []string, x [][]float64, y []float64) error {
	switch {
	case len(terms) == 0:
		return errors.New("there is no term")
	case len(x) != len(y):
		return fmt.Errorf("%d rows of x for %d values of y", len(x), len(y))
	case len(y) <= len(terms):
		return fmt.Errorf("%d points for %d terms: measure at least %d", len(y), len(terms), len(terms)+1)
	}
	for i, row := range x {
		if len(row) != len(terms) {
			return fmt.Errorf("point %d has %d values for %d terms", i, len(row), len(terms))
		}
		if !positive(y[i]) {
			return fmt.Errorf("point %d: y is %v, not a positive number", i, y[i])
		}
		for j, v := range row {
			if r := v / y[i]; math.IsNaN(r) || math.IsInf(r, 0) {
				return fmt.Errorf("point %d: %q is %v for a y of %v", i, terms[j], v, y[i])
			}
		}
	}
	return nil
}

// positive says whether v is above 0 and finite.
func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

func quoted(terms []string) string {
	quotes := make([]string, len(terms))
	for i, term := range terms {
		quotes[i] = fmt.Sprintf("%q", term)
	}
	return strings.Join(quotes, ", ")
}
