package fetch

import (
	"context"
	"os"
	"time"
)

// lockPoll is the time between two looks at a lock that somebody else has.
const lockPoll = 50 * time.Millisecond

// lock holds the right to change one cache entry until unlock. waiting is called once when somebody else has it.
func lock(ctx context.Context, name string, waiting func()) (*os.File, error) {
	for first := true; ; first = false {
		f, err := tryLockFile(name)
		if f != nil || err != nil {
			return f, err
		}
		if first {
			waiting()
		}
		if err := pause(ctx, lockPoll); err != nil {
			return nil, err
		}
	}
}

// tryLockFile returns the locked file, or nil when somebody else has it or had it until now: a file that was removed meanwhile locks nothing.
func tryLockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	if err == nil && ok && isAt(f, name) {
		return f, nil
	}
	f.Close()
	return nil, err
}

// isAt tells whether an open file is the one of that name.
func isAt(f *os.File, name string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(open, named)
}

// unlock gives the right back and leaves no file. It is removed while it is locked, so nobody else can hold it; where an open file cannot be removed it stays.
func unlock(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
