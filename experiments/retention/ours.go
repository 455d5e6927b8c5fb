package retention

import (
	"context"
	"fmt"

	"deletecost/experiments/retention/archive"
	"deletecost/runner"
)

// ours runs both methods beside writers that keep to a schedule, and ours once
// more with the archive restored and compared.
func (b *bench) ours(ctx context.Context) error {
	b.quantiles = b.out.Table(quantilesTable)
	if b.capacity <= 0 {
		b.out.Warn("the writers of the closed loop did nothing before the pipeline: there is no rate for an open loop")
		return nil
	}
	for _, p := range b.openPlans() {
		p.schema, p.rows = full, b.lab.Knob("open_rows")
		p.writers, p.rate, p.before = b.lab.Knob("writers"), b.openRate(), b.before()
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

// openPlans are the methods that are compared by what the writers notice.
func (b *bench) openPlans() []plan {
	level := b.lab.Knob("level")
	plans := []plan{
		{name: "open-source", method: archive.MethodSource},
		{name: fmt.Sprintf("open-copy-level-%d", level), method: archive.MethodCopy, level: level},
	}
	if b.lab.Knob("restore") == 1 {
		plans = append(plans, plan{name: "open-copy-restored", method: archive.MethodCopy, level: level, restore: true})
	}
	return plans
}

// concludeOurs says what the writers notice of either method.
func (b *bench) concludeOurs() {
	source, copied := b.opened[0], b.opened[1]
	rate := func(s swept) runner.Ref { return b.runs.Ref(s.row, "rows_per_s") }
	text := "Beside writers that keep to a schedule the source's method archives {} and ours {}"
	refs := []runner.Ref{rate(source), rate(copied)}
	p99 := func(s swept) (runner.Ref, bool) {
		row, ok := s.latencies[exporting]
		return b.latencyRows.RefRange(row, "p99_over_before", "ratio_low", "ratio_high"), ok
	}
	sourceP99, ok := p99(source)
	ourP99, too := p99(copied)
	if ok && too {
		text += "; during the export the writers' p99 is {} of that before with the source's, and {} with ours"
		refs = append(refs, sourceP99, ourP99)
	}
	b.out.Conclude(runner.Say(text+".", refs...))
}
