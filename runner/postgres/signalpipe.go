package postgres

import (
	"fmt"
	"syscall"
)

// signalPipe is the path of the named pipe on which a process of PostgreSQL listens for signals on Windows.
func signalPipe(pid int) string { return fmt.Sprintf(`\\.\pipe\pgsignal_%d`, pid) }

// signalByte is what is written to that pipe for a signal: its number, as Unix counts it. The server answers with the
// same byte. PostgreSQL knows signals up to 31.
func signalByte(sig syscall.Signal) (byte, error) {
	if sig < 1 || sig > 31 {
		return 0, fmt.Errorf("signal %d is none of PostgreSQL's", int(sig))
	}
	return byte(sig), nil
}
