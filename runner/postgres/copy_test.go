package postgres

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// smallReady is a ready cluster of three files and an empty folder, made from a folder of the test.
func smallReady(t *testing.T) readyCluster {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	for _, folder := range []string{"base", "pg_notify"} {
		if err := os.MkdirAll(filepath.Join(data, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"PG_VERSION": "17\n", "base/1": "one", "base/2": "two"} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ready := readyCluster{path: filepath.Join(t.TempDir(), "ready")}
	if err := ready.copyFrom(t.Context(), data, "secret"); err != nil {
		t.Fatal(err)
	}
	return ready
}

func TestReadyClusterCopy(t *testing.T) {
	data := filepath.Join(t.TempDir(), "copy")
	password, err := smallReady(t).copyTo(t.Context(), data, account{})
	if err != nil || password != "secret" {
		t.Fatalf("password %q, %v; want secret", password, err)
	}
	want := map[string]fs.FileMode{
		".": fs.ModeDir | 0o700, "base": fs.ModeDir | 0o700, "pg_notify": fs.ModeDir | 0o700,
		"PG_VERSION": 0o600, "base/1": 0o600, "base/2": 0o600,
	}
	for name, mode := range want {
		info, err := os.Lstat(filepath.Join(data, name))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, want mode %v", name, err, mode)
		}
	}
	if text, err := os.ReadFile(filepath.Join(data, "base/2")); string(text) != "two" {
		t.Errorf("base/2: %q, %v; want two", text, err)
	}
}

func TestReadyClusterDamage(t *testing.T) {
	for name, damage := range map[string]func(ready string) error{
		"no seal":        func(r string) error { return os.Remove(r + "/seal") },
		"seal cut":       func(r string) error { return os.Truncate(r+"/seal", 30) },
		"seal of others": func(r string) error { return os.WriteFile(r+"/seal", []byte("other\n"), 0o600) },
		"file gone":      func(r string) error { return os.Remove(r + "/data/PG_VERSION") },
		"file cut":       func(r string) error { return os.Truncate(r+"/data/base/1", 2) },
		"bytes swapped":  func(r string) error { return os.WriteFile(r+"/data/base/1", []byte("oen"), 0o600) },
		"file renamed":   func(r string) error { return os.Rename(r+"/data/base/2", r+"/data/base/3") },
		"file more":      func(r string) error { return os.WriteFile(r+"/data/base/3", nil, 0o600) },
		"folder gone":    func(r string) error { return os.Remove(r + "/data/pg_notify") },
		"link put in":    func(r string) error { return os.Symlink("1", r+"/data/base/4") },
		"all gone":       os.RemoveAll,
	} {
		ready := smallReady(t)
		if err := damage(ready.path); err != nil {
			t.Fatal(err)
		}
		if _, err := ready.copyTo(t.Context(), filepath.Join(t.TempDir(), "copy"), account{}); err == nil {
			t.Errorf("%s: copied, want an error", name)
		}
	}
}

func TestReadyClusterIsReplacedWhole(t *testing.T) {
	ready := smallReady(t)
	if err := ready.copyFrom(t.Context(), filepath.Join(t.TempDir(), "missing"), "other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want the missing folder told", err)
	}
	for _, path := range []string{ready.path, ready.path + ".half"} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want nothing after a copy that failed", path, err)
		}
	}
}
