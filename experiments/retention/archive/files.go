package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// ErrDead is returned by every operation of a Disk after a failpoint has
// failed: a process that was killed does not clean up.
var ErrDead = errors.New("the disk is dead since a failpoint")

// A Disk changes files. All files of an archive are changed through one, so
// that a test can stop the pipeline around each change. A nil *Disk and the
// zero Disk are the file system itself.
type Disk struct {
	// Fail is called before and after each operation, and amid each write when
	// half of it is done, by every goroutine that writes. Points are numbered
	// from 1 in the order in which they are reached; the name says the moment,
	// the operation (create, write, fsync, append, rename, link, fsync-folder,
	// remove, mkdir) and the base name: "before rename a-000001.jsonl.gz". An error is
	// returned by the operation, and the Disk is dead from then on.
	Fail func(point int, name string) error

	skipFolders bool // a mistake that tests seed: folders are not fsynced

	mu     sync.Mutex
	points int
	dead   error
}

// reach passes a failpoint.
func (d *Disk) reach(moment, operation, file string) error {
	if d == nil || d.Fail == nil {
		return nil
	}
	point, err := d.next()
	if err != nil {
		return err
	}
	if err := d.Fail(point, moment+" "+operation+" "+filepath.Base(file)); err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.dead = errors.Join(ErrDead, err)
		return err
	}
	return nil
}

// next numbers a failpoint, unless the Disk is dead.
func (d *Disk) next() (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.points++
	return d.points, d.dead
}

// around does an operation between its two failpoints.
func (d *Disk) around(operation, file string, do func() error) error {
	if err := d.reach("before", operation, file); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return d.reach("after", operation, file)
}

// Mkdir makes a folder that does not exist, 0700: an archive may hold what
// others must not read. The folder above it is not fsynced.
func (d *Disk) Mkdir(dir string) error {
	return d.around("mkdir", dir, func() error { return os.Mkdir(dir, 0o700) })
}

// Rename gives a file its name, over a file that has it already. It lasts from
// the next SyncDir on.
func (d *Disk) Rename(from, to string) error {
	return d.around("rename", to, func() error { return os.Rename(from, to) })
}

// Remove removes a file. One that does not exist is no error.
func (d *Disk) Remove(file string) error {
	return d.around("remove", file, func() error {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// SyncFile makes the content of a file last that is not open.
func (d *Disk) SyncFile(file string) error {
	return d.around("fsync", file, func() error {
		f, err := os.OpenFile(file, os.O_RDWR, 0) // Windows flushes only what can be written
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// Append adds to the end of a file that exists. It may be cut by a kill.
func (d *Disk) Append(file string, content []byte) error {
	return d.around("append", file, func() error {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return errors.Join(err, f.Close())
	})
}

// SyncDir makes the names in a folder last. It does nothing on Windows, which
// offers no such call.
func (d *Disk) SyncDir(dir string) error {
	if d != nil && d.skipFolders {
		return nil
	}
	return d.around("fsync-folder", dir, func() error { return syncFolder(dir) })
}

// Create opens a file for writing, 0600, and empties it when it exists.
func (d *Disk) Create(file string) (*File, error) {
	var f *os.File
	err := d.around("create", file, func() (err error) {
		f, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		return err
	})
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return &File{disk: d, file: f}, nil
}

// WriteFile writes a whole file so that it is there with all its content or
// not at all: under a temporary name, fsynced, renamed, the folder fsynced.
func (d *Disk) WriteFile(file string, content []byte) error {
	f, err := d.Create(file + TempSuffix)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Publish(file)
}

// A File is a file that is being written through a Disk.
type File struct {
	disk *Disk
	file *os.File
}

var _ io.Writer = (*File)(nil)

// Name returns the path of the file.
func (f *File) Name() string { return f.file.Name() }

// Write writes p at the end of the file; with a failpoint it does so in two
// halves.
func (f *File) Write(p []byte) (n int, err error) {
	if f.disk == nil || f.disk.Fail == nil {
		return f.file.Write(p)
	}
	err = f.disk.around("write", f.Name(), func() error {
		if n, err = f.file.Write(p[:len(p)/2]); err != nil {
			return err
		}
		if err := f.disk.reach("amid", "write", f.Name()); err != nil {
			return err
		}
		m, err := f.file.Write(p[len(p)/2:])
		n += m
		return err
	})
	return n, err
}

// Sync makes the content of the file last.
func (f *File) Sync() error {
	return f.disk.around("fsync", f.Name(), f.file.Sync)
}

// Publish ends the writing of a file: fsync, close, rename to its name, fsync
// of the folder. The file is closed in any case, and removed when it could not
// get its name.
func (f *File) Publish(name string) error {
	if err := errors.Join(f.Sync(), f.file.Close()); err != nil {
		return errors.Join(err, f.disk.Remove(f.Name()))
	}
	if err := f.disk.Rename(f.Name(), name); err != nil {
		return errors.Join(err, f.disk.Remove(f.Name()))
	}
	return f.disk.SyncDir(filepath.Dir(name))
}

// Discard closes and removes a file that is not to be.
func (f *File) Discard() error {
	f.file.Close() // its content is of no use
	return f.disk.Remove(f.Name())
}
