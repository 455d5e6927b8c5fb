//go:build unix

package postgres

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the exclusive lock of an open file and tells whether it got it. The lock belongs to the open file, so
// processes that inherit it hold it too.
func tryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// openUnfollowed opens an existing file for reading and follows no symbolic link in its last part, nor does it wait for
// a pipe's other end.
func openUnfollowed(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}
