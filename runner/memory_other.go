//go:build unix && !linux

package runner

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory is the most memory that this process had at once, in bytes; 0: not told.
func peakMemory() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(u.Maxrss) << 10
}

// resetPeak is not possible with getrusage.
func resetPeak() error { return errors.New("this system keeps the peak of a process until it ends") }
