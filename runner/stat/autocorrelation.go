package stat

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Autocorrelation is the lag-1 autocorrelation of xs, -1 to 1: how much a value follows the one before it. It is 0
// when all values are equal or there are fewer than two.
func Autocorrelation(xs []float64) float64 {
	mean := stats.Mean(xs)
	var product, square float64
	for i, x := range xs {
		square += (x - mean) * (x - mean)
		if i > 0 {
			product += (x - mean) * (xs[i-1] - mean)
		}
	}
	if len(xs) < 2 || square == 0 {
		return 0
	}
	return product / square
}

// AutocorrelationLimit is what the lag-1 autocorrelation of n independent values exceeds in one case of 20: Anderson's
// one-sided limit (-1 + 1.645 √(n-2)) / (n-1), "Distribution of the serial correlation coefficient" (1942). It is
// one-sided because only blocks that follow each other make an interval too narrow. n is at least 3.
func AutocorrelationLimit(n int) float64 { return autocorrelationLimit(n, upper5) }

// The normal quantiles at 95 % and 80 %.
const (
	upper5  = 1.6448536269514722
	upper20 = 0.8416212335729143
)

// autocorrelationLimit is Anderson's limit at the normal quantile z.
func autocorrelationLimit(n int, z float64) float64 {
	return (-1 + z*math.Sqrt(float64(n-2))) / float64(n-1)
}

// normalScores replaces each value by the normal quantile of its rank, equal values by that of their middle rank.
func normalScores(xs []float64) []float64 {
	sorted := slices.Sorted(slices.Values(xs))
	scores := make([]float64, len(xs))
	for i, x := range xs {
		below, _ := slices.BinarySearch(sorted, x)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		scores[i] = stats.StdNormal.InvCDF(float64(below+upTo) / 2 / float64(len(xs)))
	}
	return scores
}

// unbiased corrects the lag-1 autocorrelation of n values, which comes out too low by (1+3ρ)/n (Kendall 1954; Marriott
// and Pope 1954). It stays below 0.9, since few values cannot tell more from a drift.
func unbiased(autocorrelation float64, n int) float64 {
	return math.Min(autocorrelation+(1+3*autocorrelation)/float64(n), 0.9)
}
