package report

import (
	"fmt"
	"math"
	"strconv"

	"deletecost/runner"
)

// forest is a plot of ratios with their intervals along one logarithmic axis,
// a strip for each figure. It is drawn without ECharts: places are percentages
// of the width, so that it fits any screen.
type forest struct {
	Anchor, Title, HowToRead string
	Heads                    []groupHead // of the groups that are drawn
	Ticks                    []tick
	Strips                   []strip
	Note                     string
}

// tick is a labelled place of the axis; One is the ratio 1.
type tick struct {
	At, Text string
	One      bool
}

// strip is one figure.
type strip struct {
	ID, Anchor, Label, Told string
	Height                  int // pixels
	Dots                    []dot
}

// dot is a ratio with its interval, and those of the single runs.
type dot struct {
	Mark          mark
	At, Low, High string // percentages of the width
	HasInterval   bool
	Runs          []string
	Y             int // pixels
}

// ratio is a dot before its place is known.
type ratio struct {
	group            int
	value, low, high float64
	interval         bool
	runs             []float64
}

// ratios is a strip before its place is known.
type ratios struct {
	id, anchor, label string
	of                []ratio
}

const stripRow = 20 // pixels of one dot

// newForests draws what was measured over what was published, and every group
// over the first.
func newForests(c *runner.Comparison, heads []groupHead, e runner.ComparedExperiment) []forest {
	var published, first []ratios
	equal := 0
	for _, claim := range e.Claims {
		for j, p := range claim.Parts {
			if want, ok := claim.Claim.PublishedNumber(j, len(claim.Parts), p.Unit); ok && want > 0 {
				published = appendRatios(published, e.Name, claim, p, func(k int) (ratio, bool) { return over(p.Spreads[k], want) })
			}
			if !differs(p) {
				equal++
				continue
			}
			first = appendRatios(first, e.Name, claim, p, func(k int) (ratio, bool) {
				r := p.Relations[k]
				return ratio{value: r.Ratio, low: r.Low, high: r.High, interval: r.Interval}, k > 0 && r.Ratio > 0
			})
		}
	}
	var all []forest
	if len(published) > 0 {
		all = append(all, newForest(forest{Anchor: e.Name + "/over-published", Title: "Measured over published", Heads: heads,
			HowToRead: "1 is the published value. A mark is a group's figure, a small ring one of its runs, the line its interval; a mark at the edge lies beyond it."}, published))
	}
	if len(first) > 0 && len(heads) > 1 {
		note := ""
		if equal > 0 {
			note = fmt.Sprintf("Left out: %s counted, or not numbers, and equal in all.", counted(equal, "figure that is", "figures that are"))
		}
		all = append(all, newForest(forest{Note: note, Anchor: e.Name + "/over-first", Title: "Over " + heads[0].Name, Heads: heads[1:],
			HowToRead: "1 is the figure of " + heads[0].Name + ". A line that crosses 1 shows no difference; a mark without a line is counted, or a time that was taken once."}, first))
	}
	return all
}

// differs says whether a figure is not just equal in all groups.
func differs(p runner.ComparedPart) bool {
	for k, r := range p.Relations {
		if k > 0 && r.Word != runner.Equal {
			return true
		}
	}
	return false
}

func appendRatios(all []ratios, experiment string, claim runner.ComparedClaim, p runner.ComparedPart, of func(group int) (ratio, bool)) []ratios {
	r := ratios{id: claim.Claim.ID, anchor: experiment + "/" + claim.Claim.ID, label: p.Label}
	for k := range p.Spreads {
		if one, ok := of(k); ok {
			one.group = k
			r.of = append(r.of, one)
		}
	}
	if len(r.of) == 0 {
		return all
	}
	return append(all, r)
}

// over is a group's figure over a published one.
func over(s runner.Spread, published float64) (ratio, bool) {
	if !s.Number || len(s.Cells) == 0 || s.Value <= 0 {
		return ratio{}, false
	}
	r := ratio{value: s.Value / published, low: s.Low / published, high: s.High / published, interval: s.Interval && s.Low > 0}
	for _, c := range s.Cells {
		if v, ok := c.Number(); ok && len(s.Cells) > 1 && v > 0 {
			r.runs = append(r.runs, v/published)
		}
	}
	return r, true
}

// furthest is the end of the axis: what is further from 1 is drawn at its edge.
const furthest = 100

func newForest(f forest, all []ratios) forest {
	a := ratioAxis(all)
	f.Ticks = a.ticks()
	for _, r := range all {
		s := strip{ID: r.id, Anchor: r.anchor, Label: r.label, Height: stripRow*len(r.of) + 6}
		for i, one := range r.of {
			d := dot{Mark: newMark(one.group), At: a.place(one.value), HasInterval: one.interval, Y: 13 + stripRow*i}
			if one.interval {
				d.Low, d.High = a.place(one.low), a.place(one.high)
			}
			for _, v := range one.runs {
				d.Runs = append(d.Runs, a.place(v))
			}
			s.Dots = append(s.Dots, d)
			s.Told += told(one)
		}
		f.Strips = append(f.Strips, s)
	}
	return f
}

// told is a ratio in words, for who does not see it.
func told(r ratio) string {
	c := runner.Cell{Text: decimal(r.value), Unit: "x"}
	if r.interval {
		c.Low, c.High = decimal(r.low), decimal(r.high)
	}
	return fmt.Sprintf("column %d: %s. ", r.group+1, c.String())
}

// span is a logarithmic axis.
type span struct{ low, high float64 }

func ratioAxis(all []ratios) span {
	a := span{low: 0.8, high: 1.25}
	for _, r := range all {
		for _, one := range r.of {
			a.low, a.high = min(a.low, one.value), max(a.high, one.value)
			if one.interval {
				a.low, a.high = min(a.low, one.low), max(a.high, one.high)
			}
		}
	}
	a.low, a.high = max(below(a.low), 1.0/furthest), min(above(a.high), furthest)
	return a
}

// place is where a ratio lies; what is beyond the axis lies at its edge.
func (a span) place(v float64) string {
	share := math.Log(min(max(v, a.low), a.high)/a.low) / math.Log(a.high/a.low)
	return strconv.FormatFloat(100*share, 'f', 2, 64) + "%"
}

// ticks are at 1, 2 and 5 of each power of ten, or at the powers alone when
// those would be too many.
func (a span) ticks() []tick {
	steps := []float64{1, 2, 5}
	if a.high/a.low > 150 {
		steps = steps[:1]
	}
	var all []tick
	for power := -2; power <= 2; power++ {
		for _, step := range steps {
			v := step * math.Pow(10, float64(power))
			if v >= a.low*(1-nearly) && v <= a.high*(1+nearly) {
				all = append(all, tick{a.place(v), strconv.FormatFloat(v, 'g', 3, 64), math.Abs(v-1) < nearly})
			}
		}
	}
	return all
}
