package stat

import (
	"fmt"
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// NegativeHypergeometric is the distribution of the removed rows that a scan passes before it has found enough survivors, when
// the rows to remove were drawn uniformly from a batch: negative hypergeometric. It is what one draw of "Rows Removed
// by Filter" is held against.
type NegativeHypergeometric struct {
	// Rows is the size of the batch.
	Rows int
	// Removed is how many of the batch were removed.
	Removed int
	// Survivors is how many survivors the scan looks for (its LIMIT), at least 1.
	Survivors int
}

// Valid is an error unless the batch holds enough survivors for the scan and no number is out of its range.
func (d NegativeHypergeometric) Valid() error {
	if d.Removed < 0 || d.Survivors < 1 || d.Rows-d.Removed < d.Survivors {
		return fmt.Errorf("scanning %d rows of which %d are removed for %d survivors: there must be that many, at least 1", d.Rows, d.Removed, d.Survivors)
	}
	return nil
}

// Mean is the expected number of removed rows that are passed: each of them lies before the r-th of s survivors with
// probability r/(s+1).
func (d NegativeHypergeometric) Mean() float64 {
	return float64(d.Survivors) * float64(d.Removed) / float64(d.Rows-d.Removed+1)
}

// probability of passing exactly x removed rows: the orders that have the last survivor looked for at place
// x + Survivors, over all orders.
func (d NegativeHypergeometric) probability(x int) float64 {
	kept := d.Rows - d.Removed
	return math.Exp(mathx.Lchoose(x+d.Survivors-1, x) +
		mathx.Lchoose(d.Rows-x-d.Survivors, d.Removed-x) - mathx.Lchoose(d.Rows, kept))
}

// CDF is the probability of passing at most x removed rows.
func (d NegativeHypergeometric) CDF(x int) float64 {
	sum := 0.0
	for k := 0; k <= min(x, d.Removed); k++ {
		sum += d.probability(k)
	}
	return math.Min(sum, 1)
}

// Quantile is the least number of removed rows that the scan stays at or below with probability p, 0 to 1.
func (d NegativeHypergeometric) Quantile(p float64) int {
	sum := 0.0
	for x := 0; x < d.Removed; x++ {
		if sum += d.probability(x); sum >= p {
			return x
		}
	}
	return d.Removed
}
