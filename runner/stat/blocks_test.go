package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCut(t *testing.T) {
	got := Cut([]float64{1, 2, 3, 4, 5, 6, 7}, 3)
	if len(got) != 3 || !slices.Equal(got[0], []float64{1, 2}) || !slices.Equal(got[1], []float64{3, 4}) || !slices.Equal(got[2], []float64{5, 6, 7}) {
		t.Errorf("7 in 3 are %v", got)
	}
}

func TestOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 31))
	// The medians are 1 to 12, in an order that does not depend on itself; ranks 3 and 10 of them.
	twelve := blocksOf(7, 2, 11, 5, 9, 1, 12, 4, 8, 3, 10, 6)
	twelve[0] = []float64{100, 7, 1}
	got, err := OfBlocks(twelve, rng)
	if err != nil || got.Median != 6.5 || got.Low != 3 || got.High != 10 || got.Method != OrderStatistics {
		t.Errorf("12 blocks give %+v, %v, want 6.5 in 3 to 10 by order statistics", got, err)
	}
	got, err = OfBlocks(twelve[:5], rng)
	if err != nil || got.Median != 7 || got.Low != 2 || got.High != 11 || got.Method != RangeOfRepeats {
		t.Errorf("5 blocks give %+v, %v, want 7 in 2 to 11 by their range", got, err)
	}
	if got, err := OfBlocks(twelve[:4], rng); err == nil {
		t.Errorf("4 blocks give %+v, want an error", got)
	}
	wave := make([][]float64, 40)
	for k := range wave {
		wave[k] = []float64{math.Exp(0.1 * math.Sin(float64(k)/3))}
	}
	plain, _ := QuantileInterval(Medians(wave), 0.5, level)
	if got, err := OfBlocks(wave, rng); err != nil || got.Method != ResampledRuns || got.High/got.Low <= plain.High/plain.Low || got.Warning == "" {
		t.Errorf("a wave gives %+v, %v, want resampled runs, wider than %+v, and a warning", got, err, plain)
	}
}

func TestRatioOfTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 32))
	got, err := RatioOfTurns(blocksOf(2, 3, 4, 5, 12), blocksOf(1, 1, 2, 5, 4), rng)
	if err != nil || got.Ratio != 2 || got.Low != 1 || got.High != 3 || got.Method != RangeOfRepeats {
		t.Errorf("ratios of 2, 3, 2, 1 and 3 give %+v, %v, want 2 in 1 to 3", got, err)
	}
	if got, err := RatioOfTurns(ones(12), ones(12), rng); err != nil || got.Method != OrderStatistics {
		t.Errorf("12 blocks give %+v, %v, want order statistics", got, err)
	}
	if got, err := RatioOfTurns(ones(4), ones(4), rng); err == nil {
		t.Errorf("4 blocks give %+v, want an error", got)
	}
}

func TestPairedDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 33))
	// The differences are 1 to 12 ms: ranks 3 and 10 of them. All of the first arm have the median 6.5, of the second 0.
	a := blocksOf(7, 2, 11, 5, 9, 1, 12, 4, 8, 3, 10, 6)
	b := blocksOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	got, err := PairedDifference(a, b, rng)
	if err != nil || !near(got.Value, 6.5) || !near(got.Low, 3) || !near(got.High, 10) {
		t.Errorf("got %+v, %v, want 6.5 in 3 to 10", got, err)
	}
	back, err := PairedDifference(b, a, rng)
	if err != nil || !near(back.Value, -6.5) || !near(back.Low, -10) || !near(back.High, -3) {
		t.Errorf("the other way round it is %+v, %v, want -6.5 in -10 to -3", back, err)
	}
}

func TestSpreads(t *testing.T) {
	a := Spread{Median: 10, Interval: Interval{Low: 8, High: 12}}
	b := Spread{Median: 4, Interval: Interval{Low: 2, High: 5}}
	for _, test := range []struct {
		name             string
		got              Spread
		value, low, high float64
	}{
		{"less", a.Less(b), 6, 3, 10}, {"times", a.Times(0.5), 5, 4, 6},
		{"of one", Extremes([]float64{3}), 3, 3, 3}, {"of three", Extremes([]float64{3, 9, 1}), 3, 1, 9},
	} {
		if g := test.got; !near(g.Median, test.value) || !near(g.Low, test.low) || !near(g.High, test.high) {
			t.Errorf("%s: %+v, want %v in %v to %v", test.name, g, test.value, test.low, test.high)
		}
	}
	if got := Extremes(nil); !math.IsNaN(got.Median) || !math.IsNaN(got.Low) {
		t.Errorf("nothing gives %+v, want NaN", got)
	}
}

func TestToldApart(t *testing.T) {
	for _, test := range []struct {
		low, ratio, high, floor float64
		want                    bool
	}{
		{1.1, 1.2, 1.3, 1.05, true},
		{0.9, 1.2, 1.3, 1.05, false}, // 1 is inside
		{1.1, 1.2, 1.3, 1.25, false}, // nearer than the floor
		{0.7, 0.75, 0.8, 1.25, true},
		{0.7, 0.85, 0.9, 1.25, false}, // 1/0.85 is 1.18
	} {
		if got := ToldApart(Interval{Low: test.low, High: test.high}, test.ratio, test.floor); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	if !ToldFrom0(Interval{Low: 1, High: 3}, 2, 1.5) || ToldFrom0(Interval{Low: 1, High: 3}, 2, 2.5) || ToldFrom0(Interval{Low: -3, High: 1}, -2, 0.5) {
		t.Error("a difference of 2 in 1 to 3 is told from 0 with a floor of 1.5, not with 2.5; one of -2 in -3 to 1 is not")
	}
}
