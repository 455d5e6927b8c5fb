package fetch

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"os"

	"deletecost/fixtures"
)

// treeWriter writes the regular files of a pinned tree as a tar file: sorted by path, without times and owners, with the permissions of the one rule.
type treeWriter struct {
	*packing
	pin  fixtures.Pin
	dir  string
	done int64 // bytes
}

func (t *treeWriter) write(w io.Writer) error {
	root, err := os.OpenRoot(t.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	c, err := readContent(t.dir)
	if err != nil {
		return err
	}
	if c.digest() != t.pin.Digest {
		return errChanged
	}
	out := tar.NewWriter(w)
	for _, f := range c.files {
		if err := context.Cause(t.ctx); err != nil {
			return err
		}
		if err := t.file(out, root, f); err != nil {
			return err
		}
	}
	return out.Close()
}

// file also compares what it writes with what was just read, so a bundle never holds anything else than its pins.
func (t *treeWriter) file(out *tar.Writer, root *os.Root, f contentFile) error {
	r, err := root.Open(f.path)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.path, Size: info.Size(), Mode: int64(fileMode(f.path)), Format: tar.FormatPAX}
	if err := out.WriteHeader(h); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), r); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), f.sum[:]) {
		return errChanged
	}
	t.done += info.Size()
	t.rep.bytes("cache", "packing PostgreSQL "+t.pin.Version+" for "+t.pin.Platform, t.done, t.pin.Bytes)
	return nil
}
