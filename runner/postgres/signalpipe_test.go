package postgres

import (
	"syscall"
	"testing"
)

func TestSignalPipe(t *testing.T) {
	if got, want := signalPipe(4711), `\\.\pipe\pgsignal_4711`; got != want {
		t.Errorf("pipe %s, want %s", got, want)
	}
}

// PostgreSQL's documentation of postgres: SIGINT is the fast shutdown, SIGQUIT the immediate one, SIGTERM the smart one.
func TestSignalByte(t *testing.T) {
	for sig, want := range map[syscall.Signal]byte{syscall.SIGINT: 2, syscall.SIGQUIT: 3, syscall.SIGTERM: 15} {
		if got, err := signalByte(sig); got != want || err != nil {
			t.Errorf("%v: %d, %v; want %d", sig, got, err, want)
		}
	}
	for _, none := range []syscall.Signal{-1, 0, 32, 258} {
		if got, err := signalByte(none); err == nil {
			t.Errorf("signal %d: byte %d, want an error", int(none), got)
		}
	}
}
