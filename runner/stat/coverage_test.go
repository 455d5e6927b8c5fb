package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const seed = 1234

// runs is how many simulations a cell of the table has. All of them, for docs/statistics.md, take some minutes:
//
//	DELETECOST_SIMULATIONS=2000 go test ./runner/stat -run TestCoverage -v -timeout 1h
func runs(s subject) (n int, whole bool) {
	if n, err := strconv.Atoi(os.Getenv("DELETECOST_SIMULATIONS")); err == nil && n > 0 {
		return n, true
	}
	if s.slow {
		return 4, false
	}
	return 60, false
}

// coverage is what came of one cell.
type coverage struct {
	runs, right, flagged, rightUnflagged int
}

func (c coverage) percent() float64 { return 100 * float64(c.right) / float64(c.runs) }

func cover(s subject, w world, n int, rng *rand.Rand) coverage {
	c := coverage{runs: n}
	for range n {
		right, flagged := s.try(w, rng)
		c.right += count(right)
		c.flagged += count(flagged)
		c.rightUnflagged += count(right && !flagged)
	}
	return c
}

// TestCoverage simulates every interval and verdict on every kind of data. The method promises 93 to 98 %; what it cannot hold
// is in limits, with what it does hold.
func TestCoverage(t *testing.T) {
	var table sync.Map
	t.Run("cells", func(t *testing.T) {
		for i, s := range subjects {
			for j, w := range worlds {
				t.Run(s.name+"/"+w.name, func(t *testing.T) {
					t.Parallel()
					n, _ := runs(s)
					c := cover(s, w, n, rand.New(rand.NewPCG(seed, uint64(100*i+j))))
					table.Store([2]int{i, j}, c)
					low, high := bounds(s, w)
					if c.right < least(n, low) || n-c.right < least(n, 1-high) {
						t.Errorf("right in %.1f %% of %d, want %.0f to %.0f %%", c.percent(), n, 100*low, 100*high)
					}
				})
			}
		}
	})
	if _, whole := runs(subjects[0]); whole {
		fmt.Print(markdown(&table))
	}
}

// bounds are the coverage that a cell must have.
func bounds(s subject, w world) (low, high float64) {
	low, high = 0.93, 0.98
	if s.verdict {
		low, high = 0.95, 1
	}
	if l, ok := limits[s.name][w.name]; ok {
		return l.low, l.high
	}
	return low, high
}

// least is the fewest successes of n that a true share gives in all but one of 10,000 cases.
func least(n int, share float64) int {
	if share <= 0 {
		return 0
	}
	sum := 0.0
	for k := range n {
		if sum += binomial(n, k, share); sum > 1e-4 {
			return k
		}
	}
	return n
}

// markdown is the table: a subject a row, a world a column, in per cent; where the program flags, in how many, and how many of
// the others are right.
func markdown(table *sync.Map) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, w := range worlds {
		b.WriteString(" " + w.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(worlds)) + "\n")
	for i, s := range subjects {
		if _, ran := table.Load([2]int{i, 0}); !ran {
			continue // -run left it out
		}
		b.WriteString("| " + s.name + " |")
		for j := range worlds {
			cell, _ := table.Load([2]int{i, j})
			c, _ := cell.(coverage)
			fmt.Fprintf(&b, " %.1f", c.percent())
			if share := 100 * float64(c.flagged) / float64(c.runs); share >= 10 && !s.verdict {
				fmt.Fprintf(&b, " (flagged %.0f", share)
				if c.flagged < c.runs {
					fmt.Fprintf(&b, "; others %.1f", 100*float64(c.rightUnflagged)/float64(c.runs-c.flagged))
				}
				b.WriteString(")")
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
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
