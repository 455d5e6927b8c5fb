package postgres

import (
	"os"
	"os/exec"
)

// guard ends one child when the tool dies, whatever the tool dies of.
type guard interface {
	// watch is called once, right after the start of the child.
	watch(child *os.Process) error
	// release is called once, when the child has ended or could not be started. It leaves no process of the guard's own.
	release()
}

// guarding makes the guard of a child before its start, and may change how that starts. data is the data directory when
// the child is a server, else empty.
type guarding func(cmd *exec.Cmd, data string) (guard, error)

// guardOf makes the guard of a child in the system's own way, unless a test has chosen another.
func (h *Host) guardOf(cmd *exec.Cmd, data string) (guard, error) {
	if h.config.guarding != nil {
		return h.config.guarding(cmd, data)
	}
	return systemGuard(cmd, data)
}
