package stat

import (
	"math"
	"slices"
	"testing"
)

func TestRepeats(t *testing.T) {
	got, err := Repeats([]float64{3, 9, 1, 5, 4})
	if err != nil {
		t.Fatal(err)
	}
	// The true median is outside of five repeats when all five fall on one side: 2/32.
	want := Interval{Low: 1, High: 9, Level: 0.9375, Method: RangeOfRepeats}
	if got.Median != 4 || got.Interval != want || !slices.Equal(got.Values, []float64{3, 9, 1, 5, 4}) {
		t.Errorf("got %+v, want the median 4 in %+v", got, want)
	}
	for _, xs := range [][]float64{nil, {1, 2, 3, 4}, {1, 2, 3, 4, math.NaN()}, {1, 2, 3, 4, math.Inf(1)}} {
		if got, err := Repeats(xs); err == nil {
			t.Errorf("Repeats(%v) = %+v, want an error", xs, got)
		}
	}
}

func TestEnough(t *testing.T) {
	if Extremes([]float64{1, 2, 3, 4}).Enough() || !Extremes([]float64{1, 2, 3, 4, 5}).Enough() || Extremes(nil).Enough() {
		t.Error("five repeats have a range, and four have not")
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want int
	}{{nil, -1}, {[]float64{4}, 0}, {[]float64{5, 3, 4}, 2}, {[]float64{5, 3}, 1}, {[]float64{9, 1, 7, 3}, 3}, {[]float64{2, 2, 2}, 1}} {
		if got := Middle(c.xs); got != c.want {
			t.Errorf("%v: %d, want %d", c.xs, got, c.want)
		}
	}
}

func TestRepeated(t *testing.T) {
	got, err := Repeated([]float64{54_000_000, 54_000_000})
	if err != nil || !got.Equal || got.Value != 54_000_000 {
		t.Errorf("two equal repeats give %+v, %v", got, err)
	}
	got, err = Repeated([]float64{54_000_000, 54_000_001, 53_999_999})
	if err != nil || got.Equal || got.Low != 53_999_999 || got.High != 54_000_001 || len(got.Values) != 3 {
		t.Errorf("three different repeats give %+v, %v", got, err)
	}
	if got, err := Repeated([]float64{1}); err == nil {
		t.Errorf("one value gives %+v, want an error", got)
	}
}
