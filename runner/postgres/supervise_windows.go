package postgres

import (
	"os"
	"os/exec"
	"syscall"
)

// supervise sets up a child before its start: a console group of its own, so that Ctrl-C does not reach it. A server
// outlives a tool that is killed, and it does not inherit the lock.
func supervise(cmd *exec.Cmd, _ account, _ *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process; Windows knows no groups to kill.
func killGroup(p *os.Process) { _ = p.Kill() }
