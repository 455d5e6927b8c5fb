package treedelete

import (
	"context"
	"errors"
	"fmt"
	"time"

	"deletecost/runner/instrument"
)

// A trial is one deletion that was rolled back.
type trial struct {
	took    time.Duration
	rows    int64  // deleted, as the server counts them
	flights int64  // round trips between the first statement and the last answer
	wal     int64  // bytes between the insert positions before and after; only of counted trials
	digest  string // of what was left, where it was taken
}

// byCount is given for the digest that must be left when the same deletion was
// held against it before on the same session: a digest of large tables takes
// longer than what is timed.
const byCount = "by count"

// try deletes the tree in a transaction with a round trip of delay, proves
// inside it that exactly the tree is gone, and rolls back. The transaction's own
// statements are neither timed nor delayed.
func (s *session) try(ctx context.Context, d deletion, t tree, want string, delay time.Duration, countWAL bool) (trial, error) {
	s.ended = ctx.Err
	ctx = context.WithoutCancel(ctx) // a context that can end starts a goroutine a statement
	defer s.network.SetDelay(s.network.Delay())
	s.network.SetDelay(0)
	if _, err := s.simple(ctx, "BEGIN"); err != nil {
		return trial{}, err
	}
	result, err := s.tryInside(ctx, d, t, want, delay, countWAL)
	if _, undone := s.simple(ctx, "ROLLBACK"); err == nil {
		err = undone
	}
	return result, err
}

// tryInside is what happens inside of the transaction.
func (s *session) tryInside(ctx context.Context, d deletion, t tree, want string, delay time.Duration, countWAL bool) (trial, error) {
	before, err := s.gone(ctx)
	if err != nil {
		return trial{}, err
	}
	result, err := s.timed(ctx, d, delay, countWAL)
	if err != nil {
		return result, err
	}
	after, err := s.gone(ctx)
	if err != nil {
		return result, err
	}
	said := result.rows
	result.rows = 0
	for level := range after {
		result.rows += after[level] - before[level]
	}
	if said != untold && said != result.rows {
		return result, errors.Join(fmt.Errorf("the server answered that %d rows were deleted and counts %d", said, result.rows), s.explainDifference(ctx, t))
	}
	return result, s.prove(ctx, t, want, &result)
}

// timed is what the clock sees.
func (s *session) timed(ctx context.Context, d deletion, delay time.Duration, countWAL bool) (result trial, err error) {
	if d.ready != nil {
		d.ready()
	}
	if countWAL {
		if result.wal, err = instrument.WALPosition(ctx, s.conn); err != nil {
			return result, err
		}
	}
	s.network.SetDelay(delay)
	before, start := s.network.Flights(), time.Now()
	result.rows, err = d.do(ctx)
	result.took, result.flights = time.Since(start), s.network.Flights()-before
	s.network.SetDelay(0)
	if countWAL && err == nil {
		var after int64
		after, err = instrument.WALPosition(ctx, s.conn)
		result.wal = after - result.wal
	}
	return result, err
}

// prove holds what was deleted against the tree. A pass that had nothing to
// delete fails here. As many rows as the tree has must be gone, and the digest
// of what is left must be the expected one; or, by count, none of the tree's own
// rows may be left, so that the rows that are gone are those of the tree.
func (s *session) prove(ctx context.Context, t tree, want string, result *trial) error {
	if want == byCount {
		left, err := s.left(ctx, t)
		if err != nil {
			return err
		}
		if left > 0 {
			return s.explainDifference(ctx, t)
		}
	} else {
		digest, err := s.survivors(ctx)
		if err != nil {
			return err
		}
		if digest != want {
			return s.explainDifference(ctx, t)
		}
		result.digest = digest
	}
	if result.rows != t.rows() {
		return errors.Join(fmt.Errorf("%d rows were deleted, the tree has %d", result.rows, t.rows()), s.explainDifference(ctx, t))
	}
	return nil
}
