package stat

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestRanks(t *testing.T) {
	// The coverages are binomial sums in integer arithmetic.
	for _, test := range []struct {
		n        int
		q        float64
		lo, hi   int
		coverage float64
	}{
		{40, 0.5, 14, 27, 0.9615226917157997},
		{12, 0.5, 3, 10, 0.96142578125},
		{1000, 0.99, 984, 997, 0.9635363098183777},
		{6, 0.5, 1, 6, 0.96875},
		// 4 to 10 cover 90.8 %, then 3 and 11 are equally good and 3 to 10 or 4 to 11 would do for 94 %.
		{13, 0.5, 3, 11, 0.9775390625},
	} {
		lo, hi, coverage, ok := Ranks(test.n, test.q, 0.95)
		if lo != test.lo || hi != test.hi || !ok || !near(coverage, test.coverage) {
			t.Errorf("Ranks(%d, %v, 0.95) = %d, %d, %v, %v, want %d, %d, %v", test.n, test.q, lo, hi, coverage, ok, test.lo, test.hi, test.coverage)
		}
	}
}

func TestRanksOfTooFew(t *testing.T) {
	for _, test := range []struct {
		n        int
		q, level float64
	}{
		{0, 0.5, 0.95}, {1, 0.5, 0.95}, {5, 0.5, 0.95}, // 5: at most 1 - 2/32 = 93.75 %
		{298, 0.99, 0.95}, // 1 - 0.99^298 = 94.998 %
		{40, 0, 0.95}, {40, 1, 0.95}, {40, 0.5, 0}, {40, 0.5, 1}, {40, math.NaN(), 0.95},
	} {
		if lo, hi, _, ok := Ranks(test.n, test.q, test.level); ok {
			t.Errorf("Ranks(%d, %v, %v) gives %d and %d, want none", test.n, test.q, test.level, lo, hi)
		}
	}
	if _, hi, _, ok := Ranks(299, 0.99, 0.95); !ok || hi != 299 {
		t.Errorf("299 samples are enough for a p99 with the largest as its upper end, got rank %d, %v", hi, ok)
	}
}

// Also at sizes where binomial coefficients overflow: the coverage is the exact one, and no shorter span has the level.
func TestRanksAreShortest(t *testing.T) {
	for _, n := range []int{57, 300, 2000} {
		for _, q := range []*big.Rat{big.NewRat(1, 2), big.NewRat(9, 10)} {
			value, _ := q.Float64()
			lo, hi, coverage, ok := Ranks(n, value, 0.95)
			if !ok {
				t.Fatalf("n %d, q %v: no ranks", n, value)
			}
			below := cumulative(n, q)
			if exact := below[hi] - below[lo]; math.Abs(coverage-exact) > 1e-9 {
				t.Errorf("n %d, q %v: ranks %d and %d cover %v, said is %v", n, value, lo, hi, exact, coverage)
			}
			shorter := hi - lo - 1
			if value == 0.5 {
				shorter-- // the median takes both of two equal spans
			}
			for first := 1; first+shorter <= n; first++ {
				if c := below[first+shorter] - below[first]; c >= 0.95 {
					t.Errorf("n %d, q %v: ranks %d and %d cover %v and are nearer than %d and %d", n, value, first, first+shorter, c, lo, hi)
				}
			}
		}
	}
}

// cumulative gives the probabilities that fewer than k of n samples lie below the quantile, for k from 0 to n+1.
func cumulative(n int, q *big.Rat) []float64 {
	above := new(big.Int).Sub(q.Denom(), q.Num())
	whole := new(big.Int).Exp(q.Denom(), big.NewInt(int64(n)), nil)
	sum, below := new(big.Int), make([]float64, n+2)
	for k := 0; k <= n; k++ {
		term := new(big.Int).Binomial(int64(n), int64(k))
		term.Mul(term, new(big.Int).Exp(q.Num(), big.NewInt(int64(k)), nil))
		sum.Add(sum, term.Mul(term, new(big.Int).Exp(above, big.NewInt(int64(n-k)), nil)))
		below[k+1], _ = new(big.Rat).SetFrac(sum, whole).Float64()
	}
	return below
}

func TestQuantileInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 5))
	xs := make([]float64, 1000)
	for i, place := range rng.Perm(1000) {
		xs[place] = float64(i + 1)
	}
	got, ok := QuantileInterval(xs, 0.99, 0.95)
	if !ok || got.Low != 984 || got.High != 997 || got.Method != OrderStatistics || !near(got.Level, 0.9635363098183777) {
		t.Errorf("the p99 of 1 to 1,000 is in %+v, want 984 to 997", got)
	}
	if got, ok := QuantileInterval(xs, 0.999, 0.95); ok {
		t.Errorf("the p99.9 of 1,000 samples is in %+v, want none below 10,000", got)
	}
}

func TestBlockQuantileIntervalRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 6))
	blocks := slowAndFast(rng, 12, 25, 0.3)
	if got, ok := BlockQuantileInterval(blocks, 0.5, 0.95, rng); !ok || got.Method != ResampledBlocks || !(got.Low < got.High) {
		t.Errorf("12 blocks give %+v, %v, want an interval", got, ok)
	}
	if _, ok := BlockQuantileInterval(blocks[:11], 0.5, 0.95, rng); ok {
		t.Error("11 blocks give an interval, want none")
	}
	if _, ok := BlockQuantileInterval(blocks, 0.999, 0.95, rng); ok {
		t.Error("300 samples give a p99.9, want none")
	}
	blocks[3] = nil
	if _, ok := BlockQuantileInterval(blocks, 0.5, 0.95, rng); ok {
		t.Error("an empty block gives an interval, want none")
	}
}
