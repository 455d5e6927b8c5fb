//go:build unix

package archive

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// isFull says whether an error is that of a disk that is full, or of a quota.
func isFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }
