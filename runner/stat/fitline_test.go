package stat

import (
	"math"
	"testing"
)

// The certified intercept and slope of Norris with their standard errors, and Student's t for 34 degrees of freedom.
func TestFitLineOfNorris(t *testing.T) {
	const t34 = 2.032244509317719
	var x, y []float64
	for _, p := range norris {
		y, x = append(y, p[0]), append(x, p[1])
	}
	got, err := FitLine(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if !about(got.Slope.Value, 1.00211681802045) || !isAround(got.Slope.Interval, 1.00211681802045, t34*0.429796848199937e-3) {
		t.Errorf("slope %+v", got.Slope)
	}
	if !about(got.Intercept.Value, -0.262323073774029) || !isAround(got.Intercept.Interval, -0.262323073774029, t34*0.232818234301152) {
		t.Errorf("intercept %+v", got.Intercept)
	}
	if got.N != 36 || got.Slope.LowX != 0.2 || got.Slope.HighX != 999 || !about(got.At(100), -0.262323073774029+100.211681802045) {
		t.Errorf("%+v", got)
	}
}

// Of (0, 0), (1, 2), (2, 1) the line is 1/2 + x/2, and (1, 2) lies 1 above it.
func TestFitLineByHand(t *testing.T) {
	got, err := FitLine([]float64{0, 1, 2}, []float64{0, 2, 1})
	if err != nil || !about(got.Intercept.Value, 0.5) || !about(got.Slope.Value, 0.5) || !about(got.MaxError, 1) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFitLineRefuses(t *testing.T) {
	for _, test := range []struct{ x, y []float64 }{
		{nil, nil}, {[]float64{1, 2}, []float64{1, 2}}, {[]float64{1, 2, 3}, []float64{1, 2}},
		{[]float64{1, 2, math.NaN()}, []float64{1, 2, 3}}, {[]float64{1, 2, 3}, []float64{1, math.Inf(1), 3}}, {[]float64{7, 7, 7}, []float64{1, 2, 3}},
	} {
		if got, err := FitLine(test.x, test.y); err == nil {
			t.Errorf("FitLine(%v, %v) = %+v, want an error", test.x, test.y, got)
		}
	}
}
