package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// transport answers the requests of embedded-postgres with whole, checked answers. The library trusts the length that a server announces, ends the
// program when closing an answer fails, and hides why a request failed; so it gets answers from memory, and the reason is kept here.
type transport struct {
	ctx      context.Context
	progress func(done, total int64)
	refuse   bool   // learn the address only
	address  string // of the archive, as the library built it
	err      error  // why the archive did not come
}

var errRefused = errors.New("only the address was wanted")

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.address == "" {
		t.address = req.URL.String()
	}
	if t.refuse {
		return nil, errRefused
	}
	archive := req.URL.String() == t.address
	progress := t.progress
	if !archive {
		progress = func(int64, int64) {} // a checksum
	}
	d, err := get(t.ctx, req.URL.String(), progress)
	if err == nil && archive {
		err = checkJar(d, req.URL.Redacted())
	}
	if err != nil {
		t.err = err
		return nil, err
	}
	return d.response(req), nil
}

func (d download) response(req *http.Request) *http.Response {
	return &http.Response{
		Status: http.StatusText(d.status), StatusCode: d.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: d.header, Body: io.NopCloser(bytes.NewReader(d.body)), ContentLength: int64(len(d.body)), Request: req,
	}
}

// checkJar refuses what the library must not see: it reads the first .txz of the jar into memory, however large that gets.
func checkJar(d download, address string) error {
	z, err := openJar(d, address)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".txz") || f.FileInfo().IsDir() {
			continue
		}
		if f.UncompressedSize64 > downloadLimit {
			return fmt.Errorf("downloading %s: %q in it: %w (%d bytes)", address, f.Name, errTooLarge, f.UncompressedSize64)
		}
		return nil
	}
	return fmt.Errorf("downloading %s: it holds no .txz", address)
}

func openJar(d download, address string) (*zip.Reader, error) {
	if d.status != http.StatusOK {
		return nil, fmt.Errorf("downloading %s: HTTP status %d %s", address, d.status, http.StatusText(d.status))
	}
	z, err := zip.NewReader(bytes.NewReader(d.body), int64(len(d.body)))
	if err != nil {
		return nil, fmt.Errorf("downloading %s: the answer of type %q is not a jar: %w", address, d.header.Get("Content-Type"), err)
	}
	return z, nil
}
