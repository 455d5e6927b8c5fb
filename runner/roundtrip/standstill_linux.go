package roundtrip

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// spun is the end of a wait that is spun: a thread that sleeps may take so long to be woken.
const spun = 60 * time.Microsecond

// standStill returns at the moment until, about a microsecond late on an idle machine. The runtime's own timers round
// up to a millisecond, so the thread itself sleeps, and is kept from being exchanged before it wakes. The kernel may be
// late by the thread's timer slack, 50 µs by default, which is most of what is spun: it is set to a nanosecond for the
// wait. (On two busy cores that took a wait of 100 µs from 8 µs over to 1 at the median, one of 1 ms from 17 to 1.4.)
func standStill(until time.Time) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Without it waits are less exact, which Check tells.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	defer unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) // back to the default
	for left := time.Until(until); left > spun; left = time.Until(until) {
		span := unix.NsecToTimespec(int64(left - spun))
		// A signal ends the sleep early, and the loop asks the clock again.
		_ = unix.Nanosleep(&span, nil)
	}
	for time.Now().Before(until) {
	}
}
