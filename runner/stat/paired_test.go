package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// blocksOf makes a block of one sample of each value.
func blocksOf(values ...float64) [][]float64 {
	blocks := make([][]float64, len(values))
	for k, v := range values {
		blocks[k] = []float64{v}
	}
	return blocks
}

// ones makes n blocks of one sample, 1 each.
func ones(n int) [][]float64 {
	blocks := make([][]float64, n)
	for k := range blocks {
		blocks[k] = []float64{1}
	}
	return blocks
}

func TestPairedRatio(t *testing.T) {
	// Ratios 1 to 12 in an order without a trend: the median is 6.5, ranks 3 and 10 are 3 and 10.
	a := blocksOf(7, 2, 11, 1, 9, 4, 12, 3, 8, 5, 10, 6)
	a[0] = []float64{7, 700, 1} // the median of the block counts
	p, err := PairedRatio(a, ones(12), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Ratio != 6.5 || p.Low != 3 || p.High != 10 || p.Method != OrderStatistics || !near(p.Level, 0.96142578125) {
		t.Errorf("ratio %v in %+v, want 6.5 in 3 to 10 with 96.1 %%", p.Ratio, p.Interval)
	}
	if p.Blocks != 12 || p.Ratios[0] != 7 || p.Ratios[11] != 6 || !p.Different() || len(p.Warnings) != 0 {
		t.Errorf("got %+v, want 12 ratios in their order, different, no warning", p)
	}
}

// A slow wave through the blocks: neighbours are alike, so runs are resampled, and the same seed gives the same.
func TestPairedRatioOfWave(t *testing.T) {
	a := ones(40)
	for k := range a {
		a[k][0] = math.Exp(0.1 * math.Sin(float64(k)/3))
	}
	first, err := PairedRatio(a, ones(40), rand.New(rand.NewPCG(seed, 7)))
	if err != nil {
		t.Fatal(err)
	}
	second, _ := PairedRatio(a, ones(40), rand.New(rand.NewPCG(seed, 7)))
	if first.Interval != second.Interval {
		t.Errorf("one seed gave %+v and %+v", first.Interval, second.Interval)
	}
	if first.Method != ResampledRuns || first.Autocorrelation < 0.8 || len(first.Warnings) != 2 || !strings.Contains(first.Warnings[0], "resampling runs") || !strings.Contains(first.Warnings[1], "too strongly for 40 of them") {
		t.Errorf("got %+v, want resampled runs, and a warning of them and of how few they are", first)
	}
	plain, _ := QuantileInterval(first.Ratios, 0.5, 0.95)
	if first.High/first.Low <= plain.High/plain.Low {
		t.Errorf("resampled %+v is not wider than ranks %+v", first.Interval, plain)
	}
}

// Swapping the arms turns the ratio and its interval over.
func TestPairedRatioSwapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 8))
	a, b := worlds[1].draw(rng, 41, 10, 1.3)
	ab, _ := PairedRatio(a, b, rng)
	ba, _ := PairedRatio(b, a, rng)
	if !near(ab.Ratio, 1/ba.Ratio) || !near(ab.Low, 1/ba.High) || !near(ab.High, 1/ba.Low) {
		t.Errorf("a/b is %v in %+v, b/a is %v in %+v", ab.Ratio, ab.Interval, ba.Ratio, ba.Interval)
	}
}

func TestPairedRatioRefuses(t *testing.T) {
	spoiled := func(block ...float64) [][]float64 {
		blocks := ones(12)
		blocks[5] = block
		return blocks
	}
	for _, test := range []struct {
		name, says string
		a, b       [][]float64
	}{
		{"different numbers of blocks", "12 and 13", ones(12), ones(13)},
		{"no blocks", "0 and 0", nil, nil},
		{"too few blocks", "at least 12", ones(11), ones(11)},
		{"an empty block", "block 5: the first arm has no sample", spoiled(), ones(12)},
		{"an empty block of the second arm", "block 5: the second arm", ones(12), spoiled()},
		{"a zero", "sample 0 of the first", spoiled(1, 0, 2), ones(12)},
		{"a negative", "sample -1", spoiled(-1), ones(12)},
		{"not a number", "NaN", spoiled(1, 2, math.NaN()), ones(12)},
		{"infinite", "+Inf", ones(12), spoiled(math.Inf(1))},
	} {
		if _, err := PairedRatio(test.a, test.b, nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.says)
		}
	}
}
