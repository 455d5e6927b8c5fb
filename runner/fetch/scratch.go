package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What runner/postgres sweeps when it starts: a folder of this prefix with a file of this name and text that nobody has locked. So the folder of a
// run that was killed does not stay.
const (
	scratchPrefix = "deletecost-"
	scratchLock   = "lock"
	scratchMark   = "deletecost run folder; may be removed when nobody holds the lock of this file\n"
)

// scratch is a temporary folder instead of a cache. Only this user can write to it, and everybody can read it, since the server may run as another account.
type scratch struct {
	dir  string
	lock *os.File
}

// folder makes the temporary folder at the first call.
func (b *Bundle) folder(ctx context.Context) (string, error) {
	if b.scratch != nil {
		return b.scratch.dir, nil
	}
	s, err := newScratch(ctx)
	if err != nil {
		return "", &CacheError{Dir: os.TempDir(), Err: errors.Join(err, s.remove())}
	}
	b.scratch = s
	return s.dir, nil
}

func newScratch(ctx context.Context) (*scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil {
		return s, err
	}
	if s.lock, err = lock(ctx, filepath.Join(dir, scratchLock), func() {}); err != nil {
		return s, err
	}
	_, err = s.lock.WriteString(scratchMark)
	return s, err
}

// remove deletes the folder, what marks it last, and gives up its lock. It may be called again, and on nil.
func (s *scratch) remove() error {
	if s == nil {
		return nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, e := range entries {
		if e.Name() != scratchLock {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.dir, e.Name())))
		}
	}
	if err != nil {
		s.release()
		return fmt.Errorf("removing temporary folder %q: %w", s.dir, err)
	}
	s.release() // before it is removed, since an open file cannot be removed everywhere
	return os.RemoveAll(s.dir)
}

// keep takes the mark away, so that no sweep takes the folder. It may be called on nil.
func (s *scratch) keep() {
	if s != nil {
		os.Remove(filepath.Join(s.dir, scratchLock))
		s.release()
	}
}

func (s *scratch) release() {
	if s.lock != nil {
		s.lock.Close()
		s.lock = nil
	}
}
