package retention

import (
	"context"
	"fmt"
	"slices"
	"time"

	"deletecost/experiments/retention/archive"
	"deletecost/runner/stat"
)

// published runs the source's method at each size beside its closed-loop
// writers, and finds on its claims.
func (b *bench) published(ctx context.Context) error {
	for i, rows := range b.sizes() {
		repeats := 1
		if i == 0 {
			repeats = b.lab.Knob("repeats")
		}
		for k := range repeats {
			p := plan{name: fmt.Sprintf("source-%d-%d", rows, k+1), schema: full, rows: rows, method: archive.MethodSource, level: sourceLevel,
				writers: b.lab.Knob("writers"), before: b.before(), turns: rows == b.sizes()[len(b.sizes())-1]}
			if err := b.sweep(ctx, p); err != nil {
				return err
			}
		}
	}
	b.capacity = b.closedCapacity()
	if err := b.grow(); err != nil {
		return err
	}
	b.publishedFindings()
	b.publishedFigures()
	b.concludePublished()
	return nil
}

// sweep does one of the source's runs.
func (b *bench) sweep(ctx context.Context, p plan) error {
	r, err := b.retire(ctx, p)
	if err != nil {
		return err
	}
	b.swept = append(b.swept, swept{r, b.record(r), b.latencies(r)})
	return nil
}

// sizes are the rows of a table of every size, from the smallest.
func (b *bench) sizes() []int {
	var sizes []int
	for _, name := range []string{"rows_small", "rows_first", "rows_second", "rows_third"} {
		if rows := b.lab.Knob(name); rows > 0 {
			sizes = append(sizes, rows)
		}
	}
	slices.Sort(sizes)
	return sizes
}

// heldOut says whether a run has the size that the fit does not see.
func (b *bench) heldOut(s swept) bool { return s.rows == b.lab.Knob("rows_third") }

func (b *bench) before() time.Duration {
	return time.Duration(b.lab.Knob("before_ms")) * time.Millisecond
}

// warming is the share of the time before the pipeline that does not count for
// the capacity: caches and plans are not warm.
const warming = 0.25

// closedCapacity is the median over the source's runs of what the writers did
// a second when they were alone.
func (b *bench) closedCapacity() float64 {
	var rates []float64
	for _, s := range b.swept {
		from, to := int64(warming*float64(s.before)), int64(s.before)
		rates = append(rates, alone(s.samples, from, to))
	}
	return stat.Median(rates)
}

// openRate is the rate of writers that keep to a schedule.
func (b *bench) openRate() float64 {
	return b.capacity * float64(b.lab.Knob("open_loop_percent")) / 100
}

// of is the last of the source's runs of a size.
func (b *bench) of(rows int) swept {
	var found swept
	for _, s := range b.swept {
		if s.rows == rows {
			found = s
		}
	}
	return found
}

// first is the run of the size that stands for the source's first.
func (b *bench) first() swept { return b.of(b.lab.Knob("rows_first")) }

// third is the run of the size that was held out, if there was one.
func (b *bench) third() (s swept, ok bool) {
	rows := b.lab.Knob("rows_third")
	return b.of(rows), rows > 0
}

// largest is the run of the largest size, and smaller of the one below it.
func (b *bench) largest() swept { return b.of(b.sizes()[len(b.sizes())-1]) }
func (b *bench) smaller() swept { return b.of(b.sizes()[len(b.sizes())-2]) }
