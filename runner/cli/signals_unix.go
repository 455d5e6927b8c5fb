//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that stop a run. A hangup that the caller has
// chosen to ignore (nohup) stays ignored.
func stopSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// keepBrokenPipe makes a reader that has gone away (deletecost | head) an
// error of the writing instead of the end of this program, which would leave
// the run's files behind.
func keepBrokenPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
