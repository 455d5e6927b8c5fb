package stat

import (
	"math"
	"testing"
)

// norris are the (y, x) of the data set Norris of the NIST Statistical Reference Datasets, calibration of ozone monitors.
var norris = [][2]float64{
	{0.1, 0.2}, {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1}, {228.1, 226.5}, {668.5, 666.3}, {998.5, 996.3},
	{449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4}, {0.1, 0.6}, {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0},
	{448.9, 447.5}, {10.8, 11.6}, {557.7, 556.0}, {228.3, 228.1}, {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
	{0.6, 0.3}, {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0}, {10.2, 11.1}, {117.6, 118.3},
	{228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5},
}

// The certified slope of Norris and its standard error, and Student's t for 34 degrees of freedom. The values are
// divided by 10 before they become logarithms, which leaves the slope alone.
func TestLogLogSlopeOfNorris(t *testing.T) {
	const slope, standardError, t34 = 1.00211681802045, 0.429796848199937e-3, 2.032244509317719
	var x, y []float64
	for _, p := range norris {
		y, x = append(y, math.Exp(p[0]/10)), append(x, math.Exp(p[1]/10))
	}
	got, err := LogLogSlope(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if !about(got.Value, slope) || !isAround(got.Interval, slope, t34*standardError) || got.N != 36 {
		t.Errorf("got %+v, want %v ± %v from 36 points", got, slope, t34*standardError)
	}
}

func TestLogLogSlopeOfPowers(t *testing.T) {
	for _, power := range []float64{0, 1, 2, -0.5} {
		x, y := []float64{1e3, 10, 1e6, 1e4}, make([]float64, 4)
		for i := range x {
			y[i] = 3 * math.Pow(x[i], power)
		}
		got, err := LogLogSlope(x, y)
		if err != nil || !about(got.Value, power) || !isAround(got.Interval, power, 0) {
			t.Errorf("3x^%v: %+v, %v, want the slope %v", power, got, err, power)
		}
		if got.N != 4 || got.LowX != 10 || got.HighX != 1e6 {
			t.Errorf("3x^%v: %+v, want 4 points from 10 to 1e6", power, got)
		}
	}
}

func TestLogLogSlopeRefuses(t *testing.T) {
	for _, test := range []struct{ x, y []float64 }{
		{nil, nil},
		{[]float64{1, 2}, []float64{1, 2}},
		{[]float64{1, 2, 3}, []float64{1, 2}},
		{[]float64{0, 2, 3}, []float64{1, 2, 3}},
		{[]float64{1, 2, 3}, []float64{1, -2, 3}},
		{[]float64{1, 2, math.NaN()}, []float64{1, 2, 3}},
		{[]float64{1, 2, 3}, []float64{1, 2, math.Inf(1)}},
		{[]float64{7, 7, 7}, []float64{1, 2, 3}},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}},
	} {
		if got, err := LogLogSlope(test.x, test.y); err == nil {
			t.Errorf("LogLogSlope(%v, %v) = %+v, want an error", test.x, test.y, got)
		}
	}
}
