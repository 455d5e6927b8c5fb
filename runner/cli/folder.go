package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A folder is the results folder of a run, ready to be written to.
type folder struct {
	path string   // absolute
	made []string // what was made for it, outermost first: removed again when nothing was measured
}

// newFolder makes the results folder: the named one, which must be new or
// empty, or one named by the time below results/.
func newFolder(named string, now time.Time) (*folder, error) {
	if named != "" {
		return namedFolder(named)
	}
	base := filepath.Join("results", now.UTC().Format("20060102T150405Z"))
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		f, err := makeFolder(name)
		if !errors.Is(err, fs.ErrExist) {
			return f, folderError(name, err)
		}
	}
}

func namedFolder(named string) (*folder, error) {
	f, err := makeFolder(named)
	if !errors.Is(err, fs.ErrExist) {
		return f, folderError(named, err)
	}
	entries, err := os.ReadDir(named)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, usagef("--out %q is not a folder: name a new or an empty one", named)
	case err != nil:
		return nil, folderError(named, err)
	case len(entries) > 0:
		return nil, usagef("--out %q exists and is not empty (%d entries): name a new folder or empty it", named, len(entries))
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return nil, folderError(named, err)
	}
	return &folder{path: path}, folderError(named, tryWriting(path))
}

// makeFolder makes a folder with the parents that are missing. The last step
// is exclusive, so that two runs never share a folder.
func makeFolder(name string) (*folder, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path}
	for _, dir := range missing(filepath.Dir(path)) {
		if err := os.Mkdir(dir, 0o755); err == nil {
			f.made = append(f.made, dir)
		} else if !errors.Is(err, fs.ErrExist) {
			f.abandon()
			return nil, err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		f.abandon()
		return nil, err
	}
	f.made = append(f.made, path)
	if err := tryWriting(path); err != nil {
		f.abandon()
		return nil, err
	}
	return f, nil
}

// missing lists the folders on the way to dir that do not exist, outermost first.
func missing(dir string) []string {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
		return nil
	}
	return append(missing(filepath.Dir(dir)), dir)
}

// tryWriting finds out what permissions alone do not tell.
func tryWriting(dir string) error {
	file, err := os.CreateTemp(dir, ".deletecost-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func folderError(name string, err error) error {
	if err == nil {
		return nil
	}
	return usagef("--out %q cannot be written: %v: name another folder", name, reason(err))
}

// reason is an error without the name of the file, which the message has.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// measured says that the folder holds a run's record.
func (f *folder) measured() bool {
	_, err := os.Stat(filepath.Join(f.path, "run.json"))
	return err == nil
}

// abandon removes what was made as long as nothing was measured. A folder in
// which somebody else has put something stays.
func (f *folder) abandon() {
	if f.measured() {
		return
	}
	os.Remove(f.serverLog())
	for i := len(f.made) - 1; i >= 0; i-- {
		os.Remove(f.made[i])
	}
}

func (f *folder) serverLog() string { return filepath.Join(f.path, "server.log") }
