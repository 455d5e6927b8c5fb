package stat

import (
	"math"
	"testing"
)

// 8 times the time for 4 times the rows is a power of 1.5; 2 and 32 times are powers of 0.5 and 2.5.
func TestSlopeOfRatio(t *testing.T) {
	s, err := SlopeOfRatio(8, Interval{Low: 2, High: 32, Level: 0.961, Method: OrderStatistics, Warning: "narrow"}, 4)
	if err != nil || !near(s.Value, 1.5) || !near(s.Low, 0.5) || !near(s.High, 2.5) {
		t.Errorf("got %+v, %v, want 1.5 in 0.5 to 2.5", s, err)
	}
	if s.Level != 0.961 || s.Method != OrderStatistics || s.Warning != "narrow" {
		t.Errorf("%+v: level, method and warning are not those of the ratio", s.Interval)
	}
	for _, wrong := range [][4]float64{{2, 1, 3, 1}, {2, 1, 3, 0.5}, {0, 0, 1, 2}, {2, 0, 3, 2}, {2, 1, math.Inf(1), 2}, {2, 1, 3, math.NaN()}} {
		if s, err := SlopeOfRatio(wrong[0], Interval{Low: wrong[1], High: wrong[2]}, wrong[3]); err == nil {
			t.Errorf("%v gives %+v, want an error", wrong, s)
		}
	}
}

// A slope of 2 makes 9 of three times x, and a third of the rate; ends of 1 and 3 make 3 and 27, and rates of a ninth and 1.
func TestGrown(t *testing.T) {
	s := Slope{Value: 2, Interval: Interval{Low: 1, High: 3}}
	for name, c := range map[string]struct{ got, want Figure }{
		"grown": {s.Grown(3), Figure{9, 3, 27}},
		"rate":  {s.RateGrown(3), Figure{1.0 / 3, 1.0 / 9, 1}},
	} {
		if !near(c.got.Value, c.want.Value) || !near(c.got.Low, c.want.Low) || !near(c.got.High, c.want.High) {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

// Through (2, 7) and (4, 11) goes 3 + 2x.
func TestLineThrough(t *testing.T) {
	if fixed, slope, ok := LineThrough(2, 7, 4, 11); !ok || !near(fixed, 3) || !near(slope, 2) {
		t.Errorf("%v + %v x, %v, want 3 + 2x", fixed, slope, ok)
	}
	if _, _, ok := LineThrough(2, 7, 2, 11); ok {
		t.Error("there is a line through two points above each other")
	}
}
