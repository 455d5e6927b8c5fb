package stat

import (
	"math"
	"math/rand/v2"
)

// reachOfRuns is how far from the median of xs its interval reaches, to either side, when neighbouring values have the
// lag-1 autocorrelation rho: runs of neighbours, wrapping around at the end, are drawn until there are as many values
// as before (the circular block bootstrap of Politis and Romano, 1992).
//
// Three things keep it from being too short on 40 values. The percentiles are as far out as Student's t over the number
// of runs asks for; the farther of the two ends is taken for both, since the draws are skewed away from the tail that
// a skewed sample hides; and the reach is stretched by what short runs cannot see.
func reachOfRuns(xs []float64, length int, rho float64, rng *rand.Rand) float64 {
	singles := make([][]float64, len(xs))
	for i := range xs {
		singles[i] = xs[i : i+1]
	}
	pool := newPool(singles)
	draws := make([]float64, resamples)
	times := make([]int, len(xs))
	for i := range draws {
		clear(times)
		drawRuns(times, length, rng)
		draws[i] = pool.quantile(times, 0.5)
	}
	low, high := percentiles(draws, len(xs)/length, level)
	middle := Median(xs)
	return math.Max(high-middle, middle-low) * stretch(rho, length)
}

// drawRuns counts into times how often each value is drawn; the last run is cut to end at the number of values.
func drawRuns(times []int, length int, rng *rand.Rand) {
	for drawn := 0; drawn < len(times); drawn += length {
		start := rng.IntN(len(times))
		for k := range min(length, len(times)-drawn) {
			times[(start+k)%len(times)]++
		}
	}
}

// runLength is the number of neighbouring values that are drawn together: the length that estimates a variance best for
// n values of which each depends on the one before, (6n)^(1/3) (ρ/(1-ρ²))^(2/3) (Carlstein 1986), from 2 to a quarter of
// n, so that four runs remain.
func runLength(n int, rho float64) int {
	best := math.Cbrt(6 * float64(n) * math.Pow(rho/(1-rho*rho), 2))
	return min(max(int(math.Ceil(best)), 2), max(n/4, 2))
}

// stretch is the factor by which runs of this length make a standard error too small. Correlation between values of two
// runs is lost, so at lag h only 1 - h/length of it is seen (Künsch 1989).
func stretch(rho float64, length int) float64 {
	seen := 1.0
	for h := 1; h < length; h++ {
		seen += 2 * (1 - float64(h)/float64(length)) * math.Pow(rho, float64(h))
	}
	whole := (1 + rho) / (1 - rho)
	return math.Sqrt(whole / seen)
}
