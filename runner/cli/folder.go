package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"deletecost/runner"
)

// A folder is the results folder of a run, or the one that holds those of
// several runs, ready to be written to. The file in it that only one run can
// create makes it this run's own.
type folder struct {
	path string   // absolute
	made []string // the folders made for it, outermost first: removed again when nothing was measured
	mark string   // the file's name: logName, or runner.MatrixFile
	log  *os.File // the file: the server's log, when it is one
}

// logName is the server's log in a results folder.
const logName = "server.log"

// newFolder makes the results folder: the named one, which must be new or
// empty, or one named by the time below results/.
func newFolder(named string, now time.Time) (*folder, error) {
	return markedFolder(named, now, logName)
}

// newMatrixFolder makes a folder for several results folders.
func newMatrixFolder(named string, now time.Time) (*folder, error) {
	return markedFolder(named, now, runner.MatrixFile)
}

func markedFolder(named string, now time.Time, mark string) (*folder, error) {
	if named != "" {
		return namedFolder(named, mark)
	}
	base := filepath.Join("results", now.UTC().Format("20060102T150405Z"))
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		f, err := makeFolder(name, mark)
		if !errors.Is(err, fs.ErrExist) {
			return f, folderError(name, err)
		}
	}
}

func namedFolder(named, mark string) (*folder, error) {
	f, err := makeFolder(named, mark)
	if !errors.Is(err, fs.ErrExist) {
		return f, folderError(named, err)
	}
	entries, err := os.ReadDir(named)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, usagef("--out %q is not a folder: name a new or an empty one", named)
	case err != nil:
		return nil, folderError(named, err)
	case len(entries) == 1 && (entries[0].Name() == logName || entries[0].Name() == runner.MatrixFile):
		return nil, usedFolder(named)
	case len(entries) > 0:
		return nil, usagef("--out %q exists and is not empty (%s): name a new folder or empty it", named, counted(len(entries), "entry", "entries"))
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return nil, folderError(named, err)
	}
	f = &folder{path: path, mark: mark}
	if err := f.claim(); errors.Is(err, fs.ErrExist) {
		return nil, usedFolder(named)
	} else if err != nil {
		return nil, folderError(named, err)
	}
	return f, nil
}

// usedFolder is for a folder in which a run has begun and has not measured.
func usedFolder(named string) error {
	return usagef("--out %q is used by another run: name another folder, or empty it when that run is dead", named)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// claim makes the folder this run's own and finds out what permissions alone
// do not tell.
func (f *folder) claim() (err error) {
	f.log, err = os.OpenFile(filepath.Join(f.path, f.mark), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return err
}

// makeFolder makes a folder with the parents that are missing, and claims it.
// It fails with fs.ErrExist when the folder is there.
func makeFolder(name, mark string) (*folder, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path, mark: mark}
	for _, dir := range missing(filepath.Dir(path)) {
		if err := os.Mkdir(dir, 0o755); err == nil {
			f.made = append(f.made, dir)
		} else if !errors.Is(err, fs.ErrExist) {
			f.close()
			return nil, err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		f.close()
		return nil, err
	}
	f.made = append(f.made, path)
	if err := f.claim(); err != nil {
		f.close()
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

func folderError(name string, err error) error {
	if err == nil {
		return nil
	}
	return usagef("--out %q cannot be written: %v: name another folder", name, reason(err))
}

// reason is an error without the name of the file, which the message has.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// measured says that the folder holds this run's record, or those of several.
func (f *folder) measured() bool {
	if f.log == nil {
		return false
	}
	if f.mark == runner.MatrixFile {
		entries, err := os.ReadDir(f.path)
		return err != nil || len(entries) > 1
	}
	_, err := os.Stat(filepath.Join(f.path, "run.json"))
	return err == nil
}

// close ends the log and, as long as nothing was measured, removes what this
// run made. A folder in which somebody else has put something stays.
func (f *folder) close() {
	if f.log != nil {
		f.log.Close()
	}
	if f.measured() {
		return
	}
	if f.log != nil {
		os.Remove(f.log.Name())
	}
	for i := len(f.made) - 1; i >= 0; i-- {
		os.Remove(f.made[i])
	}
}
