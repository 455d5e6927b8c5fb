package postgres

import (
	"os"
	"os/exec"
	"syscall"
)

// supervise sets up a child before its start. macOS has no death signal, so a server outlives a tool that is killed
// with SIGKILL; the inherited lock keeps sweeps away until its last process is gone.
func supervise(cmd *exec.Cmd, who account, lock *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: who.credential()}
	cmd.ExtraFiles = []*os.File{lock}
}
