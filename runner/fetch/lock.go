package fetch

import (
	"context"
	"os"
	"time"
)

// lockPoll is the time between two looks at a lock that somebody else has.
const lockPoll = 50 * time.Millisecond

// lock holds the right to change one cache entry; closing it gives the right back. waiting is called once when somebody else has it.
func lock(ctx context.Context, name string, waiting func()) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		ok, err := tryLock(f)
		if err == nil && ok {
			return f, nil
		}
		if err == nil && first {
			waiting()
		}
		if err == nil {
			err = pause(ctx, lockPoll)
		}
		if err != nil {
			f.Close()
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
