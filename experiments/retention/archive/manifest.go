package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteManifest writes the manifest and its SHA-256 beside it, the sum first,
// so that a folder with a manifest is complete. An older manifest is removed
// before that: at no moment is there one with the sum of another.
func WriteManifest(disk *Disk, dir string, m *Manifest) error {
	text, err := m.encode()
	if err != nil {
		return fmt.Errorf("writing %s: %w", ManifestName, err)
	}
	if err := removeManifest(disk, dir); err != nil {
		return fmt.Errorf("writing %s: %w", ManifestName, err)
	}
	for _, f := range []struct {
		name    string
		content []byte
	}{{SumName, sumLine(text)}, {ManifestName, text}} {
		if err := disk.WriteFile(filepath.Join(dir, f.name), f.content); err != nil {
			return fmt.Errorf("writing %s: %w", f.name, err)
		}
	}
	return nil
}

// removeManifest makes a folder one without a manifest, which lasts: no part
// counts any more.
func removeManifest(disk *Disk, dir string) error {
	file := filepath.Join(dir, ManifestName)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(disk.Remove(file), disk.SyncDir(dir))
}

// ReadManifest reads the manifest of an archive. It compares nothing; Verify
// does. The error is fs.ErrNotExist when there is none.
func ReadManifest(dir string) (*Manifest, error) {
	text, err := readBounded(filepath.Join(dir, ManifestName), maxManifest)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", ManifestName, err)
	}
	m, err := decodeManifest(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", ManifestName, err)
	}
	return m, nil
}

func (m *Manifest) encode() ([]byte, error) {
	utc := *m
	utc.Created, utc.Snapshot = m.Created.UTC(), m.Snapshot.UTC()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(utc)
	return b.Bytes(), err
}

func decodeManifest(text []byte) (*Manifest, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the manifest")
	}
	return &m, nil
}

// sumLine is the line that sha256sum writes and checks.
func sumLine(manifest []byte) []byte {
	sum := sha256.Sum256(manifest)
	return []byte(hex.EncodeToString(sum[:]) + "  " + ManifestName + "\n")
}
