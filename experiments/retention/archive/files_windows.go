package archive

import (
	"errors"

	"golang.org/x/sys/windows"
)

func syncFolder(string) error { return nil }

// isFull says whether an error is that of a disk that is full, or of a quota.
func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
