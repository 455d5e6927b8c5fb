package runner

import "sync/atomic"

// hasRun says that a run has begun in this process.
var hasRun atomic.Bool

// beginPeak lets the peak of memory begin anew, so that a run is not charged
// with the runs before it in the same process. It returns why the peak cannot be
// told of this run, "" when it can.
func beginPeak() string {
	return unknownPeak(hasRun.Swap(true), resetPeak())
}

// unknownPeak says why the peak is not the run's own, "" when it is.
func unknownPeak(again bool, err error) string {
	if !again || err == nil {
		return ""
	}
	return "runs before this one in the same process count too: " + err.Error()
}
