package stat

import "testing"

func TestAutocorrelation(t *testing.T) {
	// By hand: the products of neighbouring deviations over the sum of squares.
	for _, test := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, (1.5*0.5 - 0.5*0.5 + 1.5*0.5) / 5},
		{[]float64{1, -1, 1, -1}, -3.0 / 4},
		{[]float64{2, 2, 2}, 0},
		{[]float64{2}, 0},
		{nil, 0},
	} {
		if got := Autocorrelation(test.xs); !near(got, test.want) {
			t.Errorf("Autocorrelation(%v) = %v, want %v", test.xs, got, test.want)
		}
	}
}

func TestAutocorrelationLimit(t *testing.T) {
	// (-1 + 1.6449 √38)/39 and (-1 + 1.6449 √10)/11.
	for n, want := range map[int]float64{40: 0.2343476597644606, 12: 0.38195307988687033} {
		if got := AutocorrelationLimit(n); !near(got, want) {
			t.Errorf("AutocorrelationLimit(%d) = %v, want %v", n, got, want)
		}
	}
}

func TestNormalScores(t *testing.T) {
	// Of four ranks: the normal quantiles at 1/8, 1/2 twice (two equal values in the middle) and 7/8.
	got := normalScores([]float64{1000, 2, 1, 2})
	for i, want := range []float64{1.1503493803760079, 0, -1.1503493803760079, 0} {
		if !near(got[i], want) {
			t.Errorf("score %d is %v, want %v", i, got[i], want)
		}
	}
}
