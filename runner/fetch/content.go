package fetch

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"deletecost/fixtures"
)

// roots are the folders whose content is pinned.
var roots = []string{"bin", "lib", "share"}

// content is what stands under the roots of one installation.
type content struct {
	files []contentFile // sorted by path
	links []fixtures.Link
	bytes int64 // of all files together
}

type contentFile struct {
	path string // from the root, with forward slashes
	mode fs.FileMode
	sum  [sha256.Size]byte
}

// ContentDigest is the number that a pin holds of an unpacked PostgreSQL: the hexadecimal SHA-256 of its listing. The listing has one line for
// each regular file under bin, lib and share, in bytewise order of the paths:
//
//	<x or -> <hexadecimal SHA-256 of the content> <path from dir with forward slashes>\n
//
// The first field is x for the files that stand directly in bin, which are programs, and - for all others: it is the permission that unpacking gives, so it
// does not depend on what an archive says. Symbolic links are not part of it, since they come from the pin.
// It fails when dir cannot be read or holds something that is neither file, folder nor link.
func ContentDigest(dir string) (string, error) {
	c, err := readContent(dir)
	if err != nil {
		return "", err
	}
	return c.digest(), nil
}

// executable is the one rule for the permission of an unpacked file.
func executable(name string) bool { return path.Dir(name) == "bin" }

func (c content) listing() string {
	var b strings.Builder
	for _, f := range c.files {
		x := "-"
		if executable(f.path) {
			x = "x"
		}
		fmt.Fprintf(&b, "%s %x %s\n", x, f.sum, f.path)
	}
	return b.String()
}

func (c content) digest() string {
	sum := sha256.Sum256([]byte(c.listing()))
	return hex.EncodeToString(sum[:])
}

func readContent(dir string) (content, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return content{}, err
	}
	defer root.Close()
	c, err := walkContent(root)
	if err != nil {
		return content{}, err
	}
	return c, hashAll(root, c.files)
}

func walkContent(root *os.Root) (content, error) {
	var c content
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if top, _, _ := strings.Cut(name, "/"); !slices.Contains(roots, top) {
			return skip(d)
		}
		return c.add(root, name, d)
	})
	slices.SortFunc(c.files, func(a, b contentFile) int { return cmp.Compare(a.path, b.path) })
	return c, err
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (c *content) add(root *os.Root, name string, d fs.DirEntry) error {
	switch {
	case d.IsDir():
		return nil
	case d.Type() == fs.ModeSymlink:
		target, err := root.Readlink(name)
		c.links = append(c.links, fixtures.Link{Path: name, Target: target})
		return err
	case !d.Type().IsRegular():
		return fmt.Errorf("reading %q: it is neither a file nor a folder", name)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	c.files = append(c.files, contentFile{path: name, mode: info.Mode()})
	c.bytes += info.Size()
	return nil
}

// hashAll fills in the sums, on all processors: this is the longest part of a start with a warm cache.
func hashAll(root *os.Root, files []contentFile) error {
	var g errgroup.Group
	workers := min(runtime.GOMAXPROCS(0), 8)
	for w := range workers {
		g.Go(func() error {
			buf := make([]byte, 256<<10)
			for i := w; i < len(files); i += workers {
				if err := files[i].hash(root, buf); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

func (f *contentFile) hash(root *os.Root, buf []byte) error {
	file, err := root.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	// io.CopyBuffer would let the file bring its own, smaller buffer.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{file}, buf); err != nil {
		return err
	}
	h.Sum(f.sum[:0])
	return nil
}
