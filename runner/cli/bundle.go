package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"deletecost/fixtures"
	"deletecost/runner"
	"deletecost/runner/diskspace"
	"deletecost/runner/fetch"
)

// bundle is the word of that name.
func (p *program) bundle(ctx context.Context, args []string) error {
	var o options
	names, err := parse(o.bundleFlags(), args, p.getenv)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return usagef("bundle takes no arguments, not %q: deletecost help bundle", names[0])
	}
	pins, err := o.bundlePins()
	if err != nil {
		return err
	}
	if err := checkMirror(o.mirror); err != nil {
		return err
	}
	p.tell.quiet = o.quiet
	file, err := newBundleFile(o.out)
	if err != nil {
		return err
	}
	if err := checkBundleSpace(file, pins, diskspace.Free); err != nil {
		return err
	}
	start := p.now()
	if err := fetch.WriteBundle(ctx, p.fetchOptions(o), file, pins); err != nil {
		return bundleFileError(file, err)
	}
	if info, err := os.Stat(file); err == nil {
		p.tell.step("bundle of "+runner.Humanize(fmt.Sprint(info.Size()), "bytes"), ": "+duration(p.now().Sub(start)))
	}
	return p.print(file + "\n")
}

// bundlePins are the servers that a bundle is to hold, sorted by the platforms
// and versions as they were given.
func (o *options) bundlePins() ([]fixtures.Pin, error) {
	set, err := fixtures.Pins()
	if err != nil {
		return nil, err
	}
	platforms, err := o.platforms(set)
	if err != nil {
		return nil, err
	}
	var pins []fixtures.Pin
	for _, platform := range platforms {
		for _, word := range listed(o.pg) {
			pin, ok := set.Postgres(word, platform)
			if !ok {
				return nil, unknownVersion(word, set.Words(platform))
			}
			same := func(p fixtures.Pin) bool { return p.Version == pin.Version && p.Platform == pin.Platform }
			if slices.ContainsFunc(pins, same) {
				return nil, usagef("PostgreSQL %s for %s is named twice: name it once", pin.Version, platform)
			}
			pins = append(pins, pin)
		}
	}
	return pins, nil
}

func (o *options) platforms(set fixtures.PinSet) ([]string, error) {
	chosen := []string{runtime.GOOS + "/" + runtime.GOARCH}
	if o.platform != "" {
		chosen = listed(o.platform)
	}
	for _, platform := range chosen {
		if !slices.Contains(set.Platforms(), platform) {
			return nil, unknown("platform", platform, set.Platforms())
		}
	}
	return chosen, nil
}

// listed takes a list with commas apart.
func listed(text string) []string {
	list := strings.Split(text, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// newBundleFile returns the absolute name of a file that does not exist, in a
// folder that can be written.
func newBundleFile(named string) (string, error) {
	if named == "" {
		return "", usagef("bundle needs the name of a new file: deletecost bundle --out FILE")
	}
	file, err := filepath.Abs(named)
	if err == nil {
		_, err = os.Lstat(file)
	}
	switch {
	case err == nil:
		return "", usagef("--out %q exists: name a new file, or remove it", named)
	case !errors.Is(err, fs.ErrNotExist):
		return "", bundleFileError(named, err)
	}
	if err := tryWriting(filepath.Dir(file)); err != nil {
		return "", bundleFileError(named, err)
	}
	return file, nil
}

// checkBundleSpace says that a disk will be full before it is.
func checkBundleSpace(file string, pins []fixtures.Pin, free func(dir string) (int64, error)) error {
	need, err := fetch.BundleRoom(pins)
	if err != nil {
		return err
	}
	dir := filepath.Dir(file)
	if have, err := free(dir); err == nil && have < need {
		return tooFull("the bundle", need, dir, have, "free space there, or name a file on another file system with --out")
	}
	return nil
}

// bundleFileError says why the file could not be written; other errors are
// those of fetching.
func bundleFileError(file string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case is[*fetch.CacheError](err), is[*fetch.NotFoundError](err), is[*fetch.DigestError](err), is[*fetch.ArchiveError](err):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &shortageError{fmt.Sprintf("the file system of %q is full: free space there, or name a file on another file system with --out", file)}
	case errors.Is(err, fs.ErrExist):
		return usagef("--out %q exists: name a new file, or remove it", file)
	case errors.As(err, &path), errors.As(err, &link):
		return usagef("--out %q cannot be written: %v: name a file in another folder", file, reason(err))
	}
	return err
}

// openBundle opens the bundle of a run, which must hold the version.
func (p *program) openBundle(ctx context.Context, r *request) (err error) {
	if err := p.openAnyBundle(ctx, r.options); err != nil || p.source == nil {
		return err
	}
	if r.keep {
		p.source.Keep()
	}
	if r.pgBin != "" {
		return nil
	}
	for _, version := range r.versions {
		if err := p.source.Check(version); err != nil {
			return err
		}
	}
	return nil
}

// openAnyBundle opens a bundle for what it holds for every platform.
func (p *program) openAnyBundle(ctx context.Context, o options) (err error) {
	if o.bundle != "" {
		p.source, err = fetch.OpenBundle(ctx, o.bundle)
	}
	return err
}
