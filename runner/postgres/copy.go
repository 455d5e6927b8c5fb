package postgres

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"
)

// castagnoli has an instruction on the processors that we run on, so the checksum costs next to nothing.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// copiers is how many files are copied at a time: a file system that makes one in a third of a millisecond makes several
// in the same time.
const copiers = 8

// treeCopy copies a folder of plain files and folders, which is what a stopped cluster is. It copies bytes and does not
// share extents: a server on shared extents would pay for each first write.
type treeCopy struct {
	own   func(path string) error // called on all that is made
	names []string                // relative paths, in lexical order
	sums  []*uint32               // of the contents of each; nil for a folder
}

// copyTree copies src to dst, which must not exist, with modes 0700 and 0600, and returns a checksum of all of it: of
// every relative path with the checksum of its content.
func copyTree(ctx context.Context, src, dst string, own func(path string) error) (uint32, error) {
	c := &treeCopy{own: own}
	files, ctx := errgroup.WithContext(ctx)
	files.SetLimit(copiers)
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
		c.names = append(c.names, filepath.ToSlash(name))
		return c.entry(files, path, filepath.Join(dst, name), entry)
	})
	if failed := files.Wait(); failed != nil {
		err = failed
	}
	if err != nil {
		return 0, fmt.Errorf("copying cluster %q to %q: %w", src, dst, err)
	}
	return c.sum(), nil
}

// entry makes one folder, or has one file copied.
func (c *treeCopy) entry(files *errgroup.Group, from, to string, entry fs.DirEntry) error {
	switch {
	case entry.IsDir():
		c.sums = append(c.sums, nil)
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		return c.own(to)
	case entry.Type().IsRegular():
		sum := new(uint32)
		c.sums = append(c.sums, sum)
		files.Go(func() (err error) {
			*sum, err = copyFile(from, to)
			if err != nil {
				return err
			}
			return c.own(to)
		})
		return nil
	}
	return fmt.Errorf("%q is neither a file nor a folder", from)
}

// copyFile copies the bytes of one file and returns their checksum.
func copyFile(from, to string) (sum uint32, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	digest := crc32.New(castagnoli)
	// Hidden behind a plain interface: a file would go through the kernel and past the checksum.
	_, err = io.Copy(struct{ io.Writer }{out}, io.TeeReader(in, digest))
	if closing := out.Close(); err == nil {
		err = closing
	}
	return digest.Sum32(), err
}

// sum is the checksum of all, once every file is copied.
func (c *treeCopy) sum() uint32 {
	digest := crc32.New(castagnoli)
	for i, name := range c.names {
		fmt.Fprintf(digest, "%s\x00", name)
		if c.sums[i] != nil {
			fmt.Fprintf(digest, "%08x", *c.sums[i])
		}
	}
	return digest.Sum32()
}
