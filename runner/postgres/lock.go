package postgres

import (
	"context"
	"fmt"
	"os"
	"time"
)

// lockFile waits until it holds the exclusive lock of the file at path, which it creates. Closing the file unlocks.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening a lock: %w", err)
	}
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		held, err := tryLock(file)
		if held {
			return file, nil
		}
		if err == nil {
			select {
			case <-poll.C:
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		file.Close()
		return nil, fmt.Errorf("locking %q: %w", path, err)
	}
}
