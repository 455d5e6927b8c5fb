//go:build unix

// Package diskspace says how much room a file system has.
package diskspace

import "golang.org/x/sys/unix"

// Free returns the bytes that an ordinary user may still write to the file system that holds dir.
func Free(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
