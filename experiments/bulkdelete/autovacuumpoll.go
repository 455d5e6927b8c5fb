package bulkdelete

import (
	"context"
	"time"

	"deletecost/runner/waiting"
)

// poll looks again and again, until what it waits for is done or the time is
// over, which is no error.
func poll(ctx context.Context, every, within time.Duration, look func() (done bool, err error)) (bool, error) {
	over := time.After(within)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if done, err := look(); done || err != nil {
			return done, err
		}
		if again, err := lookAgain(ctx, tick.C, over); !again {
			return false, err
		}
	}
}

// lookAgain waits for the next look while the server works: false when the time
// is over or ctx ends, which alone is an error.
func lookAgain(ctx context.Context, tick, over <-chan time.Time) (bool, error) {
	defer waiting.For(ctx, waiting.Background)()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-over:
		return false, nil
	case <-tick:
		return true, nil
	}
}
