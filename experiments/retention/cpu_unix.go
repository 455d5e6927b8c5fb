//go:build unix

package retention

import (
	"time"

	"golang.org/x/sys/unix"
)

// clientCPU is the CPU time of this program in seconds, negative when it is not
// told.
func clientCPU() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return -1
	}
	return (time.Duration(u.Utime.Nano()) + time.Duration(u.Stime.Nano())).Seconds()
}
