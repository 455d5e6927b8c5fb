package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// commitDelete is the file and the name of the prepared statement.
const commitDelete = "commit_delete"

// commitArm deletes one row after the other.
type commitArm struct {
	session     *session
	own         bool // each statement commits by itself; else all are in one transaction
	synchronous string
	delay       time.Duration
	roundTrip   string // the delay as tables call it
	first, next int64  // ids: of the first row, and of the row that is deleted next
	waits       []float64
	taken       [][]float64 // seconds by block
	waited      [][]float64 // waits of the added round trip in seconds, by block; nil without
}

// transaction is how the arm commits, in tables.
func (a *commitArm) transaction() string {
	if a.own {
		return "its own"
	}
	return "one around all"
}

// label is the arm without its round trip.
func (a *commitArm) label() string {
	return fmt.Sprintf("%s, synchronous_commit %s", a.transaction(), a.synchronous)
}

// deleted is how many rows the arm has deleted.
func (a *commitArm) deleted() int64 { return a.next - a.first }

// arm makes the timed arm. A statement that is not timed goes before, without
// the round trip: the one that is timed then follows its like, as in a row of
// statements, and does not wake a server that slept during other arms.
func (a *commitArm) arm() runner.Arm {
	return runner.Arm{Name: a.label() + ", " + a.roundTrip, Once: func(ctx context.Context) (time.Duration, error) {
		if _, err := a.delete(ctx, 0); err != nil {
			return 0, err
		}
		a.session.network.Waits()
		took, err := a.delete(ctx, a.delay)
		if err != nil || a.delay == 0 {
			return took, err
		}
		waits := a.session.network.Waits()
		if len(waits) != 1 {
			return 0, fmt.Errorf("deleting one row waited for %d round trips, not 1", len(waits))
		}
		a.waits = append(a.waits, waits[0].Seconds())
		return took, nil
	}}
}

// delete deletes the next row with a round trip of delay and returns the time.
// A statement that deletes nothing is an error, as is one that takes more than
// one round trip.
func (a *commitArm) delete(ctx context.Context, delay time.Duration) (time.Duration, error) {
	ctx = context.WithoutCancel(ctx) // a context that can end starts a goroutine a statement
	id := strconv.AppendInt(nil, a.next, 10)
	network := a.session.network
	network.SetDelay(delay)
	before, start := network.Flights(), time.Now()
	rows, err := postgres.ExecPrepared(ctx, a.session.conn, commitDelete, id)
	took, flights := time.Since(start), network.Flights()-before
	network.SetDelay(0)
	switch {
	case err != nil:
		return 0, fmt.Errorf("deleting row %d: %w", a.next, err)
	case rows != 1:
		return 0, fmt.Errorf("deleting row %d: %d rows were affected, not 1: there was nothing to time", a.next, rows)
	case flights != 1:
		return 0, fmt.Errorf("deleting row %d took %d round trips, not 1", a.next, flights)
	}
	a.next++
	return took, nil
}

// keep hands each arm its samples, and its waits in the same blocks.
func (c *commitRun) keep(s *runner.Samples) {
	for _, a := range c.arms {
		a.taken = s.Of(a.label() + ", " + a.roundTrip)
		if a.delay == 0 {
			continue
		}
		waits := a.waits[commitWarmup:]
		for _, block := range a.taken {
			a.waited = append(a.waited, waits[:len(block)])
			waits = waits[len(block):]
		}
	}
}

// of finds an arm.
func (c *commitRun) of(own bool, synchronous string, delay time.Duration) *commitArm {
	for _, a := range c.arms {
		if a.own == own && a.synchronous == synchronous && a.delay == delay {
			return a
		}
	}
	return nil
}
