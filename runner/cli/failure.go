package cli

import (
	"errors"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

// The exit codes of the command; the usage text explains them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitShortage    = 3
	exitDownload    = 4
	exitDiffers     = 5
	exitInterrupted = 130
)

// A usageError is something to mend on the command line; nothing was run.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// A shortageError is something that this machine lacks, with its remedy.
type shortageError struct{ text string }

func (e *shortageError) Error() string { return e.text }

// A chartsError says that ECharts is needed for what was asked and cannot be had.
type chartsError struct {
	text string
	err  error
}

func (e *chartsError) Error() string { return e.text + ": " + e.err.Error() }

func (e *chartsError) Unwrap() error { return e.err }

// A checkError holds the verdicts that --check found to differ.
type checkError struct{ differences []runner.Difference }

func (e *checkError) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap returns an error for each difference.
func (e *checkError) Unwrap() []error {
	all := make([]error, len(e.differences))
	for i, d := range e.differences {
		all[i] = errors.New("--check: " + d.String())
	}
	return all
}

// exitCode is the one place where errors become exit codes.
func exitCode(err error, interrupted bool) int {
	switch {
	case interrupted:
		return exitInterrupted
	case err == nil:
		return exitDone
	case is[*runsError](err):
		return worst(err)
	case is[*usageError](err), is[*fetch.VersionError](err), is[*fetch.PGBinError](err), is[*runner.FolderError](err), is[*runner.MixError](err):
		return exitUsage
	case wrongContent(err), is[*fetch.NotFoundError](err):
		return exitDownload
	case is[*fetch.BundleError](err): // asked for what it lacks, unless a source behind it was asked, too
		return exitUsage
	case is[*fetch.CacheError](err), is[*fetch.PlatformError](err), is[*postgres.EnvironmentError](err), is[*shortageError](err):
		return exitShortage
	case is[*chartsError](err): // for a reason that none of the above is
		return exitDownload
	case is[*checkError](err):
		return exitDiffers
	}
	return exitFailed
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// parts takes joined errors apart.
func parts(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, parts(e)...)
	}
	return all
}

// clean makes one line of a text, so that no server, registry or file name
// writes to the terminal.
func clean(text string) string { return runner.OneLine(text) }
