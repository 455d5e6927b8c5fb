package fetch

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"deletecost/fixtures"
)

// listingName is the file beside bin, lib and share that keeps the listing; it only serves to name what is damaged.
const listingName = "contents.txt"

// damage reports a cache entry that is not as it was unpacked.
type damage struct {
	file string // full path
	why  string
}

func (d *damage) Error() string { return fmt.Sprintf("%q is damaged: %s", d.file, d.why) }

// verify compares a folder with its pin: nil, fs.ErrNotExist when there is no such folder, a *damage, or a reading error.
func verify(dir string, pin fixtures.Pin) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	if pin.File != "" {
		return verifyFile(dir, pin)
	}
	c, err := readContent(dir)
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err != nil {
		return &damage{dir, oneLine(err.Error())}
	}
	if c.digest() != pin.Digest {
		return findDamage(dir, c, pin)
	}
	return verifyShape(dir, c, pin)
}

func verifyFile(dir string, pin fixtures.Pin) error {
	name := filepath.Join(dir, path.Base(pin.File))
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err != nil {
		return &damage{name, oneLine(err.Error())}
	}
	if digest(data) != pin.Digest {
		return &damage{name, "its content differs from the pin"}
	}
	return nil
}

// verifyShape checks what the digest leaves out: the links, and that the permissions let another account read and run the files.
func verifyShape(dir string, c content, pin fixtures.Pin) error {
	byPath := func(a, b fixtures.Link) int { return cmp.Compare(a.Path, b.Path) }
	if !slices.Equal(slices.SortedFunc(slices.Values(c.links), byPath), slices.SortedFunc(slices.Values(pin.Links), byPath)) {
		return &damage{dir, "its symbolic links differ from the pin"}
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	for _, f := range c.files {
		if need := fileMode(f.path) & 0o555; f.mode.Perm()&need != need {
			return &damage{filepath.Join(dir, filepath.FromSlash(f.path)), fmt.Sprintf("its permissions are %04o", f.mode.Perm())}
		}
	}
	return nil
}

// findDamage names the file at fault with the help of the listing, when that one is whole.
func findDamage(dir string, c content, pin fixtures.Pin) error {
	listing, err := os.ReadFile(filepath.Join(dir, listingName))
	if err != nil || digest(listing) != pin.Digest {
		return &damage{dir, "its content differs from the pin"}
	}
	lines := bytes.Split(bytes.TrimSuffix(listing, []byte("\n")), []byte("\n"))
	want := map[string]string{}
	for _, l := range lines {
		want[lineName(string(l))] = string(l)
	}
	for _, l := range strings.Split(strings.TrimSuffix(c.listing(), "\n"), "\n") {
		name := lineName(l)
		if l != want[name] {
			return &damage{filepath.Join(dir, filepath.FromSlash(name)), "its content differs from the pin"}
		}
		delete(want, name)
	}
	missing := slices.Min(slices.Collect(maps.Keys(want)))
	return &damage{filepath.Join(dir, filepath.FromSlash(missing)), "it is missing"}
}

// lineName is the path in a line of a listing.
func lineName(line string) string {
	parts := strings.SplitN(line, " ", 3)
	return parts[len(parts)-1]
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
