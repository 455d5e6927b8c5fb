package stat

import "testing"

func TestNegativeHypergeometric(t *testing.T) {
	// Quantiles and probabilities by binomial coefficients in integer arithmetic; the means are r K/(N-K+1).
	for _, test := range []struct {
		d                 NegativeHypergeometric
		mean              float64
		low, median, high int
		at                int
		cdf               float64
	}{
		{NegativeHypergeometric{Rows: 5000, Removed: 4900, Survivors: 50}, 2425.742574257426, 1947, 2426, 2905, 1948, 0.02538985614075624},
		{NegativeHypergeometric{Rows: 5000, Removed: 4000, Survivors: 50}, 199.8001998001998, 143, 198, 264, 227, 0.818498087947663},
		// Two of three rows removed: the survivor is first, second or third, one in three each.
		{NegativeHypergeometric{Rows: 3, Removed: 2, Survivors: 1}, 1, 0, 1, 2, 1, 2.0 / 3},
		{NegativeHypergeometric{Rows: 60, Removed: 0, Survivors: 50}, 0, 0, 0, 0, 0, 1},
	} {
		if err := test.d.Valid(); err != nil {
			t.Error(err)
		}
		if got := test.d.Mean(); !near(got, test.mean) {
			t.Errorf("%+v: mean %v, want %v", test.d, got, test.mean)
		}
		low, median, high := test.d.Quantile(0.025), test.d.Quantile(0.5), test.d.Quantile(0.975)
		if low != test.low || median != test.median || high != test.high {
			t.Errorf("%+v: quantiles %d, %d, %d, want %d, %d, %d", test.d, low, median, high, test.low, test.median, test.high)
		}
		if got := test.d.CDF(test.at); !near(got, test.cdf) {
			t.Errorf("%+v: at most %d with probability %v, want %v", test.d, test.at, got, test.cdf)
		}
		if below, all := test.d.CDF(-1), test.d.CDF(test.d.Rows); below != 0 || !near(all, 1) {
			t.Errorf("%+v: probabilities sum from %v to %v, want 0 and 1", test.d, below, all)
		}
	}
}

func TestNegativeHypergeometricRefuses(t *testing.T) {
	for _, d := range []NegativeHypergeometric{
		{Rows: 5000, Removed: 4900, Survivors: 101},
		{Rows: 5000, Removed: 4900, Survivors: 0},
		{Rows: 5000, Removed: -1, Survivors: 50},
		{Rows: 10, Removed: 11, Survivors: 1},
	} {
		if d.Valid() == nil {
			t.Errorf("%+v is taken for valid", d)
		}
	}
}
