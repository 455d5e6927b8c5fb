package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"deletecost/runner/stat"
)

// reportCompared prints the quantiles of every arm and the ratios of the blocks' quantiles for pairs of arms.
func reportCompared(t *testing.T, arms []visited, samples [][][]float64, pairs [][2]int) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "\n%-16s %10s %10s\n", "arm", "p50, µs", "p99, µs")
	for i, arm := range arms {
		all := slices.Concat(samples[i]...)
		fmt.Fprintf(&text, "%-16s %10.1f %10.1f\n", arm.name, 1e6*stat.Quantile(all, 0.50), 1e6*stat.Quantile(all, 0.99))
	}
	fmt.Fprintf(&text, "\n%-32s %5s %7s   %s\n", "ratio, block by block", "", "median", "interval")
	for _, pair := range pairs {
		for _, q := range []float64{0.50, 0.99} {
			p, err := stat.PairedRatio(quantiles(samples[pair[0]], q), quantiles(samples[pair[1]], q), rand.New(rand.NewPCG(7, 1)))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "%-32s p%.0f   %7.3f   %.3f to %.3f, %.1f %%, %s\n", arms[pair[0]].name+" / "+arms[pair[1]].name,
				100*q, p.Ratio, p.Low, p.High, 100*p.Level, p.Method)
		}
	}
	t.Log(text.String())
}

// quantiles is a quantile of each block, in the form of a block of one sample.
func quantiles(blocks [][]float64, q float64) [][]float64 {
	var each [][]float64
	for _, block := range blocks {
		each = append(each, []float64{stat.Quantile(block, q)})
	}
	return each
}
