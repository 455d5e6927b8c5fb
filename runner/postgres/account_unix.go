//go:build unix

package postgres

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// tryEntering lets the kernel decide, since mode bits are not all that it looks at: a child of the account changes to the
// folder and then finds that its program, below a file, cannot exist. What the error is when it does not come that far.
func (a account) tryEntering(folder string) error {
	_, err := os.StartProcess("/dev/null/none", []string{"none"}, &os.ProcAttr{Dir: folder, Sys: &syscall.SysProcAttr{Credential: a.credential()}})
	for _, refusal := range []error{syscall.EACCES, syscall.EPERM, syscall.EINVAL} {
		if errors.Is(err, refusal) {
			return refusal
		}
	}
	return nil
}

// mayEnter reads the mode bits of a folder as the kernel does for an account without supplementary groups.
func (a account) mayEnter(folder fs.FileInfo) bool {
	stat, ok := folder.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	switch {
	case int(stat.Uid) == a.uid:
		return folder.Mode()&0o100 != 0
	case int(stat.Gid) == a.gid:
		return folder.Mode()&0o010 != 0
	}
	return folder.Mode()&0o001 != 0
}

// ownedBy tells whether a file belongs to one of the users.
func ownedBy(file fs.FileInfo, uids ...int) bool {
	stat, ok := file.Sys().(*syscall.Stat_t)
	return ok && slices.Contains(uids, int(stat.Uid))
}
