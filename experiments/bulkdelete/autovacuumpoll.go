package bulkdelete

import (
	"context"
	"time"
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
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-over:
			return false, nil
		case <-tick.C:
		}
	}
}
