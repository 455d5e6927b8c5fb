package fetch

import (
	"context"
	"errors"
	"io"
)

// cacheWriter tells errors of writing from errors of reading.
type cacheWriter struct {
	w   io.Writer
	dir string
}

func (c cacheWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil {
		err = &CacheError{Dir: c.dir, Err: err}
	}
	return n, err
}

// errTooLarge ends a download or a member of an archive that is larger than it may be.
var errTooLarge = errors.New("it is larger than allowed")

// boundedReader fails with over after left bytes, and as soon as its context ends.
type boundedReader struct {
	ctx  context.Context
	r    io.Reader
	left int64
	over error
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if err := context.Cause(b.ctx); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, b.over
	}
	return n, err
}
