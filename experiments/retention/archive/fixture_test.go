package archive

import (
	"bytes"
	stdgzip "compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The names of the files of the small archive.
const (
	firstPart  = "m_2001_03-000001.jsonl.gz"
	secondPart = "m_2001_03-000002.jsonl.gz"
	thirdPart  = "m_2001_03-000003.jsonl.gz"
	otherPart  = "arch.%4Donth%2E1-000001.jsonl.gz"
)

// The digests of the small tables, by the Python of docs/archive-format.md.
const (
	firstDigest = "473c7fbd2eda2dd31bc7a474328ba781af71bb550ef060fe2882375483bbc978"
	otherDigest = "428b5f666dd700a6eacc02b146862283614e196dfcdb44a5b6b2852bff79287c"
	emptyDigest = "0000000000000000000000000000000000000000000000000000000000000000"
)

// smallTables are a table of 25 rows in parts of 10, one with a key of two
// columns and a name that needs care, and an empty one without a key.
func smallTables() []TableManifest {
	return []TableManifest{{
		Schema: "public", Name: "m_2001_03", Parent: "m", Digest: firstDigest, Key: []string{"id"},
		Columns: []Column{{"id", "bigint", CarryJSON}, {"body", "text", CarryJSON}, {"raw", "json", CarryText}},
	}, {
		Schema: "arch", Name: "Month.1", Parent: `arch."Month"`, Digest: otherDigest, Key: []string{"b", "a"},
		Columns: []Column{{"a", "uuid", CarryJSON}, {"b", "numeric(30,2)", CarryJSON}, {`"q"<&`, "integer[]", CarryText}},
	}, {
		Schema: "public", Name: "empty", Parent: "m", Digest: emptyDigest, Columns: []Column{{"x", "double precision", CarryJSON}},
	}}
}

// smallLines are the lines of the parts of each of the small tables.
func smallLines() [][]string {
	var parts [3]strings.Builder
	for i := range 25 {
		fmt.Fprintf(&parts[i/10], `{"id":%d,"body":"row %d \"\\\u0007é","raw":"{\"a\": %d}"}`+"\n", 9007199254740990+i, i*i, i)
	}
	return [][]string{
		{parts[0].String(), parts[1].String(), parts[2].String()},
		{`{"a":"00000000-0000-0000-0000-000000000001","b":1.50,"\"q\"<&":"{1,NULL}"}` + "\n" + `{"a":"ff","b":-2e9,"\"q\"\u003c&":null}` + "\n"},
		nil,
	}
}

// writeSmall writes the small archive and returns its manifest.
func writeSmall(disk *Disk, dir string, level int) (*Manifest, error) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC)
	m := &Manifest{Format: Format, Created: at.Add(time.Second), Snapshot: at, Server: "17.10", Settings: map[string]string{"TimeZone": "UTC"}, Tables: smallTables()}
	w, err := NewPartWriter(disk, dir, level)
	if err != nil {
		return nil, err
	}
	for i, parts := range smallLines() {
		t := &m.Tables[i]
		for n, lines := range parts {
			p, err := writePart(w, PartName(t.Schema, t.Name, n+1), t, lines)
			if err != nil {
				return nil, err
			}
			t.Parts = append(t.Parts, p)
			t.Rows += p.Rows
			t.RawBytes += p.RawBytes
		}
	}
	return m, WriteManifest(disk, dir, m)
}

func writePart(w *PartWriter, name string, t *TableManifest, lines string) (Part, error) {
	if err := w.Begin(name, t); err != nil {
		return Part{}, err
	}
	for line := range strings.Lines(lines) {
		if _, err := w.Write([]byte(line)); err != nil {
			return Part{}, err
		}
	}
	return w.Finish()
}

// small writes the small archive into a folder of the test.
func small(t *testing.T) (string, *Manifest) {
	t.Helper()
	dir := t.TempDir()
	m, err := writeSmall(nil, dir, 6)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// files reads all files of a folder by their names.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]byte)
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// restate writes a part's file and makes the manifest agree with it as far as
// the file goes, and its raw bytes when they are given.
func restate(t *testing.T, dir string, m *Manifest, p *Part, content []byte, raw string) {
	t.Helper()
	put(t, dir, p.File, content)
	p.Bytes, p.SHA256 = int64(len(content)), hexSum(content)
	if raw != "" {
		p.RawBytes, p.RawSHA256, p.Rows = int64(len(raw)), hexSum([]byte(raw)), int64(strings.Count(raw, "\n"))
		table := &m.Tables[0]
		table.Rows, table.RawBytes = 0, 0
		for _, q := range table.Parts {
			table.Rows += q.Rows
			table.RawBytes += q.RawBytes
		}
	}
	if err := WriteManifest(nil, dir, m); err != nil {
		t.Fatal(err)
	}
}

func hexSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// member is one gzip member by the standard library.
func member(t *testing.T, raw string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := stdgzip.NewWriter(&b)
	if _, err := z.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// faultsOf verifies a folder that can be read and returns the faults as text.
func faultsOf(t *testing.T, dir string) []string {
	t.Helper()
	_, faults, err := Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range faults {
		all = append(all, f.String())
	}
	return all
}

// wantFault says what is missing unless one of the faults is the wanted one.
func wantFault(t *testing.T, faults []string, want string) {
	t.Helper()
	for _, f := range faults {
		if strings.Contains(f, want) {
			return
		}
	}
	t.Errorf("faults %q, want one with %q", faults, want)
}
