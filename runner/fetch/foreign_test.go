package fetch

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xi2/xz"

	"deletecost/fixtures"
)

// errNotServed says that the Maven repository has no archive for a platform.
var errNotServed = errors.New("the repository does not serve it")

// realSources are the sources of a pin. The archives of other platforms, which embedded-postgres does not ask for, are asked for by their address.
func (e entry) realSources() []source {
	sources := e.postgresSources(Options{})
	for i, s := range sources {
		if s.name == "maven" && e.pin.Platform != platform() {
			sources[i].fill = e.fromForeignJar
		}
	}
	return sources
}

// fromForeignJar unpacks the archive of another platform and leaves it where fetchTxz does.
func (e entry) fromForeignJar(ctx context.Context, work, tree string) error {
	name := e.pin.Sources["maven"]
	base, err := repositoryBase(ctx, "", work)
	if err != nil {
		return err
	}
	address, err := jarAddress(base, name)
	if err != nil {
		return err
	}
	d, err := get(ctx, address, func(int64, int64) {})
	if err == nil && d.status == http.StatusNotFound {
		return errNotServed
	}
	if err != nil {
		return err
	}
	z, err := openJar(d, name)
	if err != nil {
		return err
	}
	txz, err := keepTxz(z, filepath.Join(work, "cache"))
	if err != nil {
		return err
	}
	a := archive{name: name, source: "maven", pin: e.pin}
	return a.unpackTxz(ctx, txz, tree, func(int64) {})
}

func keepTxz(z *zip.Reader, dir string) (string, error) {
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".txz") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(dir, 0o755)
		}
		name := filepath.Join(dir, path.Base(f.Name))
		return name, errors.Join(err, os.WriteFile(name, data, 0o644))
	}
	return "", errors.New("the jar holds no .txz")
}

// linksOf lists the links that a source names, in the order of the pins: those in the Maven archive, or those in npm's own list, where source is the file
// and target is the link.
func linksOf(t *testing.T, source, work string) []fixtures.Link {
	t.Helper()
	var links []fixtures.Link
	var err error
	if source == "maven" {
		links, err = archiveLinks(only(t, work, "cache", "*.txz"))
	} else {
		links, err = npmLinks(only(t, work, "*.tgz"))
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(links, func(a, b fixtures.Link) int { return cmp.Compare(a.Path, b.Path) })
	return links
}

func only(t *testing.T, pattern ...string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v: %d files, %v", pattern, len(files), err)
	}
	return files[0]
}

func archiveLinks(name string) (links []fixtures.Link, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, err := xz.NewReader(f, 0)
	if err != nil {
		return nil, err
	}
	r := tar.NewReader(plain)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return links, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeSymlink {
			links = append(links, fixtures.Link{Path: path.Clean(h.Name), Target: h.Linkname})
		}
	}
}

func npmLinks(name string) ([]fixtures.Link, error) {
	text, err := memberOf(name, "package/native/pg-symlinks.json")
	if err != nil {
		return nil, err
	}
	var listed []struct{ Source, Target string }
	if err := json.Unmarshal(text, &listed); err != nil {
		return nil, err
	}
	var links []fixtures.Link
	for _, l := range listed {
		link := strings.TrimPrefix(l.Target, "native/")
		to, err := filepath.Rel(path.Dir(l.Target), l.Source)
		if err != nil {
			return nil, err
		}
		links = append(links, fixtures.Link{Path: link, Target: filepath.ToSlash(to)})
	}
	return links, nil
}

func memberOf(tgz, member string) ([]byte, error) {
	f, err := os.Open(tgz)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := tar.NewReader(plain)
	for {
		h, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("looking for %q: %w", member, err)
		}
		if h.Name == member {
			return io.ReadAll(r)
		}
	}
}
