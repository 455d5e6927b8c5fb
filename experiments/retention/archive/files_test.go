package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var errKilled = errors.New("killed")

func TestFailpointsAroundEveryOperation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	var got []string
	d := &Disk{Fail: func(point int, name string) error {
		if point != len(got)+1 {
			t.Errorf("%q has number %d, want %d", name, point, len(got)+1)
		}
		got = append(got, name)
		return nil
	}}
	file := filepath.Join(dir, "f")
	for _, err := range []error{d.Mkdir(dir), d.WriteFile(file, []byte("x")), d.Remove(file), d.Remove(file)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"before mkdir a", "after mkdir a", "before create f.tmp", "after create f.tmp",
		"before write f.tmp", "amid write f.tmp", "after write f.tmp", "before fsync f.tmp", "after fsync f.tmp",
		"before rename f", "after rename f", "before fsync-folder a", "after fsync-folder a",
		"before remove f", "after remove f", "before remove f", "after remove f",
	}
	if !slices.Equal(got, want) || d.Points() != len(want) {
		t.Errorf("%d points %q\nwant %q", d.Points(), got, want)
	}
}

func TestDiskWithoutFailpoints(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []*Disk{nil, new(Disk)} {
		if err := d.WriteFile(filepath.Join(dir, "f"), []byte("content")); err != nil || d.Points() != 0 {
			t.Errorf("%v, %d points", err, d.Points())
		}
		if got := files(t, dir); len(got) != 1 || string(got["f"]) != "content" {
			t.Errorf("%q", got)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "f"))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
}

func TestDeadDiskDoesNothing(t *testing.T) {
	dir := t.TempDir()
	d := &Disk{Fail: func(point int, name string) error {
		if name == "amid write f.tmp" {
			return errKilled
		}
		return nil
	}}
	if err := d.WriteFile(filepath.Join(dir, "f"), []byte("content")); !errors.Is(err, errKilled) {
		t.Errorf("%v, want that it was killed", err)
	}
	if got := files(t, dir)["f.tmp"]; string(got) != "con" {
		t.Errorf("half of 7 bytes are %q", got)
	}
	for _, err := range []error{d.Remove(filepath.Join(dir, "f.tmp")), d.WriteFile(filepath.Join(dir, "g"), nil), d.SyncDir(dir)} {
		if !errors.Is(err, ErrDead) || !errors.Is(err, errKilled) {
			t.Errorf("after its death: %v", err)
		}
	}
	if _, there := files(t, dir)["f.tmp"]; !there {
		t.Error("a dead process has tidied up")
	}
}

// TestKilledAtEveryPoint kills the writing of an archive at each failpoint,
// once so that all that was written stays and once with the power cut. Either
// way no file has its name without its content, and a manifest is there only
// with all that it names.
func TestKilledAtEveryPoint(t *testing.T) {
	whole, _ := small(t)
	want := files(t, whole)
	count := 0
	for _, power := range []bool{false, true} {
		for at := 1; ; at++ {
			dir := t.TempDir()
			cut := newPowerCut(t, dir)
			cut.next = func(point int, _ string) error {
				if point == at {
					return errKilled
				}
				return nil
			}
			_, err := writeSmall(&Disk{Fail: cut.fail}, dir, 6)
			if power {
				cut.cut()
			}
			wantWhole(t, fmt.Sprintf("killed at %d (power %v)", at, power), files(t, dir), want)
			if err == nil {
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("killed at %d: %v", at, err)
			}
			count++
		}
	}
	if count < 2*6*11 {
		t.Errorf("%d points: 6 files have 11 each", count)
	}
}

// wantWhole compares the files that have a name of their own.
func wantWhole(t *testing.T, when string, got, want map[string][]byte) {
	t.Helper()
	for name, content := range got {
		if !strings.HasSuffix(name, TempSuffix) && string(content) != string(want[name]) {
			t.Errorf("%s: %s has %d bytes of %d", when, name, len(content), len(want[name]))
		}
	}
	if _, there := got[ManifestName]; !there {
		return
	}
	for name := range want {
		if _, there := got[name]; !there {
			t.Errorf("%s: there is a manifest, but no %s", when, name)
		}
	}
}

func TestPowerCutAfterTheEnd(t *testing.T) {
	for _, mistake := range []bool{false, true} {
		dir := t.TempDir()
		cut := newPowerCut(t, dir)
		if _, err := writeSmall(&Disk{Fail: cut.fail, skipFolders: mistake}, dir, 1); err != nil {
			t.Fatal(err)
		}
		cut.cut()
		faults := faultsOf(t, dir)
		if !mistake && len(faults) > 0 {
			t.Errorf("%q", faults)
		}
		if mistake {
			wantFault(t, faults, ManifestName+": is missing")
		}
	}
}
