package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"deletecost/fixtures"
	"deletecost/runner/fetch"
)

func TestWhatABundleHolds(t *testing.T) {
	here := runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct{ pg, platform, want string }{
		{"17", "", "17.10 " + here},
		{"16, 17.10,18", "linux/arm64", "16.14 linux/arm64, 17.10 linux/arm64, 18.4 linux/arm64"},
		{"18", "windows/amd64,darwin/arm64", "18.4 windows/amd64, 18.4 darwin/arm64"},
		{"17,17.10", "linux/amd64", "PostgreSQL 17.10 for linux/amd64 is named twice: name it once"},
		{"17", "linux/amd64,linux/amd64", "PostgreSQL 17.10 for linux/amd64 is named twice: name it once"},
		{"17,", "linux/amd64", `unknown PostgreSQL version "": choose one of 16, 16.14, 17, 17.10, 18, 18.4`},
		{"17,15", "linux/amd64", `unknown PostgreSQL version "15": the nearest is 16 (of 16, 16.14, 17, 17.10, 18, 18.4)`},
		{"17", "linux/x64", `unknown platform "linux/x64": did you mean linux/amd64?`},
		{"17", "Linux/ARM64", `unknown platform "Linux/ARM64": did you mean linux/arm64?`},
		{"17", "plan9/mips", `unknown platform "plan9/mips": choose one of darwin/amd64, darwin/arm64, linux/amd64, linux/arm64, windows/amd64`},
	} {
		o := options{pg: c.pg, platform: c.platform}
		pins, err := o.bundlePins()
		if got := pinNames(pins); err == nil && got != c.want || err != nil && err.Error() != c.want {
			t.Errorf("--pg %q --platform %q: %q, %v\nwant %q", c.pg, c.platform, got, err, c.want)
		}
		if err != nil && !is[*usageError](err) {
			t.Errorf("%v is not a usage error", err)
		}
	}
}

func pinNames(pins []fixtures.Pin) string {
	var names []string
	for _, p := range pins {
		names = append(names, p.Version+" "+p.Platform)
	}
	return strings.Join(names, ", ")
}

// TestBundleSpace has a pin of 99 MiB less the 1,121,883 bytes of ECharts; 1 MiB is for headers.
func TestBundleSpace(t *testing.T) {
	pins := []fixtures.Pin{{Bytes: 99<<20 - 1121883}}
	for free, enough := range map[int64]bool{100 << 20: true, 100<<20 - 1: false, -1: true} {
		err := checkBundleSpace("/d/file", pins, func(dir string) (int64, error) {
			if dir != "/d" || free < 0 {
				return 0, errors.New("not told")
			}
			return free, nil
		})
		if (err == nil) != enough || err != nil && !is[*shortageError](err) {
			t.Errorf("%d bytes free: %v", free, err)
		}
	}
}

func TestBundleFileErrors(t *testing.T) {
	at := func(err error) error { return &fs.PathError{Op: "open", Path: "/d/.deletecost-1", Err: err} }
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{fmt.Errorf("packing it: %w", at(syscall.ENOSPC)), exitShortage, `the file system of "f" is full: free space there, or name a file on another file system with --out`},
		{at(fs.ErrExist), exitUsage, `--out "f" exists: name a new file, or remove it`},
		{at(syscall.EACCES), exitUsage, `--out "f" cannot be written: permission denied: name a file in another folder`},
		{&fetch.CacheError{Dir: "/c", Err: at(syscall.ENOSPC)}, exitShortage, (&fetch.CacheError{Dir: "/c", Err: at(syscall.ENOSPC)}).Error()},
	} {
		err := bundleFileError("f", c.err)
		if err.Error() != c.want || exitCode(err, false) != c.code {
			t.Errorf("%v: %v with exit code %d\nwant %s with %d", c.err, err, exitCode(err, false), c.want, c.code)
		}
	}
}

func TestBundleExitCodes(t *testing.T) {
	lacks := &fetch.BundleError{File: "b", Reason: "lacks it"}
	for err, want := range map[error]int{
		lacks: exitUsage,
		&fetch.BundleDamageError{File: "b", Reason: "is cut"}:                                       exitDownload,
		&fetch.NotFoundError{What: "it", Attempts: []fetch.Attempt{{Source: "bundle", Err: lacks}}}: exitDownload,
	} {
		if got := exitCode(err, false); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}

func TestBundleFileIsNew(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if got, err := newBundleFile(file); got != file || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", file, dir, filepath.Join(dir, "no", "file"), filepath.Join(file, "below")} {
		if got, err := newBundleFile(name); !is[*usageError](err) {
			t.Errorf("%q: %q, %v, want a usage error", name, got, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%v is left", entries)
	}
}
