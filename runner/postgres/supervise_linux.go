package postgres

import (
	"os"
	"os/exec"
	"syscall"
)

// supervise sets up a child before its start. The kernel sends it SIGQUIT, PostgreSQL's immediate shutdown, when the
// tool dies, whatever the tool dies of. The inherited lock keeps sweeps away until the last process is gone.
func supervise(cmd *exec.Cmd, who account, lock *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT, Credential: who.credential()}
	cmd.ExtraFiles = []*os.File{lock}
}
