package fetch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"deletecost/fixtures"
)

func TestWrongByte(t *testing.T) {
	members := slices.Clone(goodTree)
	members[2].body = strings.Replace(members[2].body, "touch", "torch", 1)
	wantDigestError(t, members, goodPin)
}

func TestWrongProgramIsNotRun(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	members := slices.Clone(goodTree)
	members[1].body = "#!/bin/sh\n: > " + ran + "\n"
	members[2].body = members[1].body
	pin := goodPin
	pin.Bytes = 1000
	wantDigestError(t, members, pin)
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the archive was run")
	}
}

func wantDigestError(t *testing.T, members []member, pin fixtures.Pin) {
	t.Helper()
	opts := alone(t, serveJar(t, jarOf(t, members)).URL)
	_, err := pinnedPostgres(context.Background(), opts, pin)
	var wrong *DigestError
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v, want a DigestError", err)
	}
	if wrong.Want != pin.Digest || len(wrong.Got) != 64 || wrong.Got == wrong.Want || wrong.Source != "maven" {
		t.Errorf("%+v", wrong)
	}
	nothingRemains(t, opts.Cache)
}

func TestTwoAtOnce(t *testing.T) {
	s := serveJar(t, jarOf(t, goodTree))
	opts := alone(t, s.URL)
	var sources [2]string
	var wg sync.WaitGroup
	for i := range sources {
		wg.Go(func() {
			b, err := pinnedPostgres(context.Background(), opts, goodPin)
			if err != nil {
				t.Error(err)
			}
			sources[i] = b.Source
		})
	}
	wg.Wait()
	slices.Sort(sources[:])
	if sources != [2]string{"cache", "maven"} || s.whole.Load() != 1 {
		t.Errorf("sources %v after %d downloads, want one fetch that both use", sources, s.whole.Load())
	}
}

func TestWaitingEndsWithContext(t *testing.T) {
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	e := newEntry(opts.Cache, "postgres", "", goodPin, nil, nil)
	held, err := e.lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ctx, cancel := context.WithCancel(context.Background())
	opts.Progress = func(Progress) { cancel() } // the first word is that it waits
	if _, err := pinnedPostgres(ctx, opts, goodPin); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestRestsOfKilledRunsAreSwept(t *testing.T) {
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	e := newEntry(opts.Cache, "postgres", "", goodPin, nil, nil)
	rest, other := e.dir()+".tmp-1", filepath.Join(opts.Cache, "postgres-1.tmp-1")
	for _, dir := range []string{filepath.Join(rest, "tree", "bin"), other} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := pinnedPostgres(context.Background(), opts, goodPin); err != nil {
		t.Fatal(err)
	}
	if got, want := kept(t, opts.Cache), []string{"postgres-1.tmp-1", e.name}; !slices.Equal(got, want) {
		t.Errorf("the cache holds %v, want %v", got, want)
	}
}

// damages are ways to spoil an installed goodTree, with the file that a message must name.
var damages = map[string]struct {
	spoil func(dir string) error
	file  string
}{
	"changed": {func(d string) error {
		return os.WriteFile(d+"/bin/initdb", []byte("#!/bin/sh\ntouch \"$0.run\"\n"), 0o755)
	}, "bin/initdb"},
	"removed":    {func(d string) error { return os.Remove(d + "/share/postgres.bki") }, "share/postgres.bki"},
	"added":      {func(d string) error { return os.WriteFile(d+"/lib/more.so", nil, 0o644) }, "lib/more.so"},
	"permission": {func(d string) error { return os.Chmod(d+"/bin/postgres", 0o644) }, "bin/postgres"},
	"link":       {func(d string) error { return os.Remove(d + "/lib/libpq.so.5") }, ""},
	"link added": {func(d string) error { return os.Symlink("/etc", d+"/lib/etc") }, ""},
	"folder": {func(d string) error {
		return errors.Join(os.Rename(d+"/lib", d+"/elsewhere"), os.Symlink("elsewhere", d+"/lib"))
	}, "lib/libpq.so.5.17"},
	"file": {func(d string) error { return errors.Join(os.RemoveAll(d), os.WriteFile(d, nil, 0o644)) }, ""},
}

func TestDamageIsHealed(t *testing.T) {
	s := serveJar(t, jarOf(t, goodTree))
	for name, c := range damages {
		t.Run(name, func(t *testing.T) {
			opts := alone(t, s.URL)
			dir := install(t, opts)
			if err := c.spoil(dir); err != nil {
				t.Fatal(err)
			}
			var warned string
			opts.Progress = func(p Progress) {
				if p.Warning {
					warned += p.Message
				}
			}
			b, err := pinnedPostgres(context.Background(), opts, goodPin)
			if err != nil || b.Source != "maven" || verify(dir, goodPin) != nil {
				t.Errorf("from %q, %v; then %v", b.Source, err, verify(dir, goodPin))
			}
			if !strings.Contains(warned, filepath.Join(dir, c.file)+`" is damaged`) {
				t.Errorf("warned %q, which does not name %q", warned, c.file)
			}
		})
	}
}

func install(t *testing.T, opts Options) string {
	t.Helper()
	b, err := pinnedPostgres(context.Background(), opts, goodPin)
	if err != nil {
		t.Fatal(err)
	}
	return b.Dir
}

func TestDamageWithoutSource(t *testing.T) {
	s := serveJar(t, jarOf(t, goodTree))
	opts := alone(t, s.URL)
	dir := install(t, opts)
	s.Close()
	if b, err := pinnedPostgres(context.Background(), opts, goodPin); err != nil || b.Source != "cache" {
		t.Fatalf("a whole cache needs no source: %v, %v", b.Source, err)
	}
	if err := damages["changed"].spoil(dir); err != nil {
		t.Fatal(err)
	}
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	var none *NotFoundError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), filepath.Join(dir, "bin/initdb")) {
		t.Errorf("error %v, want a NotFoundError that names bin/initdb", err)
	}
}

func TestCacheIsNoFolder(t *testing.T) {
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	if err := os.WriteFile(opts.Cache, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	var bad *CacheError
	if !errors.As(err, &bad) || bad.Dir != opts.Cache || !strings.Contains(err.Error(), "--cache DIR") {
		t.Errorf("error %v, want a CacheError that names the folder", err)
	}
}
