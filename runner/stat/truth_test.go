package stat

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// truth is what the intervals of a world are to hold, from so many samples that its own error does not count.
type truth struct {
	of     [2]map[float64]float64 // quantiles of either arm's samples
	middle float64                // median of the medians of the first arm's blocks
	five   float64                // mean of medians of 5 samples of the first arm
}

var (
	truths   = map[string]truth{}
	guarding sync.Mutex
)

func truthsOf(w world) truth {
	guarding.Lock()
	defer guarding.Unlock()
	t, known := truths[w.name]
	if !known {
		t = w.truth(rand.New(rand.NewPCG(seed, 99)))
		truths[w.name] = t
	}
	return t
}

func (w world) truth(rng *rand.Rand) truth {
	var t truth
	var all [2][]float64
	var medians []float64
	const runs = 1000 // as many blocks as a run has, so that a drift is the same in all
	for range runs {
		a, b := w.draw(rng, 40, size, 1)
		medians = append(medians, Medians(a)...)
		for k := range a {
			t.five += Median(a[k][:5]) / (40 * runs)
			all[0], all[1] = append(all[0], a[k][:4]...), append(all[1], b[k][:4]...)
		}
	}
	for i, xs := range all {
		slices.Sort(xs)
		t.of[i] = map[float64]float64{}
		for _, q := range []float64{0.5, 0.95, 0.99} {
			t.of[i][q] = Quantile(xs, q)
		}
	}
	t.middle = Median(medians)
	return t
}
