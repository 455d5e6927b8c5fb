package checker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// listed is what the checker reads of a manifest.
type listed struct {
	Format int           `json:"format"`
	Tables []listedTable `json:"tables"`
}

// listedTable is one table of a manifest.
type listedTable struct {
	Schema   string         `json:"schema"`
	Name     string         `json:"name"`
	Columns  []listedColumn `json:"columns"`
	Rows     int64          `json:"rows"`
	RawBytes int64          `json:"raw_bytes"`
	Parts    []listedPart   `json:"parts"`
}

// listedColumn is one column of a table.
type listedColumn struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Carry string `json:"carry"` // json: as JSON has it; text: as a string
}

// listedPart is one file of a table.
type listedPart struct {
	File      string `json:"file"`
	Rows      int64  `json:"rows"`
	RawBytes  int64  `json:"raw_bytes"`
	RawSHA256 string `json:"raw_sha256"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// relation is the name of the archived relation as schema.name.
func (t listedTable) relation() string { return t.Schema + "." + t.Name }

// The names in a folder of an archive that are no parts.
const (
	manifestFile = "manifest.json"
	sumFile      = "manifest.json.sha256"
	markerFile   = "deletecost-archive"
)

// errNoManifest says that an archive was not finished, or does not exist.
var errNoManifest = errors.New("there is no manifest: the archive was not finished")

// openArchive reads the manifest of a folder and compares it with its sum and
// with the names in the folder.
func openArchive(dir string) (*listed, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoManifest
	}
	if err != nil {
		return nil, err
	}
	if err := compareSum(dir, text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	m := &listed{}
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	if m.Format != 1 {
		return nil, fmt.Errorf("%s: format %d, and the checker knows format 1", manifestFile, m.Format)
	}
	return m, compareNames(dir, m)
}

// compareSum compares the manifest with the sum beside it.
func compareSum(dir string, manifest []byte) error {
	text, err := os.ReadFile(filepath.Join(dir, sumFile))
	if err != nil {
		return err
	}
	want, _, _ := strings.Cut(string(text), " ")
	sum := sha256.Sum256(manifest)
	if got := hex.EncodeToString(sum[:]); got != strings.TrimSpace(want) {
		return fmt.Errorf("%s: SHA-256 %s, and %s says %q", manifestFile, got, sumFile, want)
	}
	return nil
}

// compareNames wants the folder to hold the files of the manifest, each once,
// and no other.
func compareNames(dir string, m *listed) error {
	want := map[string]bool{manifestFile: true, sumFile: true, markerFile: true}
	for _, t := range m.Tables {
		for _, p := range t.Parts {
			if want[p.File] || filepath.Base(p.File) != p.File {
				return fmt.Errorf("%s: part %q is listed twice, or is no name of a part", manifestFile, p.File)
			}
			want[p.File] = true
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !want[e.Name()] {
			return fmt.Errorf("%q is in the folder and not in the manifest", e.Name())
		}
	}
	return nil
}

// readArchive reads a whole archive, its tables at the same time, and tells each
// row's id, which is the value of the column that key names for the table's
// relation, to what tell returns for it. The rows count only when the error is
// nil.
func readArchive(dir string, key func(relation string) (string, error), tell func(relation string) func(id string)) (rows int64, err error) {
	m, err := openArchive(dir)
	if err != nil {
		return 0, err
	}
	var reading errgroup.Group
	counts := make([]int64, len(m.Tables))
	for i, t := range m.Tables {
		column, err := key(t.relation())
		if err != nil {
			return 0, errors.Join(err, reading.Wait())
		}
		told := tell(t.relation())
		reading.Go(func() (err error) {
			counts[i], err = readTable(dir, t, column, told)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return 0, err
	}
	for _, n := range counts {
		rows += n
	}
	return rows, nil
}

// readTable reads the parts of one table and compares its sums.
func readTable(dir string, t listedTable, key string, tell func(id string)) (rows int64, err error) {
	var raw int64
	for _, p := range t.Parts {
		lines := lineReader{columns: t.Columns, key: key, tell: tell}
		if err := readPart(filepath.Join(dir, p.File), p, &lines); err != nil {
			return 0, fmt.Errorf("%s: %w", p.File, err)
		}
		rows += p.Rows
		raw += p.RawBytes
	}
	if rows != t.Rows || raw != t.RawBytes {
		return 0, fmt.Errorf("%s: table %s has %d rows and %d raw bytes, and its parts %d and %d", manifestFile, t.relation(), t.Rows, t.RawBytes, rows, raw)
	}
	return rows, nil
}
