package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	runPrefix = "deletecost-" // of a run folder's name
	lockName  = "lock"        // the file in it that is locked while the tool or one of its servers lives
	// magic is the text of the lock file. It is written once the lock is held, so a folder with this text whose lock is
	// free belongs to a dead run, and one without it is none of ours or not ready yet.
	magic = "deletecost run folder; may be removed when nobody holds the lock of this file\n"
)

// runFolder is the folder of one run.
type runFolder struct {
	path string
	lock *os.File // locked; every server inherits it
}

// tempFolder chooses where the run folder goes: wanted, or the system's temporary folder. Socket paths below it must
// stay under the bound of the operating system; a folder that somebody named is not replaced by a shorter one.
func tempFolder(wanted string) (string, error) {
	folder := wanted
	if folder == "" {
		folder = os.TempDir()
		if socketRoom(folder) < 0 && runtime.GOOS == "darwin" {
			folder = "/tmp" // macOS sets TMPDIR for every user, so nobody has asked for it
		}
	}
	if room := socketRoom(folder); room < 0 {
		return "", &EnvironmentError{
			Problem: fmt.Sprintf("the path of a socket below %q has up to %d bytes, and %s allows %d bytes", folder, socketLimit()-room, runtime.GOOS, socketLimit()),
			Remedy:  "set TMPDIR to a shorter path",
		}
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", &EnvironmentError{
			Problem: fmt.Sprintf("the temporary folder %q is not there", folder),
			Remedy:  "create it or set TMPDIR to another folder",
			Err:     err,
		}
	}
	return folder, nil
}

// socketLimit is the longest path of a Unix socket in bytes: sun_path less its final zero.
func socketLimit() int {
	if runtime.GOOS == "darwin" {
		return 103
	}
	return 107
}

// socketRoom is how many bytes the longest socket path below a temporary folder leaves; under 0 it is too long.
func socketRoom(temp string) int {
	longest := filepath.Join(temp, runPrefix+"4294967295", "999", socketName)
	return socketLimit() - len(longest)
}

// makeRunFolder makes a locked run folder, 0700 and owned by the account.
func makeRunFolder(parent string, who account) (*runFolder, error) {
	path, err := os.MkdirTemp(parent, runPrefix)
	if err != nil {
		if isFull(err) {
			return nil, fullDisk(err, parent, remedyTemp)
		}
		return nil, &EnvironmentError{
			Problem: fmt.Sprintf("nothing can be created in the temporary folder %q", parent),
			Remedy:  "set TMPDIR to another folder",
			Err:     err,
		}
	}
	r := &runFolder{path: path}
	if err := r.claim(who); err != nil {
		return nil, errors.Join(fullDisk(fmt.Errorf("making run folder %q: %w", path, err), parent, remedyTemp), r.remove())
	}
	return r, nil
}

// claim locks the folder, gives it to the account and marks it.
func (r *runFolder) claim(who account) (err error) {
	if r.lock, err = lockFile(context.Background(), filepath.Join(r.path, lockName)); err != nil {
		return err
	}
	if err := who.own(r.path); err != nil {
		return err
	}
	_, err = r.lock.WriteString(magic)
	return err
}

// remove deletes the folder with all that is in it, then gives up the lock. It may be called again.
func (r *runFolder) remove() error {
	err := removeMarkLast(r.path)
	if r.lock != nil {
		r.lock.Close()
	}
	return err
}

// removeMarkLast removes a run folder so that a sweep still knows it when the removal is cut short.
func removeMarkLast(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if entry.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(path, entry.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("removing run folder %q: %w", path, err)
	}
	return os.RemoveAll(path)
}

// keep leaves the folder behind without its mark, so that no sweep takes it. It may be called again.
func (r *runFolder) keep() error {
	err := os.Remove(filepath.Join(r.path, lockName))
	r.lock.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
