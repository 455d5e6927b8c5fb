//go:build !linux

package roundtrip

import "time"

// spun is the end of a wait that is spun: a timer of the runtime may be so late.
const spun = 1500 * time.Microsecond

// standStill returns at the moment until.
func standStill(until time.Time) {
	if left := time.Until(until); left > spun {
		time.Sleep(left - spun)
	}
	for time.Now().Before(until) {
	}
}
