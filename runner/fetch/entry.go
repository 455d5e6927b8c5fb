package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"deletecost/fixtures"
	"deletecost/runner/diskspace"
)

// entry is one pinned thing in the cache: a folder that is only ever renamed into place whole.
type entry struct {
	cache string // folder
	name  string // of the entry's folder in cache; its digest is part of it, so another pin is another entry
	what  string // in words, for messages
	pin   fixtures.Pin
	ways  []string
	rep   *reporter
}

// source is one place to fetch an entry from.
type source struct {
	name        string // "bundle", "maven", "webjar" or "npm"
	coordinates string // the package there, or the entry of a bundle
	// fill puts the files into tree; work is an empty folder to use meanwhile. Both are removed with all that is in them.
	fill func(ctx context.Context, work, tree string) error
}

// found is where an entry is and where it came from.
type found struct{ dir, source, coordinates string }

func newEntry(cache, kind, what string, pin fixtures.Pin, ways []string, progress func(Progress)) entry {
	name := fmt.Sprintf("%s-%s-%s-%.12s", kind, pin.Version, strings.ReplaceAll(pin.Platform, "/", "-"), pin.Digest)
	return entry{cache: cache, name: name, what: what, pin: pin, ways: ways, rep: newReporter(what, progress)}
}

func (e entry) dir() string { return filepath.Join(e.cache, e.name) }

// get returns the entry from the cache, where it is verified each time, or from the first source that has it. A cache that is already
// warm is only read.
func (e entry) get(ctx context.Context, sources []source) (found, error) {
	here := found{e.dir(), "cache", e.pin.Sources["maven"]}
	err := verify(e.dir(), e.pin)
	if err == nil {
		return here, nil
	}
	var damaged *damage
	if !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &damaged) {
		return found{}, &CacheError{Dir: e.cache, Err: err}
	}
	held, err := e.lock(ctx)
	if err != nil {
		return found{}, e.explain(err, damaged)
	}
	defer unlock(held)
	e.sweep()
	// Whoever had the lock before may have fetched it.
	err = verify(e.dir(), e.pin)
	if err == nil {
		return here, nil
	}
	if errors.As(err, &damaged) {
		e.rep.warn("cache", err.Error()+"; it is fetched again")
	}
	return e.fetch(ctx, err, sources)
}

func (e entry) lock(ctx context.Context) (*os.File, error) {
	if err := makeFolders(e.cache); err != nil {
		return nil, &CacheError{Dir: e.cache, Err: err}
	}
	f, err := lock(ctx, e.dir()+".lock", func() { e.rep.say("cache", "waiting for another run that fetches the same") })
	if err != nil && ctx.Err() == nil {
		return nil, &CacheError{Dir: e.cache, Err: err}
	}
	return f, err
}

// explain adds the damaged file to the error of a cache that cannot be mended.
func (e entry) explain(err error, damaged *damage) error {
	var cache *CacheError
	if damaged != nil && errors.As(err, &cache) {
		return &CacheError{Dir: e.cache, Err: fmt.Errorf("%w, and it cannot be fetched again: %w", damaged, cache.Err)}
	}
	return err
}

// sweep removes what killed runs left of this entry; the lock is ours, so nobody is at work there.
func (e entry) sweep() {
	stale, _ := filepath.Glob(filepath.Join(escapeGlob(e.cache), e.name+".tmp-*"))
	for _, dir := range stale {
		os.RemoveAll(dir)
	}
}

func escapeGlob(dir string) string {
	return strings.NewReplacer("[", "\\[", "*", "\\*", "?", "\\?").Replace(dir)
}

func (e entry) fetch(ctx context.Context, missing error, sources []source) (found, error) {
	if err := e.checkRoom(diskspace.Free); err != nil {
		return found{}, err
	}
	lacks := &NotFoundError{What: e.what, Ways: e.ways}
	lacks.add("cache", missing)
	for _, s := range sources {
		err := e.from(ctx, s)
		if err == nil {
			return e.foundIn(s), nil
		}
		if ctx.Err() != nil {
			return found{}, fmt.Errorf("fetching %s: %w", e.what, context.Cause(ctx))
		}
		if fatal(ctx, err) {
			return found{}, err
		}
		lacks.add(s.name, err)
	}
	return found{}, lacks
}

// foundIn is what a source has filled. A bundle names no package, so the first source's is named as for the cache.
func (e entry) foundIn(s source) found {
	if s.name == "bundle" {
		return found{e.dir(), s.name, e.pin.Sources["maven"]}
	}
	return found{e.dir(), s.name, s.coordinates}
}

func (e *NotFoundError) add(source string, err error) {
	if errors.Is(err, fs.ErrNotExist) && source == "cache" {
		err = errors.New("it is not there yet")
	}
	e.Attempts = append(e.Attempts, Attempt{Source: source, Err: err})
}

// from fills a fresh folder from one source and renames it into place when its content is as pinned.
func (e entry) from(ctx context.Context, s source) error {
	tmp, err := os.MkdirTemp(e.cache, e.name+".tmp-")
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	defer os.RemoveAll(tmp)
	work, tree := filepath.Join(tmp, "work"), filepath.Join(tmp, "tree")
	for _, dir := range []string{work, tree} {
		if err := makeFolders(dir); err != nil {
			return &CacheError{Dir: e.cache, Err: err}
		}
	}
	if err := s.fill(ctx, work, tree); err != nil {
		return e.ofCache(err)
	}
	if err := e.accept(s, tree); err != nil {
		return err
	}
	return e.place(tree)
}

// ofCache makes an error of the cache, and of no source, what comes from the file system: another source would fail for it, too. The folder named is the
// user's, not one in it.
func (e entry) ofCache(err error) error {
	if bad, ok := errors.AsType[*CacheError](err); ok {
		return &CacheError{Dir: e.cache, Err: bad.Err}
	}
	if isFull(err) {
		return &CacheError{Dir: e.cache, Err: err}
	}
	return err
}

// place makes a whole tree the entry, instead of a damaged one if there is one.
func (e entry) place(tree string) error {
	err := os.RemoveAll(e.dir())
	if err == nil {
		err = os.Rename(tree, e.dir())
	}
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	return nil
}

// makeFolders makes a folder and those above it, readable for everybody whatever the umask is: the server may run as another account.
func makeFolders(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolders(filepath.Dir(dir)); err != nil {
		return err
	}
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody else was faster
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}
