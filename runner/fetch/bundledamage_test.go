package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deletecost/fixtures"
)

func isDamage(err error) bool { _, ok := errors.AsType[*BundleDamageError](err); return ok }

// TestFlippedBundle flips every byte.
func TestFlippedBundle(t *testing.T) {
	good := goodBundle(t)
	name := filepath.Join(t.TempDir(), "bundle")
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1
		if err := os.WriteFile(name, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := reopened(t, name); !isDamage(err) {
			t.Fatalf("byte %d of %d flipped: %v", i, len(good), err)
		}
	}
}

// TestCutBundle cuts at every length, and adds to the end. What is shorter than the first name is not recognised any more.
func TestCutBundle(t *testing.T) {
	good := goodBundle(t)
	name := filepath.Join(t.TempDir(), "bundle")
	for n := len(good) + 1; n >= 0; n-- {
		if n == len(good) {
			continue
		}
		if err := os.WriteFile(name, append(slices.Clone(good), 0)[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := reopened(t, name)
		if _, foreign := errors.AsType[*BundleError](err); isDamage(err) != (n > len(manifestName)) || foreign == isDamage(err) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	if err := os.WriteFile(name, good[:len(good)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := reopened(t, name); err == nil || !strings.Contains(err.Error(), "is damaged: it has ") {
		t.Errorf("error %v, want both sizes", err)
	}
}

func TestDamagedPartIsNamed(t *testing.T) {
	bad := goodBundle(t)
	b, err := opened(t, bad)
	if err != nil {
		t.Fatal(err)
	}
	bad[b.at[0]+b.members[0].Size/2] ^= 0x10
	if _, err := opened(t, bad); !isDamage(err) || !strings.Contains(err.Error(), "holds PostgreSQL 17.10 for "+platform()) {
		t.Errorf("error %v, want the part at fault", err)
	}
}

func TestNoBundle(t *testing.T) {
	for _, data := range []string{"", "text", strings.Repeat("longer", 1000), string(tarOf(t, goodTree))} {
		if _, err := opened(t, []byte(data)); err == nil || !strings.Contains(err.Error(), "is not a bundle of deletecost") {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
	for name, want := range map[string]string{t.TempDir(): "is not a file", "/no/such/file": "no such file"} {
		if _, err := reopened(t, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestForeignBundle(t *testing.T) {
	b, err := opened(t, goodBundle(t))
	if err != nil {
		t.Fatal(err)
	}
	version, elsewhere, repinned := goodPin, goodPin, goodPin
	version.Version = "16.14"
	elsewhere.Platform = "plan9/mips"
	repinned.Digest = strings.Repeat("0", 64)
	for want, pin := range map[string]fixtures.Pin{
		"does not hold PostgreSQL 16.14 for " + platform() + ", only PostgreSQL 17.10 for " + platform() + ", ECharts 17.10.0": version,
		"does not hold PostgreSQL 17.10 for plan9/mips": elsewhere,
		"as another release pins it":                    repinned,
	} {
		_, err := b.find(pin)
		if _, ok := errors.AsType[*BundleError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// sealed makes a bundle with one member of any content, which is as its manifest says.
func sealed(t *testing.T, format int, content []byte) []byte {
	t.Helper()
	m := newMember(goodPin)
	m.Size, m.SHA256 = int64(len(content)), digest(content)
	text, err := manifest{Format: format, Entries: []packedMember{m}}.text()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, part := range []struct {
		name string
		data []byte
	}{{manifestName, text}, {m.Path, content}} {
		h, err := tarHeader(part.name, int64(len(part.data)))
		if err != nil {
			t.Fatal(err)
		}
		b.Write(h)
		b.Write(part.data)
		b.Write(make([]byte, padded(int64(len(part.data)))-int64(len(part.data))))
	}
	whole := sha256.Sum256(b.Bytes())
	seal, err := sealOf(whole[:])
	if err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), seal...)
}

// TestHostileBundle has bundles that are whole and hold what they must not.
func TestHostileBundle(t *testing.T) {
	changed := slices.Clone(goodTree)
	changed[3].body = "LIBRARY"
	for name, content := range map[string][]byte{
		"wrong byte": tgzOf(t, changed),
		"parent":     tgzOf(t, without(member{name: "../../../pwned", body: "x"})),
		"hard link":  tgzOf(t, without(member{name: "lib/hard", kind: tar.TypeLink, link: "/etc/passwd"})),
		"device":     tgzOf(t, without(member{name: "lib/null", kind: tar.TypeChar})),
		"no archive": []byte("text"),
		"cut":        tgzOf(t, goodTree)[:60],
		"bomb":       bomb(t),
	} {
		b, err := opened(t, sealed(t, bundleFormat, content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
		opts.Bundle = b
		if _, err = pinnedPostgres(context.Background(), opts, goodPin); !fatal(context.Background(), err) || !strings.Contains(err.Error(), "nothing of it was run or kept") {
			t.Errorf("%s: error %v, want the end of the search", name, err)
		}
		nothingRemains(t, opts.Cache)
	}
}

// bomb is a small archive of one large file.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(tarOf(t, []member{{name: "lib/large", body: strings.Repeat("0", 1<<20)}}))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBundleOfLaterFormat(t *testing.T) {
	_, err := opened(t, sealed(t, 2, tgzOf(t, goodTree)))
	if _, ok := errors.AsType[*BundleError](err); !ok || !strings.Contains(err.Error(), "has format 2, and this release reads format 1") {
		t.Errorf("error %v, want both formats", err)
	}
}
