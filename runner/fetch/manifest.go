package fetch

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"deletecost/fixtures"
)

// A bundle is a tar file. Its first entry is the manifest, then comes one entry for each pin, and last the seal:
//
//	deletecost-bundle.json                   manifest, with spaces behind it
//	postgres-17.10-linux-arm64.tar.gz        bin, lib and share, without links
//	echarts-6.1.0.min.js.gz
//	deletecost-bundle.sha256                 SHA-256 of all bytes before this entry
//
// Times, owners and order are fixed, so the same program makes the same bytes of the same pins. Every later format keeps the two names and the seal.
const (
	manifestName = "deletecost-bundle.json"
	sealName     = "deletecost-bundle.sha256"
	bundleFormat = 1
	tarBlock     = 512     // bytes; a header, and what content is rounded up to
	maxManifest  = 1 << 20 // bytes
	maxPacked    = 1 << 30 // bytes of one entry
)

// manifest says what a bundle holds.
type manifest struct {
	Format  int            `json:"format"`
	Entries []packedMember `json:"entries"`
}

// packedMember is one compressed pin in a bundle.
type packedMember struct {
	Path     string `json:"path"`     // name of the entry
	Kind     string `json:"kind"`     // "postgres" or "echarts"
	Version  string `json:"version"`  // of the pin
	Platform string `json:"platform"` // of the pin
	Size     int64  `json:"size"`     // bytes, compressed
	SHA256   string `json:"sha256"`   // hexadecimal, of the compressed bytes
	Digest   string `json:"digest"`   // the pin's
}

// newMember describes a pin that is not packed yet.
func newMember(pin fixtures.Pin) packedMember {
	m := packedMember{Version: pin.Version, Platform: pin.Platform, Digest: pin.Digest}
	if pin.File != "" {
		name := path.Base(pin.File)
		m.Kind = "echarts"
		m.Path = strings.Replace(name, ".", "-"+pin.Version+".", 1) + ".gz"
		return m
	}
	m.Kind = "postgres"
	m.Path = fmt.Sprintf("postgres-%s-%s.tar.gz", pin.Version, strings.ReplaceAll(pin.Platform, "/", "-"))
	return m
}

// is tells whether a member is of the kind, version and platform of another one.
func (m packedMember) is(other packedMember) bool {
	return m.Kind == other.Kind && m.Version == other.Version && m.Platform == other.Platform
}

func (m packedMember) String() string {
	if m.Kind == "echarts" {
		return "ECharts " + m.Version
	}
	return "PostgreSQL " + m.Version + " for " + m.Platform
}

// room is the space for the manifest, in bytes: its size with the largest numbers, so that it is known before anything is packed.
func (m manifest) room() (int64, error) {
	largest := m
	largest.Entries = nil
	for _, e := range m.Entries {
		e.Size, e.SHA256 = math.MaxInt64, strings.Repeat("f", 64)
		largest.Entries = append(largest.Entries, e)
	}
	text, err := largest.text()
	return int64(len(text)), err
}

func (m manifest) text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// parseManifest reads a manifest and refuses what no bundle of this format has.
func parseManifest(text []byte) (manifest, error) {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	if m.Format != bundleFormat {
		return m, nil
	}
	if len(m.Entries) > 1000 {
		return m, errors.New("it lists too many entries")
	}
	for _, e := range m.Entries {
		if e.Size < 0 || e.Size > maxPacked {
			return m, fmt.Errorf("entry %q has %d bytes", e.Path, e.Size)
		}
	}
	return m, nil
}

// whole is the size of a bundle whose manifest takes room bytes.
func (m manifest) whole(room int64) int64 {
	size := tarBlock + padded(room) + sealSize
	for _, e := range m.Entries {
		size += tarBlock + padded(e.Size)
	}
	return size
}

// padded is a size rounded up to whole blocks.
func padded(n int64) int64 { return (n + tarBlock - 1) / tarBlock * tarBlock }

// tarHeader is the one header that an entry of a bundle can have.
func tarHeader(name string, size int64) ([]byte, error) {
	var b bytes.Buffer
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, Format: tar.FormatUSTAR}
	if err := tar.NewWriter(&b).WriteHeader(h); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
