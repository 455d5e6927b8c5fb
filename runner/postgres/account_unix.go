//go:build unix

package postgres

import (
	"io/fs"
	"slices"
	"syscall"
)

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
