package cli

import (
	"errors"
	"fmt"
	"slices"
)

// A runsError holds what went wrong in several runs, each error with the name
// of its run.
type runsError struct {
	errs  []error
	codes []int // the exit code of each run that had an error
}

func (e *runsError) Error() string { return errors.Join(e.errs...).Error() }

// Unwrap returns an error for each line that is said.
func (e *runsError) Unwrap() []error { return e.errs }

// add puts the name of a run before each of its errors.
func (e *runsError) add(run string, err error) {
	if err != nil {
		e.codes = append(e.codes, exitCode(err, false))
	}
	for _, part := range parts(err) {
		e.errs = append(e.errs, fmt.Errorf("%s: %w", run, part))
	}
}

// severity orders the exit codes of a run from the worst.
var severity = []int{exitUsage, exitShortage, exitDownload, exitFailed, exitDiffers}

// worst is the exit code of several runs: the worst that one of them would have
// had alone.
func worst(err error) int {
	all, _ := errors.AsType[*runsError](err)
	for _, code := range severity {
		if slices.Contains(all.codes, code) {
			return code
		}
	}
	return exitFailed
}
