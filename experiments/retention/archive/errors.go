package archive

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of errors of Run, for errors.Is.
var (
	// ErrPreflight: something stands in the way; nothing was changed.
	ErrPreflight = errors.New("not ready to archive")
	// ErrForeign: the folder or a table is not of this run; it is left alone.
	ErrForeign = errors.New("not of this run")
	// ErrChanged: a table changed between its export and its drop, which did
	// not happen.
	ErrChanged = errors.New("the table has changed since it was exported")
	// ErrArchive: the archive is not what was written; nothing was dropped.
	ErrArchive = errors.New("the archive does not verify")
	// ErrLocked: a lock was not granted in time; nothing was dropped.
	ErrLocked = errors.New("waited too long for a lock")
)

// faultError makes the faults of an archive into one error.
func faultError(dir string, faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	const shown = 10
	var lines []string
	for _, f := range faults[:min(shown, len(faults))] {
		lines = append(lines, f.String())
	}
	if len(faults) > shown {
		lines = append(lines, "and more")
	}
	return fmt.Errorf("%w: %s: %s: nothing was dropped; run again to have it written anew", ErrArchive, dir, strings.Join(lines, "; "))
}
