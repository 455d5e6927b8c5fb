package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Attempt is one source that was asked and the reason why it gave nothing.
type Attempt struct {
	// Source is "cache", "bundle", "maven", "webjar" or "npm".
	Source string
	// Err is why it failed.
	Err error
}

// NotFoundError reports that no source had the wanted thing. It lists all of them.
type NotFoundError struct {
	// What is the wanted thing in words: "PostgreSQL 17.10 for linux/amd64".
	What string
	// Attempts are the sources in the order in which they were asked.
	Attempts []Attempt
	// Ways are the remedies that the user has.
	Ways []string
}

func (e *NotFoundError) Error() string {
	tried := make([]string, len(e.Attempts))
	for i, a := range e.Attempts {
		tried[i] = a.Source + ": " + oneLine(a.Err.Error())
	}
	return fmt.Sprintf("finding %s: %s; ways on: %s", e.What, strings.Join(tried, "; "), strings.Join(e.Ways, ", "))
}

// Unwrap returns the reasons, so that errors.Is and errors.As see them.
func (e *NotFoundError) Unwrap() []error {
	errs := make([]error, len(e.Attempts))
	for i, a := range e.Attempts {
		errs[i] = a.Err
	}
	return errs
}

// DigestError reports content that is not what its pin says. No other source is asked, nothing of the content was executed and nothing of it was kept.
type DigestError struct {
	// File names the content: a package at its source.
	File string
	// Source is "bundle", "maven", "webjar" or "npm".
	Source string
	// Want and Got are hexadecimal SHA-256 digests.
	Want, Got string
}

func (e *DigestError) Error() string {
	return fmt.Sprintf("checking %s from %s: its content has digest %s where the pin says %s; nothing of it was run or kept; %s", e.File, e.Source, e.Got, e.Want, otherSource(e.Source))
}

// ArchiveError reports an archive that breaks the rules of unpacking: it would write outside of its folder, holds what no PostgreSQL holds, or more
// than its pin says. Like a DigestError it ends the search.
type ArchiveError struct {
	// File names the archive: a package at its source.
	File string
	// Source is "bundle", "maven", "webjar" or "npm".
	Source string
	// Entry is the name of the offending entry, or "" when the whole is at fault.
	Entry string
	// Reason is what is wrong with it.
	Reason string
}

func (e *ArchiveError) Error() string {
	where := "the archive"
	if e.Entry != "" {
		where = fmt.Sprintf("entry %q", e.Entry)
	}
	return fmt.Sprintf("unpacking %s from %s: %s %s; nothing of it was run or kept; %s", e.File, e.Source, where, e.Reason, otherSource(e.Source))
}

// otherSource is the remedy for a source that gives the wrong thing.
func otherSource(source string) string {
	if source == "bundle" {
		return bundleRemedy
	}
	return "name another repository with --pg-mirror URL"
}

// CacheError reports a cache folder that cannot be used.
type CacheError struct {
	// Dir is the folder, or "" when none was named and this account has none of its own.
	Dir string
	// Err is why.
	Err error
}

func (e *CacheError) Error() string {
	reason := oneLine(e.Err.Error())
	switch {
	case e.Dir == "":
		return fmt.Sprintf("finding a folder for downloads: %s; name one with --cache DIR", reason)
	case isFull(e.Err):
		return fmt.Sprintf("using cache folder %q: %s; free space there, or name another folder with --cache DIR", e.Dir, reason)
	}
	return fmt.Sprintf("using cache folder %q: %s; name another one with --cache DIR", e.Dir, reason)
}

// Unwrap returns the reason.
func (e *CacheError) Unwrap() error { return e.Err }

// PGBinError reports a --pg-bin folder that does not hold a usable PostgreSQL.
type PGBinError struct {
	// Dir is the folder as the user gave it.
	Dir string
	// Want is the version that it must have, in words.
	Want string
	// Err is why.
	Err error
}

func (e *PGBinError) Error() string {
	return fmt.Sprintf("using --pg-bin %q: %s; it must hold postgres and initdb of version %s", e.Dir, oneLine(e.Err.Error()), e.Want)
}

// Unwrap returns the reason.
func (e *PGBinError) Unwrap() error { return e.Err }

// VersionError reports a version word that no pin answers to.
type VersionError struct {
	// Word is what was asked for.
	Word string
	// Valid are the words that exist on this platform.
	Valid []string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("finding PostgreSQL %q: no such version; choose one of %s", e.Word, strings.Join(e.Valid, ", "))
}

// PlatformError reports a machine that the pinned files do not run on.
type PlatformError struct {
	// Platform is GOOS/GOARCH.
	Platform string
	// Reason is why nothing fits.
	Reason string
}

func (e *PlatformError) Error() string {
	return fmt.Sprintf("finding PostgreSQL for %s: %s; install PostgreSQL and name its folder with --pg-bin DIR", e.Platform, e.Reason)
}

// fatal says that an error ends the search instead of leading to the next source.
func fatal(ctx context.Context, err error) bool {
	var digest *DigestError
	var archive *ArchiveError
	var cache *CacheError
	var bundle *BundleDamageError
	return ctx.Err() != nil || errors.As(err, &bundle) || errors.As(err, &digest) || errors.As(err, &archive) || errors.As(err, &cache)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
