package treedelete

import (
	"context"
	"fmt"
	"time"

	"deletecost/runner"
)

// An entry is a way on a session, about to be timed with one tree and one
// added round trip.
type entry struct {
	name    string // of the arm
	session *session
	tree    tree
	want    string // the digest that must be left
	digest  string // the digest that the first execution left, "" before
	delay   time.Duration
	deletion
	flights func(tree) int64 // what arithmetic says
}

// open prepares a way for being timed. The session is the caller's to close.
func (b *bench) open(ctx context.Context, name string, w way, s *session, t tree, delay time.Duration) (*entry, error) {
	want, err := s.expected(ctx, t)
	if err != nil {
		return nil, err
	}
	if _, err := s.ids(ctx, t); err != nil { // while it is whole
		return nil, err
	}
	d, err := w.open(ctx, s, t)
	if err != nil {
		return nil, fmt.Errorf("preparing %q: %w", name, err)
	}
	return &entry{name: name, session: s, tree: t, want: want, delay: delay, deletion: d, flights: w.flights}, nil
}

// arm makes the timed arm of an entry. Each execution proves itself: the first
// one by the digest of all that is left, the others by count.
func (e *entry) arm() runner.Arm {
	return runner.Arm{Name: e.name, Once: func(ctx context.Context) (time.Duration, error) {
		result, err := e.execute(ctx, e.delay)
		return result.took, err
	}}
}

// execute tries the deletion once with a round trip. The round trips counted
// must be those of arithmetic.
func (e *entry) execute(ctx context.Context, delay time.Duration) (trial, error) {
	want := e.want
	if e.digest != "" {
		want = byCount
	}
	result, err := e.session.try(ctx, e.deletion, e.tree, want, delay, false)
	if err != nil {
		return result, err
	}
	if result.digest != "" {
		e.digest = result.digest
	}
	if n := e.flights(e.tree); result.flights != n {
		return result, fmt.Errorf("%s: %d round trips were counted, arithmetic says %d", e.name, result.flights, n)
	}
	return result, nil
}

var samplesTable = runner.TableSpec{Name: "samples", Title: "Every timed deletion that took no turns", Raw: true,
	Columns: []runner.Column{{Name: "part", Text: true}, {Name: "arm", Text: true}, {Name: "repeat", Meaning: "from 0"},
		{Name: "seconds", Unit: "s"}, {Name: "noisy", Text: true, Meaning: "somebody else disturbed it (noise.csv)"}}}

// blocks is how many blocks compare arms of 10 ms to 1 s.
const blocks = 12

// compare times arms of 10 ms to 1 s, in turns and in blocks.
func (b *bench) compare(ctx context.Context, part string, arms []runner.Arm) (*runner.Samples, error) {
	return b.compareIn(ctx, part, arms, blocks)
}

// compareShort times arms of which some take less than 10 ms.
func (b *bench) compareShort(ctx context.Context, part string, arms []runner.Arm) (*runner.Samples, error) {
	return b.compareIn(ctx, part, arms, b.lab.Knob("short_blocks"))
}

func (b *bench) compareIn(ctx context.Context, part string, arms []runner.Arm, blocks int) (*runner.Samples, error) {
	return b.lab.TakeTurns(ctx, runner.Turns{Name: part, Arms: arms, Blocks: blocks, PerVisit: 1, Warmup: 6, Sessions: b.sessions})
}

// repeats is how often an arm is repeated of which one may take over a second.
const repeats = 5

// repeat times arms in turns, once a repeat; warmup is at least 6 where a
// prepared statement may yet change its plan, and 1 otherwise.
func (b *bench) repeat(ctx context.Context, part string, arms []runner.Arm, times, warmup int) (*runner.Samples, error) {
	return b.lab.TakeTurns(ctx, runner.Turns{Name: part, Arms: arms, Blocks: times, PerVisit: 1, Single: true, Warmup: warmup, Sessions: b.sessions})
}
