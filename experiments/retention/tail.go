package retention

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var tooFew = runner.NA{Reason: "too few inserts in this phase for an interval"}

// A tail is the p99 of one phase and its ratio to that of another, with why
// their intervals may be too narrow.
type tail struct {
	p99, ratio     any
	low, high      any // of the p99
	rLow, rHigh    any // of the ratio
	floor          any // of the ratio, and whether it is told from 1
	apart          any
	itself         stat.Interval // of the ratio, where there is one
	narrow, shorts []string
}

// latencyRowsOf writes the phases of a run down, the one before first, since it
// has the floor of the others, and warns once of intervals that may be narrow.
func (b *bench) latencyRowsOf(r *retired, sorted map[string][]sample, rows map[string]int) {
	alone := seconds(sorted[before])
	floor := math.NaN()
	var narrow []string
	for _, phase := range phases {
		xs := alone
		if phase != before {
			xs = seconds(sorted[phase])
		}
		if len(xs) == 0 {
			continue
		}
		t := b.tailOf(r.name+phase, xs)
		if phase == before {
			floor = b.halves(&t, r.name, alone)
		} else {
			b.against(&t, r.name+phase, xs, alone, floor)
		}
		for _, what := range t.shorts {
			narrow = append(narrow, what+" "+phase)
		}
		rows[phase] = b.latencyRows.Add(r.name, r.rows, r.loop, phase, len(xs), stat.Median(xs), t.p99, t.low, t.high, slices.Max(xs),
			t.ratio, t.rLow, t.rHigh, t.floor, t.apart, t.why())
	}
	if len(narrow) > 0 {
		b.out.Warn("%s: intervals of the inserts' p99 may be too narrow, as may_be_narrow in writers.csv tells for each: %s", r.name, strings.Join(narrow, ", "))
	}
}

// tailOf is the p99 of a phase.
func (b *bench) tailOf(name string, xs []float64) tail {
	t := tail{p99: stat.Quantile(xs, 0.99), low: tooFew, high: tooFew}
	if i, ok := stat.BlockQuantileInterval(stat.Cut(xs, phaseSlices), 0.99, 0.95, b.lab.Rand("p99/"+name)); ok {
		t.low, t.high = i.Low, i.High
		t.note("p99", i)
	}
	return t
}

// halves compares the second half of the time before with the first, and
// returns the floor of the ratios; NaN where there are too few inserts.
func (b *bench) halves(t *tail, name string, alone []float64) float64 {
	none := runner.NA{Reason: "a floor has none of its own"}
	b.compare(t, "p99 halves/"+name, alone[len(alone)/2:], alone[:len(alone)/2])
	if t.floor, t.apart = none, none; t.itself.Method == "" {
		return math.NaN()
	}
	return stat.FloorOf(t.itself)
}

// against compares a phase with the one before.
func (b *bench) against(t *tail, name string, xs, alone []float64, floor float64) {
	b.compare(t, "p99 ratio/"+name, xs, alone)
	t.floor, t.apart = tooFew, tooFew
	if math.IsNaN(floor) {
		return
	}
	t.floor = floor
	if ratio, ok := t.ratio.(float64); ok && t.itself.Method != "" {
		t.apart = stat.ToldApart(t.itself, ratio, floor)
	}
}

// compare takes the ratio of two p99s with its interval.
func (b *bench) compare(t *tail, purpose string, of, alone []float64) {
	ratio, i, ok := stat.BlockQuantileRatio(stat.Cut(of, phaseSlices), stat.Cut(alone, phaseSlices), 0.99, 0.95, b.lab.Rand(purpose))
	t.ratio, t.rLow, t.rHigh = ratio, tooFew, tooFew
	if math.IsNaN(ratio) {
		t.ratio = tooFew
	}
	if ok {
		t.rLow, t.rHigh, t.itself = i.Low, i.High, i
		t.note("ratio", i)
	}
}

// note keeps the warning of an interval.
func (t *tail) note(what string, i stat.Interval) {
	if i.Warning != "" {
		t.narrow, t.shorts = append(t.narrow, fmt.Sprintf("%s: %s", what, i.Warning)), append(t.shorts, what)
	}
}

// why is what the table tells of narrow intervals.
func (t *tail) why() string {
	if len(t.narrow) == 0 {
		return "no"
	}
	return strings.Join(t.narrow, "; ")
}
