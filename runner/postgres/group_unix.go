//go:build unix

package postgres

import (
	"os"
	"syscall"
)

// killGroup kills a child and those of its children that stayed in its process group.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// credential is what the kernel switches a child to, without supplementary groups; nil keeps the tool's own.
func (a account) credential() *syscall.Credential {
	if !a.drop {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid), Groups: []uint32{}}
}
