package stat

import (
	"cmp"
	"math"
	"slices"
)

// pool holds the samples of all blocks, sorted once, so that a draw is counted and not sorted again.
type pool struct {
	values []pooled
	sizes  []int
}

// pooled is a sample and the index of its block.
type pooled struct {
	value float64
	block int
}

func newPool(blocks [][]float64) pool {
	p := pool{sizes: make([]int, len(blocks))}
	for k, block := range blocks {
		p.sizes[k] = len(block)
		for _, x := range block {
			p.values = append(p.values, pooled{x, k})
		}
	}
	slices.SortFunc(p.values, func(a, b pooled) int { return cmp.Compare(a.value, b.value) })
	return p
}

// quantile is Quantile over the samples with each block taken as often as times says.
func (p pool) quantile(times []int, q float64) float64 {
	n := 0
	for k, t := range times {
		n += t * p.sizes[k]
	}
	rank, part := math.Modf(1.0/3 + q*(float64(n)+1.0/3))
	lower, upper := min(max(int(rank), 1), n), min(max(int(rank)+1, 1), n)
	if 2*lower > n {
		return p.fromAbove(times, n, lower, upper, part)
	}
	seen, low := 0, math.NaN()
	for _, v := range p.values {
		seen += times[v.block]
		if math.IsNaN(low) && seen >= lower {
			low = v.value
		}
		if seen >= upper {
			return low + part*(v.value-low)
		}
	}
	return math.NaN()
}

// fromAbove is the rest of quantile for a rank in the upper half: a p99 is near
// the end.
func (p pool) fromAbove(times []int, n, lower, upper int, part float64) float64 {
	left, high := n, math.NaN()
	for _, v := range slices.Backward(p.values) {
		left -= times[v.block]
		if math.IsNaN(high) && left < upper {
			high = v.value
		}
		if left < lower {
			return v.value + part*(high-v.value)
		}
	}
	return math.NaN()
}
