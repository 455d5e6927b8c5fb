package postgres

import (
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// castagnoli has an instruction on the processors that we run on, so the checksum costs next to nothing.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// treeCopy copies a folder of plain files and folders, which is what a stopped cluster is. It copies bytes and does not
// share extents: a server on shared extents would pay for each first write.
type treeCopy struct {
	own  func(path string) error // called on all that is made
	sum  hash.Hash32             // over relative paths and contents
	room []byte
}

// copyTree copies src to dst, which must not exist, with modes 0700 and 0600, and returns a checksum of all of it.
func copyTree(ctx context.Context, src, dst string, own func(path string) error) (uint32, error) {
	c := &treeCopy{own: own, sum: crc32.New(castagnoli), room: make([]byte, 1<<18)}
	err := filepath.WalkDir(src, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.sum, "%s\x00", filepath.ToSlash(name))
		return c.entry(path, filepath.Join(dst, name), entry)
	})
	if err != nil {
		return 0, fmt.Errorf("copying cluster %q to %q: %w", src, dst, err)
	}
	return c.sum.Sum32(), nil
}

// entry copies one file or makes one folder.
func (c *treeCopy) entry(from, to string, entry fs.DirEntry) error {
	switch {
	case entry.IsDir():
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
	case entry.Type().IsRegular():
		if err := c.file(from, to); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q is neither a file nor a folder", from)
	}
	return c.own(to)
}

// file copies the bytes of one file through the checksum.
func (c *treeCopy) file(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	// Hidden behind plain interfaces: a file would go through the kernel and past the checksum.
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, io.TeeReader(in, c.sum), c.room)
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}
