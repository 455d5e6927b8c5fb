package archive

import (
	"context"
	"fmt"

	"golang.org/x/time/rate"
)

// paceRows is how many rows may follow each other without a pause: a quarter of
// a millisecond of one processor's work.
const paceRows = 64

// A pace bounds how many rows pass in a second. A nil *pace bounds nothing. It
// may be shared by goroutines.
type pace struct{ limit *rate.Limiter }

// newPace returns the pace of so many rows a second; 0 means no bound.
func newPace(rowsPerSecond int) *pace {
	if rowsPerSecond == 0 {
		return nil
	}
	return &pace{rate.NewLimiter(rate.Limit(rowsPerSecond), paceRows)}
}

// pass is called with every row's number, from 1, before the next is worked on.
// It returns when that may begin, or with the context's error.
func (p *pace) pass(ctx context.Context, row int64) error {
	if p == nil || row%paceRows != 0 {
		return nil
	}
	if err := p.limit.WaitN(ctx, paceRows); err != nil {
		return fmt.Errorf("keeping to %v rows a second: %w", p.limit.Limit(), err)
	}
	return nil
}
