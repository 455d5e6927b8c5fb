//go:build unix

package runner

import "golang.org/x/sys/unix"

// involuntarySwitches returns the process's involuntary context switches.
func involuntarySwitches() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return -1
	}
	return int64(u.Nivcsw)
}
