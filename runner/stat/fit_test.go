package stat

import (
	"math"
	"strings"
	"testing"
)

// t1 is the 97.5 % quantile of Student's t with one degree of freedom, tan(0.475π), and t2 that with two.
const (
	t1 = 12.706204736174694
	t2 = 4.302652729911275
)

// about allows for the rounding of a solution; near is for closed forms.
func about(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

func isAround(i Interval, value, reach float64) bool {
	return about(i.Low, value-reach) && about(i.High, value+reach) && i.Level == 0.95 && i.Method == LeastSquares
}

func TestFitTermsOfExactLine(t *testing.T) {
	f, err := FitTerms([]string{"constant", "rows"}, [][]float64{{1, 0}, {1, 1e3}, {1, 1e6}, {1, 1e5}}, []float64{0.005, 0.007, 2.005, 0.205})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{0.005, 2e-6} {
		if c := f.Coefficients[j]; math.Abs(c.Value/want-1) > 1e-9 || math.Abs(c.High/c.Low-1) > 1e-9 {
			t.Errorf("%s is %+v, want %v and nothing around it", f.Terms[j], c, want)
		}
	}
	if f.N != 4 || f.DegreesOfFreedom != 2 || f.MaxRelativeError > 1e-9 || f.ResidualSD > 1e-9 {
		t.Errorf("%+v, want 4 points, 2 degrees of freedom, and no error", f)
	}
	if rows := f.Coefficients[1]; rows.LowX != 0 || rows.HighX != 1e6 {
		t.Errorf("the rows go from %v to %v, want 0 to 1e6", rows.LowX, rows.HighX)
	}
}

// With one term the y/x weigh the same: their mean is 10/9, y/fitted - 1 is -0.1, -0.1 and 0.2, and so s² = 0.03.
func TestFitTermsOfOneTerm(t *testing.T) {
	f, err := FitTerms([]string{"rows"}, [][]float64{{1}, {2}, {3}}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coefficients[0]; !about(c.Value, 10.0/9) || !isAround(c.Interval, 10.0/9, t2/9) {
		t.Errorf("the coefficient is %+v, want 10/9 ± %v", c, t2/9)
	}
	if !about(f.MaxRelativeError, 0.2) || !about(f.ResidualSD, math.Sqrt(0.03)) {
		t.Errorf("the largest error is %v and the deviation %v, want 0.2 and √0.03", f.MaxRelativeError, f.ResidualSD)
	}
}

// The y are 1 + rows plus 0.1, -0.2 and 0.1 times its square, which both equations of the weighted fit let vanish. y/fitted - 1
// is 0.1, -0.4 and 0.3, so s² = 0.26, and (ZᵀZ)⁻¹ is (25, -17; -17, 49)/26. Without weights the slope would be 1.4.
func TestFitTermsOfTwoTerms(t *testing.T) {
	f, err := FitTerms([]string{"constant", "rows"}, [][]float64{{1, 0}, {1, 1}, {1, 2}}, []float64{1.1, 1.2, 3.9})
	if err != nil {
		t.Fatal(err)
	}
	for j, variance := range []float64{0.25, 0.49} {
		c := f.Coefficients[j]
		if !about(c.Value, 1) || !isAround(c.Interval, 1, t1*math.Sqrt(variance)) {
			t.Errorf("%s is %+v, want 1 ± %v", f.Terms[j], c, t1*math.Sqrt(variance))
		}
	}
	// At 5 rows: 6, with the variance 10.8 of the line and 0.26·6² of a new observation.
	p := f.Predict([]float64{1, 5})
	if !about(p.Value, 6) || !isAround(p.Interval, 6, t1*math.Sqrt(20.16)) {
		t.Errorf("the prediction is %+v, want 6 ± %v", p, t1*math.Sqrt(20.16))
	}
}

func TestPredictExtrapolated(t *testing.T) {
	f, err := FitTerms([]string{"constant", "rows"}, [][]float64{{1, 10}, {1, 20}, {1, 40}}, []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		x    []float64
		want bool
	}{
		{[]float64{1, 10}, false}, {[]float64{1, 30}, false}, {[]float64{1, 40}, false},
		{[]float64{1, 9}, true}, {[]float64{1, 41}, true}, {[]float64{0, 30}, true}, {[]float64{1, math.NaN()}, true},
	} {
		if got := f.Predict(test.x); got.Extrapolated != test.want {
			t.Errorf("Predict(%v).Extrapolated is %v, want %v", test.x, got.Extrapolated, test.want)
		}
	}
	for _, x := range [][]float64{nil, {1}, {1, 2, 3}} {
		if got := f.Predict(x); !math.IsNaN(got.Value) || !math.IsNaN(got.Low) || !math.IsNaN(got.High) {
			t.Errorf("Predict(%v) is %+v, want NaN", x, got)
		}
	}
}

func TestFitTermsRefuses(t *testing.T) {
	line := [][]float64{{1, 1}, {1, 2}, {1, 3}}
	for _, test := range []struct {
		name  string
		terms []string
		x     [][]float64
		y     []float64
		want  string
	}{
		{"no term", nil, nil, nil, "no term"},
		{"two points", []string{"a", "b"}, line[:2], []float64{1, 2}, "measure at least 3"},
		{"too few y", []string{"a", "b"}, line, []float64{1, 2}, "3 rows of x for 2"},
		{"short row", []string{"a", "b"}, [][]float64{{1, 1}, {1}, {1, 3}}, []float64{1, 2, 3}, "point 1 has 1 values"},
		{"y of 0", []string{"a", "b"}, line, []float64{1, 0, 3}, "point 1: y is 0"},
		{"y of NaN", []string{"a", "b"}, line, []float64{1, 2, math.NaN()}, "point 2: y is NaN"},
		{"endless y", []string{"a", "b"}, line, []float64{math.Inf(1), 2, 3}, "point 0: y is +Inf"},
		{"x of NaN", []string{"a", "b"}, [][]float64{{1, 1}, {1, math.NaN()}, {1, 3}}, []float64{1, 2, 3}, `"b" is NaN`},
		{"one term twice", []string{"rows", "pages"}, [][]float64{{1, 7}, {2, 14}, {3, 21}, {5, 35}}, []float64{1, 2, 3.1, 5}, `"rows", "pages": the terms cannot be told apart`},
		{"a sum of two", []string{"a", "b", "c"}, [][]float64{{1, 7, 8}, {1, 3, 4}, {1, 9, 10}, {1, 1, 2}}, []float64{1, 2, 3, 4}, "told apart"},
		{"a term always 0", []string{"a", "b"}, [][]float64{{1, 0}, {2, 0}, {3, 0}}, []float64{1, 2, 3}, "told apart"},
	} {
		if got, err := FitTerms(test.terms, test.x, test.y); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v, want an error with %q", test.name, got, err, test.want)
		}
	}
}
