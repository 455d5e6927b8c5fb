package retention

import (
	"context"
	"fmt"
	"math"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var barsTable = runner.TableSpec{Name: "bars", Title: "What the pipeline had to reach",
	Note:    "A bar is met when the whole interval is on its side, missed when all of it is on the other, and cannot be told otherwise. Memory is one figure, the most of all turns.",
	Columns: []runner.Column{{Name: "bar", Text: true}, {Name: "asked", Text: true}, {Name: "measured"}, {Name: "low"}, {Name: "high"}, {Name: "unit", Text: true}, {Name: "met", Text: true}}}

// A bar is a measured value and the bound that it must not pass.
type bar struct {
	name, asked, unit string
	at                runner.Ref
	least, most       float64 // one of them is 0: there is no such bound
	divisor           float64 // from the cell's unit to the bar's
}

// bars compares what was measured with what was asked for.
func (b *bench) bars(context.Context) error {
	t := b.out.Table(barsTable)
	for _, a := range b.allBars() {
		m, err := b.out.Number(a.at)
		if err != nil { // n/a: there were too few turns or inserts
			no := runner.NA{Reason: "too few turns or inserts for an interval"}
			t.Add(a.name, a.asked, no, no, no, a.unit, "cannot be told")
			continue
		}
		value, low, high := m.Value/a.divisor, m.Low/a.divisor, m.High/a.divisor
		t.Add(a.name, a.asked, value, low, high, a.unit, a.met(low, high))
	}
	return nil
}

// met says whether an interval is on the right side.
func (a bar) met(low, high float64) string {
	most := a.most
	if most == 0 {
		most = math.Inf(1)
	}
	inside, outside := stat.Interval{Low: low, High: high}.Bounded(a.least, most)
	switch {
	case inside:
		return "yes"
	case outside:
		return "no"
	}
	return "cannot be told"
}

// allBars are those of the parts that ran.
func (b *bench) allBars() []bar {
	fastest := len(b.methods.Rows) - 1
	ratio := func(row int) runner.Ref {
		return b.methods.RefRange(row, "source_over_this", "ratio_low", "ratio_high")
	}
	all := []bar{
		{"time of the source's method over ours, both at gzip 6", "at least 1.5", "x", ratio(1), 1.5, 0, 1},
		{"time of the source's method over ours at its own level", "at least 1.5", "x", ratio(fastest), 1.5, 0, 1},
		{fmt.Sprintf("memory of this program while it archives %d rows a table", b.lab.Knob("arm_rows")), "under 64", "MiB", b.methods.Ref(fastest, "memory_bytes"), 0, 64, 1 << 20},
		{"time of INSERT ... SELECT over loading by COPY", "at least 1.5", "x", b.loadRatio(0), 1.5, 0, 1},
	}
	if len(b.opened) > openPaced {
		if row, ok := b.opened[openPaced].latencies[exporting]; ok {
			all = append(all, bar{"p99 of the writers during our export over before, at its pace", "at most 1.5", "x",
				b.latencyRows.RefRatio(row, "p99_over_before", "ratio_low", "ratio_high", "floor"), 0, 1.5, 1})
		}
	}
	return all
}
