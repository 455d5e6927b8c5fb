package postgres

import (
	"os/exec"
	"syscall"
)

// systemGuard lets the kernel send a child SIGQUIT, PostgreSQL's immediate shutdown, when the tool dies.
func systemGuard(cmd *exec.Cmd, _ string) (guard, error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	return unwatched{}, nil
}
