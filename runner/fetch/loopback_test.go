package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"deletecost/fixtures"
)

// member is one entry of an archive that a test builds.
type member struct {
	name, body, link string
	kind             byte // 0 is a regular file
	mode             int64
	size             int64 // declared, when it is not that of body
}

// goodTree stands for a PostgreSQL. Its program would leave a mark beside itself if anybody ran it.
var goodTree = []member{
	{name: "bin/", kind: tar.TypeDir},
	{name: "bin/initdb", body: "#!/bin/sh\ntouch \"$0.ran\"\n"},
	{name: "bin/postgres", body: "#!/bin/sh\ntouch \"$0.ran\"\n"},
	{name: "lib/libpq.so.5.17", body: "library"},
	{name: "lib/libpq.so.5", kind: tar.TypeSymlink, link: "libpq.so.5.17"},
	{name: "share/postgres.bki", body: "catalogue"},
}

// goodPin is the pin of goodTree; the digest is sha256sum's of a listing written by hand with sha256sum.
var goodPin = fixtures.Pin{
	Version: "17.10", Platform: platform(), Files: 4, Bytes: 66,
	Sources: map[string]string{"maven": "group:artifact:17.10.0", "npm": "package@17.10.0"},
	Digest:  "d0be05d45f9054b10c6b2c2514da52f92ed777df6fbc4f0439688c82bf0cfd9e",
	Links:   []fixtures.Link{{Path: "lib/libpq.so.5", Target: "libpq.so.5.17"}},
}

func tarOf(t *testing.T, members []member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Linkname: m.link, Mode: m.mode | 0o644, Size: int64(len(m.body))}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if m.size > 0 {
			h.Size = m.size
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.body)); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush() // says so when a declared size was a lie, which is what some tests want
	return append(b.Bytes(), make([]byte, 1024)...)
}

func jarOf(t *testing.T, members []member) []byte {
	t.Helper()
	return zipOf(t, "postgres-test.txz", xzOf(tarOf(t, members)))
}

func zipOf(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tgzOf(t *testing.T, members []member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(tarOf(t, members))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// repository is a Maven repository on loopback; whole counts the archives that it sent to the end.
type repository struct {
	*httptest.Server
	whole atomic.Int32
}

// serveJar starts a repository that has one archive and no checksums beside it.
func serveJar(t *testing.T, jar []byte) *repository {
	t.Helper()
	r := &repository{}
	r.Server = serve(t, func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasSuffix(req.URL.Path, ".jar") {
			http.NotFound(w, req)
			return
		}
		if _, err := w.Write(jar); err == nil {
			r.whole.Add(1)
		}
	})
	return r
}

func serve(t *testing.T, answer http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s
}

// alone makes a test independent of the npm client of the machine, and returns options with a cache that does not exist yet.
func alone(t *testing.T, mirror string) Options {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
	return Options{Cache: filepath.Join(t.TempDir(), "cache"), Mirror: mirror}
}

// kept lists what is in a cache.
func kept(t *testing.T, cache string) []string {
	t.Helper()
	entries, err := os.ReadDir(cache)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
