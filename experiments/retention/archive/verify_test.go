package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSoundArchive(t *testing.T) {
	dir, _ := small(t)
	put(t, dir, MarkerName, nil)
	report, faults, err := Verify(dir)
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", faults, err)
	}
	want := Report{Tables: 3, Parts: 4, Rows: 27}
	for _, parts := range smallLines() {
		for _, lines := range parts {
			want.RawBytes += int64(len(lines))
		}
	}
	for name, content := range files(t, dir) {
		if strings.HasSuffix(name, ".gz") {
			want.Bytes += int64(len(content))
		}
	}
	if report != want {
		t.Errorf("%+v, want %+v", report, want)
	}
}

func TestVerifyNamesTheFaultAndTheFile(t *testing.T) {
	replace := func(name, by string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { put(t, dir, name, files(t, dir)[by]) }
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add := func(name string, content string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { put(t, dir, name, append(files(t, dir)[name], content...)) }
	}
	for _, c := range []struct {
		name string
		do   func(*testing.T, string)
		want []string
	}{
		{"missing part", remove(secondPart), []string{secondPart + ": is missing"}},
		{"missing part with a name", remove(otherPart), []string{otherPart + ": is missing"}},
		{"missing manifest", remove(ManifestName), []string{ManifestName + ": is missing: the archive was never complete, or is not all here"}},
		{"missing sum", remove(SumName), []string{SumName + ": is missing"}},
		{"repeated part", replace(secondPart, firstPart), []string{secondPart + ": has the content of " + firstPart}},
		{"part of another table", replace(otherPart, firstPart), []string{otherPart + ": has the content of " + firstPart}},
		{"extra part", replace("m_2001_03-000004.jsonl.gz", firstPart), []string{"m_2001_03-000004.jsonl.gz: is not in the manifest"}},
		{"extra name", add("a\nb", ""), []string{`"a\nb": is not in the manifest`}},
		{"left over", add(firstPart+TempSuffix, "x"), []string{firstPart + TempSuffix + ": is left over from a file that was never complete"}},
		{"no gzip", add(firstPart, ""), nil},
		{"empty", func(t *testing.T, dir string) { put(t, dir, firstPart, nil) }, []string{firstPart + ": has 0 bytes", firstPart + ": is empty"}},
		{"text", func(t *testing.T, dir string) { put(t, dir, firstPart, []byte(smallLines()[0][0])) }, []string{firstPart + ": does not begin as a gzip file"}},
		{"trailing zeros", add(thirdPart, "\x00\x00"), []string{thirdPart + ": has bytes after its gzip member", thirdPart + ": its SHA-256 is "}},
		{"edited sum", add(SumName, " "), []string{ManifestName + ": is not what " + SumName + " says"}},
		{"manifest that is none", func(t *testing.T, dir string) { put(t, dir, ManifestName, []byte("{")) }, []string{ManifestName + ": is not a manifest: "}},
		{"manifest of a later format", func(t *testing.T, dir string) { put(t, dir, ManifestName, []byte(`{"format":2}`)) }, []string{ManifestName + ": has format 2, this program reads 1"}},
		{"folder", func(t *testing.T, dir string) {
			remove(firstPart)(t, dir)
			if err := os.Mkdir(filepath.Join(dir, firstPart), 0o700); err != nil {
				t.Fatal(err)
			}
		}, []string{firstPart + ": cannot be read: it is not a regular file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := small(t)
			c.do(t, dir)
			faults := faultsOf(t, dir)
			for _, want := range c.want {
				wantFault(t, faults, want)
			}
			if len(c.want) == 0 && len(faults) > 0 {
				t.Errorf("nothing was done, but %q", faults)
			}
		})
	}
}

func TestSwappedParts(t *testing.T) {
	dir, _ := small(t)
	all := files(t, dir)
	put(t, dir, firstPart, all[secondPart])
	put(t, dir, secondPart, all[firstPart])
	faults := faultsOf(t, dir)
	wantFault(t, faults, firstPart+": has the content of "+secondPart)
	wantFault(t, faults, secondPart+": has the content of "+firstPart)
}

func TestVerifyPartAndRehash(t *testing.T) {
	dir, m := small(t)
	if faults := Rehash(dir, m); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	put(t, dir, secondPart, files(t, dir)[thirdPart])
	for _, faults := range [][]Fault{Rehash(dir, m), VerifyPart(dir, &m.Tables[0], m.Tables[0].Parts[1])} {
		if !slices.Contains(faults, Fault{secondPart, "has the content of " + thirdPart}) {
			t.Errorf("%v", faults)
		}
	}
	if faults := VerifyPart(dir, &m.Tables[0], m.Tables[0].Parts[0]); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
}

func TestPartsOfOtherFoldersAreNotRead(t *testing.T) {
	dir, m := small(t)
	for _, name := range []string{"", ".", "..", "../x", `..\x`, "/etc/passwd"} {
		m.Tables[0].Parts[0].File = name
		if faults := Rehash(dir, m); len(faults) != 1 || !strings.Contains(faults[0].What, "its name is none of a file in this folder") && !strings.Contains(faults[0].What, "not a regular file") {
			t.Errorf("%q: %v", name, faults)
		}
	}
}

func TestVerifyOfNoFolder(t *testing.T) {
	if _, _, err := Verify(filepath.Join(t.TempDir(), "no")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	dir, _ := small(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := VerifyContext(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestWriteVerdict(t *testing.T) {
	dir, _ := small(t)
	var out strings.Builder
	if err := WriteVerdict(t.Context(), dir, &out); err != nil || !strings.HasPrefix(out.String(), "sound: 3 tables, 4 parts, 27 rows, ") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := os.Remove(filepath.Join(dir, firstPart)); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	err := WriteVerdict(t.Context(), dir, &out)
	if err == nil || !strings.Contains(err.Error(), ": 1 fault found: ") || out.String() != firstPart+": is missing\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
