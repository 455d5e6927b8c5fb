package postgres

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// EnvironmentError says what this machine or account lacks for a server, and how to mend it.
type EnvironmentError struct {
	// Problem is what is missing or in the way, in words, with the folder or the limit named.
	Problem string
	// Remedy is the next step for the user.
	Remedy string
	// Err is the system's own error, or nil.
	Err error
}

// Error is one line: problem, cause, remedy.
func (e *EnvironmentError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s; %s", e.Problem, e.Remedy)
	}
	return fmt.Sprintf("%s: %v; %s", e.Problem, e.Err, e.Remedy)
}

// Unwrap returns the system's own error.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// isFull tells whether an error comes from a full file system. initdb and postgres run with LC_ALL=C, so their words
// are known: the system's text for a write that failed, their hint for one that was cut short.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(err.Error(), "No space left on device") || strings.Contains(err.Error(), "Check free disk space")
}

// fullDisk turns an error that comes from a full file system into one that names the folder; others, and one that names
// its folder already, pass unchanged.
func fullDisk(err error, folder, remedy string) error {
	if err == nil || !isFull(err) {
		return err
	}
	if _, told := errors.AsType[*EnvironmentError](err); told {
		return err
	}
	return &EnvironmentError{Problem: fmt.Sprintf("folder %q is full", folder), Remedy: remedy, Err: err}
}

// Remedies that are named in more than one place.
const (
	remedyTemp  = "free space there or set TMPDIR to another folder"
	remedyCache = "free space there or choose another folder with --cache DIR"
	remedyOpen  = "set TMPDIR to a folder that is open to it, such as /tmp"
)
