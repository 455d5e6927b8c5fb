package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

const (
	simulations = 2000
	seed        = 1234
)

func TestCoverageOfPairedRatio(t *testing.T) {
	for _, w := range worlds {
		for i, ratio := range []float64{1, 1.3} {
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				covered, resampled := 0, 0
				for range simulations {
					p := simulate(t, w, rng, 40, ratio)
					covered += count(p.Contains(ratio))
					resampled += count(p.Method == ResampledRuns)
				}
				t.Logf("%s, ratio %.1f, 40 blocks: covered in %.1f %%, runs resampled in %.1f %%", w.name, ratio, percent(covered), percent(resampled))
				if c := percent(covered); c < 93 || c > 98 {
					t.Errorf("covered in %.1f %%, want 93 to 98 %%", c)
				}
			})
		}
	}
}

// Two equal arms are called different when the interval leaves out 1 and the ratio is not nearer to 1 than the floor.
func TestCoverageOfEqualArms(t *testing.T) {
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 2))
			excluded, called := 0, 0
			for range simulations {
				floor := NoiseFloor(simulate(t, w, rng, 40, 1))
				p := simulate(t, w, rng, 40, 1)
				excluded += count(p.Different())
				called += count(p.Different() && !floor.Indistinguishable(p.Ratio))
			}
			t.Logf("%s, 40 blocks: 1 outside of the interval in %.1f %%, called different in %.1f %%", w.name, percent(excluded), percent(called))
			if percent(excluded) > 5 || percent(called) > 5 {
				t.Errorf("equal arms are told apart in %.1f %% and called different in %.1f %%, want at most 5 %%", percent(excluded), percent(called))
			}
		})
	}
}

// Twelve blocks keep the level when they are independent; they are too few to notice that they are not.
func TestCoverageOfTwelveBlocks(t *testing.T) {
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 3))
			covered, resampled := 0, 0
			for range simulations {
				p := simulate(t, w, rng, 12, 1.3)
				covered += count(p.Contains(1.3))
				resampled += count(p.Method == ResampledRuns)
			}
			t.Logf("%s, ratio 1.3, 12 blocks: covered in %.1f %%, runs resampled in %.1f %%", w.name, percent(covered), percent(resampled))
			least := 93.0
			if w.name[:2] == "AR" {
				least = 80
			}
			if c := percent(covered); c < least || c > 98 {
				t.Errorf("covered in %.1f %%, want %.0f to 98 %%", c, least)
			}
		})
	}
}

// The blocks here are slower or faster as a whole, so that the samples of one go together.
func TestCoverageOfBlockQuantileInterval(t *testing.T) {
	const runs, between = 300, 0.3
	for _, q := range []float64{0.5, 0.9, 0.99} {
		t.Run(fmt.Sprint(q), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 4))
			want := trueQuantile(between, q)
			byBlocks, byRanks := 0, 0
			for range runs {
				blocks := slowAndFast(rng, 40, 25, between)
				interval, _ := BlockQuantileInterval(blocks, q, 0.95, rng)
				byBlocks += count(interval.Contains(want))
				interval, _ = QuantileInterval(slices.Concat(blocks...), q, 0.95)
				byRanks += count(interval.Contains(want))
			}
			t.Logf("quantile %v, 40 blocks of 25: resampled blocks cover in %.1f %%, ranks as if independent in %.1f %%",
				q, 100*float64(byBlocks)/runs, 100*float64(byRanks)/runs)
			if byBlocks < runs*90/100 || byBlocks <= byRanks {
				t.Errorf("resampled blocks cover in %d of %d, ranks in %d; want 90 %% and more than ranks", byBlocks, runs, byRanks)
			}
		})
	}
}

// slowAndFast draws blocks whose samples are lognormal (σ 0.5) around a level that is lognormal itself.
func slowAndFast(rng *rand.Rand, count, size int, between float64) [][]float64 {
	blocks := make([][]float64, count)
	for k := range blocks {
		level := between * rng.NormFloat64()
		for range size {
			blocks[k] = append(blocks[k], math.Exp(level+0.5*rng.NormFloat64()))
		}
	}
	return blocks
}

// trueQuantile is that of a lognormal whose variance is that of the levels and 0.5² together.
func trueQuantile(between, q float64) float64 {
	return math.Exp(math.Hypot(0.5, between) * stats.StdNormal.InvCDF(q))
}

func simulate(t *testing.T, w world, rng *rand.Rand, blocks int, ratio float64) Paired {
	t.Helper()
	a, b := w.draw(rng, blocks, ratio)
	p, err := PairedRatio(a, b, rng)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func percent(n int) float64 { return 100 * float64(n) / simulations }
