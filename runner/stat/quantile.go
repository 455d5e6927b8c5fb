package stat

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// Quantile is the q-th quantile of xs, q from 0 to 1, in the unit of xs. It is definition 8 of Hyndman and Fan, "Sample
// quantiles in statistical packages" (1996): linear between order statistics, about median-unbiased whatever the
// distribution. xs need not be sorted and is left as it is. It is NaN for an empty xs.
func Quantile(xs []float64, q float64) float64 {
	return stats.Sample{Xs: xs}.Quantile(q)
}

// Median is the quantile at one half: the middle sample, or the mean of the two middle ones.
func Median(xs []float64) float64 {
	return Quantile(xs, 0.5)
}

// Mean is the sum over the number, in the unit of xs; NaN for an empty xs. It is shown beside quantiles and compared with
// nothing, since one slow sample can move it as far as it likes.
func Mean(xs []float64) float64 { return stats.Mean(xs) }

// expectedBeyond is the number of samples that must be expected beyond a quantile further out than p99.
const expectedBeyond = 10

// Shown says whether the q-th quantile of n samples may be shown at all. Further out than p99 (or p1) ten samples must
// be expected beyond it, which asks for n = 10,000 at p99.9. Up to p99 any sample will do, and the width of the
// interval says how much the figure is worth.
func Shown(q float64, n int) bool {
	if n < 1 || q < 0 || q > 1 || math.IsNaN(q) {
		return false
	}
	tail := math.Min(q, 1-q)
	// 1-0.99 is a little over 0.01 in binary, and 1-0.999 times 10,000 need not be 10 to the last bit.
	const rounding = 1e-9
	return tail >= 0.01-rounding || tail*float64(n) >= expectedBeyond-rounding
}
