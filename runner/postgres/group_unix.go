//go:build unix

package postgres

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate sets up a child before its start: under the account, in a process group of its own, so that Ctrl-C does not
// reach it, and holding the lock, which keeps sweeps away until the last process of the run is gone.
func isolate(cmd *exec.Cmd, who account, lock *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: who.credential()}
	cmd.ExtraFiles = []*os.File{lock}
}

// signal sends a signal to the child alone; one that has ended is os.ErrProcessDone.
func (p *process) signal(sig syscall.Signal) error { return p.cmd.Process.Signal(sig) }

// kill kills the child and those of its children that stayed in its process group.
func (p *process) kill() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// credential is what the kernel switches a child to, without supplementary groups; nil keeps the tool's own.
func (a account) credential() *syscall.Credential {
	if !a.drop {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid), Groups: []uint32{}}
}
