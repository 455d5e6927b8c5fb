package retention

import (
	"context"
	"fmt"

	"deletecost/experiments/retention/archive"
	"deletecost/runner"
)

// ours runs both methods beside writers that keep to a schedule, and ours once
// more at a pace that leaves them theirs, and with the archive restored and
// compared.
func (b *bench) ours(ctx context.Context) error {
	b.quantiles = b.out.Table(quantilesTable)
	if b.capacity <= 0 {
		b.out.Warn("the writers of the closed loop did nothing before the pipeline: there is no rate for an open loop")
		return nil
	}
	for _, p := range b.openPlans() {
		p.schema, p.writers, p.rate, p.before = full, b.lab.Knob("writers"), b.openRate(), b.before()
		r, err := b.retire(ctx, p)
		if err != nil {
			return err
		}
		b.opened = append(b.opened, swept{r, b.record(r), b.latencies(r)})
		b.distribute(r)
	}
	b.openFigures()
	b.concludeOurs()
	return nil
}

// The runs beside an open loop, in the order of openPlans.
const (
	openSource = iota
	openOurs
	openPaced
)

// openPlans are the methods that are compared by what the writers notice.
func (b *bench) openPlans() []plan {
	level, rows := b.lab.Knob("level"), b.lab.Knob("open_rows")
	plans := []plan{
		{name: "open-source", rows: rows, method: archive.MethodSource, level: sourceLevel},
		{name: fmt.Sprintf("open-copy-level-%d", level), rows: rows, method: archive.MethodCopy, level: level},
		{name: "open-copy-paced", rows: b.lab.Knob("paced_rows"), method: archive.MethodCopy, level: level, pace: b.lab.Knob("pace")},
	}
	if b.lab.Knob("restore") == 1 {
		plans = append(plans, plan{name: "open-copy-restored", rows: rows, method: archive.MethodCopy, level: level, restore: true})
	}
	return plans
}

// concludeOurs says what the writers notice of either method.
func (b *bench) concludeOurs() {
	source, ours, paced := b.opened[openSource], b.opened[openOurs], b.opened[openPaced]
	rate := func(s swept) runner.Ref { return b.runs.Ref(s.row, "rows_per_s") }
	text := "Beside writers that keep to a schedule the source's method archives {}, ours {}, and ours {} when it keeps to a pace"
	refs := []runner.Ref{rate(source), rate(ours), rate(paced)}
	p99 := func(s swept) (runner.Ref, bool) {
		row, ok := s.latencies[exporting]
		return b.latencyRows.RefRatio(row, "p99_over_before", "ratio_low", "ratio_high", "floor"), ok
	}
	sourceP99, ok := p99(source)
	ourP99, too := p99(ours)
	pacedP99, all := p99(paced)
	if ok && too && all {
		text += "; during the export the writers' p99 is {} of that before, {} and {}"
		refs = append(refs, sourceP99, ourP99, pacedP99)
	}
	b.out.Conclude(runner.Say(text+".", refs...))
}
