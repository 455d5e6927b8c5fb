//go:build unix

package fetch

import "golang.org/x/sys/unix"

// FreeSpace returns the bytes that an ordinary user may still write to the file system that holds dir.
func FreeSpace(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
