package treedelete

import (
	"context"
	"time"
)

// largeTree runs both forms on the document under test with the longest round
// trip: once, since the row-by-row form takes a round trip a row.
func (b *bench) largeTree(ctx context.Context) error {
	n := b.lab.Knob("blocks")
	if n == b.lab.Knob("delay_blocks") {
		return nil // the sweep has it already
	}
	step := b.lab.Step("the document under test with the longest round trip, once", 0)
	defer step.Done()
	for _, name := range []string{setBased, rowPrepared} {
		far, err := b.timesOf(ctx, wayNamed(name), n, b.far(), 1, 1)
		if err != nil {
			return err
		}
		b.large[name] = b.addDelay(name, b.far(), tree{blocks: n}, far)
	}
	return nil
}

// timesOf times a way on a tree of the sweep's forest with a generic plan.
func (b *bench) timesOf(ctx context.Context, w way, blocks int, delay time.Duration, times, warmup int) ([]float64, error) {
	f := forest{schema: scatteredForest, blocks: append(b.sizes(), beginningBlocks), others: b.lab.Knob("other_documents"), layout: scattered}
	s, err := b.enter(ctx, f, generic)
	if err != nil {
		return nil, err
	}
	defer s.close(ctx)
	e, err := b.open(ctx, w.name, w, s, f.tree(blocks), delay)
	if err != nil {
		return nil, err
	}
	return b.timed(ctx, e, times, warmup)
}

// timed times one entry by itself, after executions without a round trip that are
// not timed.
func (b *bench) timed(ctx context.Context, e *entry, times, warmup int) ([]float64, error) {
	var taken []float64
	for k := range warmup + times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		delay := e.delay
		if k < warmup {
			delay = 0
		}
		if k < warmup {
			if _, err := e.execute(ctx, delay); err != nil {
				return nil, err
			}
			continue
		}
		stop := b.lab.Watch("by itself, " + b.name(e.delay))
		result, err := e.execute(ctx, delay)
		noise := stop()
		if err != nil {
			return nil, err
		}
		taken = append(taken, result.took.Seconds())
		b.samples.Add("by itself, "+b.name(e.delay), e.name, k-warmup, result.took, noise.Noisy())
	}
	return taken, nil
}
