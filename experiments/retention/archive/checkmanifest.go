package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxManifest is the size above which a manifest is not read, in bytes: over a
// hundred thousand parts.
const maxManifest = 64 << 20

// checkManifest reads the manifest and returns what is wrong with it as far as
// no part is needed for that. The manifest is nil when it cannot be used.
func checkManifest(dir string) (*Manifest, []Fault) {
	text, err := readBounded(filepath.Join(dir, ManifestName), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, []Fault{{ManifestName, "is missing: the archive was never complete, or is not all here"}}
	}
	if err != nil {
		return nil, []Fault{unreadable(Part{File: ManifestName}, err)}
	}
	faults := checkSum(dir, text)
	m, err := decodeManifest(text)
	if err != nil {
		return nil, append(faults, Fault{ManifestName, fmt.Sprintf("is not a manifest: %v", err)})
	}
	if m.Format != Format {
		return nil, append(faults, Fault{ManifestName, fmt.Sprintf("has format %d, this program reads %d", m.Format, Format)})
	}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, text) {
		faults = append(faults, Fault{ManifestName, "is not written as this program writes it"})
	}
	for _, what := range m.problems() {
		faults = append(faults, Fault{ManifestName, what})
	}
	return m, faults
}

func checkSum(dir string, manifest []byte) []Fault {
	line, err := readBounded(filepath.Join(dir, SumName), 4096)
	switch {
	case err != nil:
		return []Fault{unreadable(Part{File: SumName}, err)}
	case !bytes.Equal(line, sumLine(manifest)):
		return []Fault{{ManifestName, fmt.Sprintf("is not what %s says", SumName)}}
	}
	return nil
}

func readBounded(file string, most int64) ([]byte, error) {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("it is larger than %d bytes", most)
	}
	return text, err
}

// problems are what contradicts itself in a manifest.
func (m *Manifest) problems() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if m.Created.IsZero() || m.Snapshot.IsZero() || m.Server == "" || len(m.Settings) == 0 {
		add("lacks the time, the server or its settings")
	}
	if len(m.Tables) == 0 {
		add("names no table")
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		same := func(u TableManifest) bool { return u.Schema == t.Schema && u.Name == t.Name }
		if slices.ContainsFunc(m.Tables[:i], same) {
			add("table %q is there twice", t.Name)
		}
		for _, what := range t.problems() {
			add("table %q: %s", t.Name, what)
		}
	}
	return all
}

func (t *TableManifest) problems() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if t.Schema == "" || t.Name == "" || t.Parent == "" || !isHex(t.Digest) || t.Digest != noDigest && len(t.Digest) != 64 {
		add("its schema, name, parent or digest is not there")
	}
	for i, c := range t.Columns {
		if c.Name == "" || c.Type == "" || c.Carry != CarryJSON && c.Carry != CarryText {
			add("column %d (%q) has no name or type, or is carried in no known way", i+1, c.Name)
		}
		if slices.ContainsFunc(t.Columns[:i], func(d Column) bool { return d.Name == c.Name }) {
			add("column %q is there twice", c.Name)
		}
	}
	if _, err := newLineFormat(t); err != nil {
		add("%v", err)
	}
	var rows, raw int64
	seen := make(map[string]bool)
	for i, p := range t.Parts {
		rows += p.Rows
		raw += p.RawBytes
		for _, what := range p.problems(t, i) {
			add("part %d (%q) %s", i+1, p.File, what)
		}
		if seen[p.RawSHA256] && len(t.Key) > 0 { // without a key all rows may be equal
			add("part %d (%q) has the content of a part before it", i+1, p.File)
		}
		seen[p.RawSHA256] = true
	}
	if rows != t.Rows || raw != t.RawBytes {
		add("it has %d rows and %d raw bytes, its parts have %d and %d", t.Rows, t.RawBytes, rows, raw)
	}
	return all
}

// problems are what contradicts the part of that place, from 0.
func (p *Part) problems(t *TableManifest, place int) []string {
	var all []string
	add := func(what string) { all = append(all, what) }
	if name := PartName(t.Schema, t.Name, place+1); p.File != name {
		add("is not named " + name)
	}
	if p.Rows < 1 || p.Bytes < 1 || p.RawBytes < p.Rows {
		add("has no rows or bytes")
	}
	if len(p.SHA256) != 64 || !isHex(p.SHA256) || len(p.RawSHA256) != 64 || !isHex(p.RawSHA256) {
		add("has no SHA-256")
	}
	if len(p.FirstKey) != len(t.Key) || len(p.LastKey) != len(t.Key) {
		add("has a first or last key of another number of columns")
	}
	return all
}

func isHex(text string) bool {
	for _, c := range []byte(text) {
		if !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return text != ""
}
