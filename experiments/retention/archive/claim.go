package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Claim is WriteFile for a file that must not exist, also when others claim it
// at the same time: of all only one succeeds, the error of the others is
// fs.ErrExist. The temporary name is its own.
func (d *Disk) Claim(file, temporary string, content []byte) error {
	f, err := d.Create(temporary)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Discard())
	}
	if err := errors.Join(f.Sync(), f.file.Close()); err != nil {
		return errors.Join(err, d.Remove(temporary))
	}
	err = d.around("link", file, func() error { return linkNew(temporary, file) })
	if err := errors.Join(err, d.Remove(temporary)); err != nil {
		return err
	}
	return d.SyncDir(filepath.Dir(file))
}

// linkNew gives a file a name that must not exist. Without hard links (FAT) the
// name is taken first; a process that is killed then leaves it empty.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Rename(from, to))
}
