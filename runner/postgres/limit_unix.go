//go:build unix

package postgres

import (
	"fmt"
	"syscall"
)

// leastFiles is the number of open files with which a server starts; with 64 it does not.
const leastFiles = 128

// raiseFileLimit lets servers open as many files as the tool itself may. Go raises its own soft limit when it starts but
// gives children the old one, until the limit is set by hand.
func raiseFileLimit() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("reading the limit of open files: %w", err)
	}
	if limit.Cur < leastFiles {
		limit.Cur = limit.Max
	}
	if limit.Cur < leastFiles {
		return &EnvironmentError{
			Problem: fmt.Sprintf("at most %d files may be open, and a server needs %d", limit.Cur, leastFiles),
			Remedy:  "raise the hard limit (ulimit -Hn 1024)",
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("setting the limit of open files to %d: %w", limit.Cur, err)
	}
	return nil
}
