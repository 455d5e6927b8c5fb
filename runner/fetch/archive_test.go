package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// with returns goodTree with more entries; each test adds one that does harm.
func with(more ...member) []member { return append(goodTree[:len(goodTree):len(goodTree)], more...) }

// without returns goodTree without its last file, so that one more does not exceed the pin.
func without(more ...member) []member {
	return append(goodTree[:len(goodTree)-1:len(goodTree)-1], more...)
}

func TestHostileArchives(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "pwned")
	for name, c := range map[string]struct {
		members []member
		reason  string
	}{
		"parent":             {without(member{name: "../pwned", body: "x"}), "outside"},
		"parent within":      {without(member{name: "lib/../../../pwned", body: "x"}), "outside"},
		"parent of a folder": {without(member{name: "lib/../../pwned/", kind: tar.TypeDir}), "outside"},
		"backslash":          {without(member{name: `lib\..\..\pwned`, body: "x"}), "outside"},
		"drive":              {without(member{name: "lib/C:pwned", body: "x"}), "outside"},
		"absolute":           {without(member{name: outside, body: "x"}), "outside"},
		"hard link":          {without(member{name: "lib/hard", kind: tar.TypeLink, link: "/etc/passwd"}), "neither a file nor a folder"},
		"device":             {without(member{name: "lib/null", kind: tar.TypeChar}), "neither a file nor a folder"},
		"block device":       {without(member{name: "lib/disk", kind: tar.TypeBlock}), "neither a file nor a folder"},
		"fifo":               {without(member{name: "lib/pipe", kind: tar.TypeFifo}), "neither a file nor a folder"},
		"declared size":      {without(member{name: "lib/huge", size: 1 << 40}), "beyond the 66 bytes"},
		"real size":          {without(member{name: "lib/large", body: strings.Repeat("x", 67)}), "beyond the 66 bytes"},
		"too many files":     {with(member{name: "lib/a"}), "more than the 4 files"},
		"too many entries":   {append(folders(3000), goodTree...), "more entries"},
		"twice":              {without(member{name: "bin/postgres", body: "x"}), "twice"},
		"below a file":       {without(member{name: "bin/postgres/x", body: "x"}), "below a file"},
		"folder over a file": {with(member{name: "bin/postgres/", kind: tar.TypeDir}), "below a file"},
		"large and unwanted": {with(member{name: "junk", body: strings.Repeat("\x00", slack+100)}), "larger than its pin"},
	} {
		t.Run(name, func(t *testing.T) {
			opts := alone(t, serveJar(t, jarOf(t, c.members)).URL)
			_, err := pinnedPostgres(context.Background(), opts, goodPin)
			var bad *ArchiveError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("error %v, want an ArchiveError about %q", err, c.reason)
			}
			nothingRemains(t, opts.Cache)
			if _, err := os.Lstat(outside); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s was written", outside)
			}
		})
	}
}

func folders(n int) []member {
	ms := make([]member, n)
	for i := range ms {
		ms[i] = member{name: "lib/", kind: tar.TypeDir}
	}
	return ms
}

// nothingRemains looks at the cache and around it, where `..` would lead.
func nothingRemains(t *testing.T, cache string) {
	t.Helper()
	if names := kept(t, cache); len(names) > 0 {
		t.Errorf("the cache holds %v", names)
	}
	around, err := os.ReadDir(filepath.Dir(cache))
	if err != nil || len(around) != 1 {
		t.Errorf("beside the cache: %v, %v", around, err)
	}
}

func TestLinkIsNotFollowed(t *testing.T) {
	outside := t.TempDir()
	up := member{name: "lib/up", kind: tar.TypeSymlink, link: outside}
	through := member{name: "lib/up/pwned", body: "catalogue"}
	over := member{name: "bin/postgres", kind: tar.TypeSymlink, link: "/bin/sh"}
	opts := alone(t, serveJar(t, jarOf(t, without(up, through, over))).URL)
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	var wrong *DigestError
	if !errors.As(err, &wrong) {
		t.Errorf("error %v, want a DigestError", err)
	}
	if names := kept(t, outside); len(names) > 0 {
		t.Errorf("written through the link: %v", names)
	}
	nothingRemains(t, opts.Cache)
}

func TestModesAreOurs(t *testing.T) {
	members := with()
	for i := range members {
		members[i].mode = 0o7777 // setuid, setgid, sticky, and writable for all
	}
	opts := alone(t, serveJar(t, jarOf(t, members)).URL)
	b, err := pinnedPostgres(context.Background(), opts, goodPin)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		".": 0o755 | fs.ModeDir, "bin": 0o755 | fs.ModeDir, "bin/postgres": 0o755, "lib/libpq.so.5.17": 0o644, "share/postgres.bki": 0o644,
	} {
		info, err := os.Stat(filepath.Join(b.Dir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v (%v)", name, info.Mode(), want, err)
		}
	}
	if target, err := os.Readlink(filepath.Join(b.Dir, "lib/libpq.so.5")); target != "libpq.so.5.17" {
		t.Errorf("the pinned link leads to %q: %v", target, err)
	}
}

func TestJarThatSwells(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "a.txz", Method: zip.Deflate, UncompressedSize64: 300 << 20, CompressedSize64: 4})
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("body"))
	z.Close()
	notFound(t, serveJar(t, b.Bytes()).URL, "larger than allowed")
}

func TestLinksOfThePinStayInside(t *testing.T) {
	for _, target := range []string{"/etc/passwd", "../../outside"} {
		pin := goodPin
		pin.Links = append(pin.Links[:1:1], pin.Links[0])
		pin.Links[1].Path, pin.Links[1].Target = "lib/evil", target
		opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
		if _, err := pinnedPostgres(context.Background(), opts, pin); err == nil {
			t.Errorf("a link to %s was made", target)
		}
		nothingRemains(t, opts.Cache)
	}
}
