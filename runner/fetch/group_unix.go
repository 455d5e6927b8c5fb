//go:build unix

package fetch

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cancelling a command end its children too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
