package stat

import (
	"math"
	"math/rand/v2"
	"slices"
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

// In fractions: 1 on (1, 1, 3/4) gives Σz/Σz² = (11/4)/(41/16), the residuals -3, -3 and 8 of 41, and so s² = 1/41.
func TestFitTermsOfOneTerm(t *testing.T) {
	f, err := FitTerms([]string{"rows"}, [][]float64{{1}, {2}, {3}}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coefficients[0]; !about(c.Value, 44.0/41) || !isAround(c.Interval, 44.0/41, t2*4/41) {
		t.Errorf("the coefficient is %+v, want 44/41 ± %v", c, t2*4/41)
	}
	if !about(f.MaxRelativeError, 8.0/41) || !about(f.ResidualSD, math.Sqrt(1.0/41)) {
		t.Errorf("the largest error is %v and the deviation %v, want 8/41 and √(1/41)", f.MaxRelativeError, f.ResidualSD)
	}
}

// In fractions: (ZᵀZ)⁻¹ is (32/33, -8/11; -8/11, 28/11), the residuals are 1, -4 and 4 of 33, and so s² = 1/33. Without
// weights the slope would be 3/2.
func TestFitTermsOfTwoTerms(t *testing.T) {
	f, err := FitTerms([]string{"constant", "rows"}, [][]float64{{1, 0}, {1, 1}, {1, 2}}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []struct{ value, variance float64 }{{32.0 / 33, 32.0 / 1089}, {14.0 / 11, 28.0 / 363}} {
		c := f.Coefficients[j]
		if !about(c.Value, want.value) || !isAround(c.Interval, want.value, t1*math.Sqrt(want.variance)) {
			t.Errorf("%s is %+v, want %v ± %v", f.Terms[j], c, want.value, t1*math.Sqrt(want.variance))
		}
	}
	// At 5 rows: 22/3, with the variance 172/99 of the line and 1/33 (22/3)² of a new observation, together 1000/297.
	p := f.Predict([]float64{1, 5})
	if !about(p.Value, 22.0/3) || !isAround(p.Interval, 22.0/3, t1*math.Sqrt(1000.0/297)) {
		t.Errorf("the prediction is %+v, want 22/3 ± %v", p, t1*math.Sqrt(1000.0/297))
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

// Samples from 5 ms to 2 s with a relative noise of 3 %, and a new observation at ten times their largest x.
func TestCoverageOfFitTerms(t *testing.T) {
	const constant, perRow, noise, far = 0.005, 2e-6, 0.03, 1e7
	rng := rand.New(rand.NewPCG(seed, 20))
	observe := func(rows float64) float64 { return (constant + perRow*rows) * (1 + noise*rng.NormFloat64()) }
	rows := slices.Repeat([]float64{0, 1e3, 1e4, 1e5, 3e5, 1e6}, 2)
	constants, slopes, predictions := 0, 0, 0
	for range simulations {
		var x [][]float64
		var y []float64
		for _, r := range rows {
			x, y = append(x, []float64{1, r}), append(y, observe(r))
		}
		f, err := FitTerms([]string{"constant", "rows"}, x, y)
		if err != nil {
			t.Fatal(err)
		}
		constants += count(f.Coefficients[0].Contains(constant))
		slopes += count(f.Coefficients[1].Contains(perRow))
		predictions += count(f.Predict([]float64{1, far}).Contains(observe(far)))
	}
	for name, covered := range map[string]int{"constant": constants, "slope": slopes, "prediction": predictions} {
		t.Logf("%s: covered in %.1f %%", name, percent(covered))
		if c := percent(covered); c < 93 || c > 97 {
			t.Errorf("%s: covered in %.1f %%, want 93 to 97 %%", name, c)
		}
	}
}
