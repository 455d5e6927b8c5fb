package cli

import (
	"os"
	"syscall"
)

// stopSignals are the signals that stop a run; closing the console window
// arrives as SIGTERM.
func stopSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// keepBrokenPipe does nothing: a write without a reader is an error here.
func keepBrokenPipe() {}
