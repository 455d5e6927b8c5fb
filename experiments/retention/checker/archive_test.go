package checker

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sumOf is the SHA-256 of bytes as a manifest has it.
func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// zipped is one gzip member.
func zipped(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archiveOf writes an archive of public.m, a column id, with a part for each
// list of ids.
func archiveOf(t *testing.T, parts ...[]string) string {
	t.Helper()
	dir := t.TempDir()
	m := listed{Format: 1, Tables: []listedTable{{Schema: "public", Name: "m", Columns: []listedColumn{{Name: "id", Type: "text"}}}}}
	table := &m.Tables[0]
	for i, ids := range parts {
		var raw []byte
		for _, id := range ids {
			raw = append(raw, fmt.Sprintf("{\"id\":%q}\n", id)...)
		}
		file := zipped(t, raw)
		p := listedPart{File: fmt.Sprintf("m-%06d.jsonl.gz", i+1), Rows: int64(len(ids)), RawBytes: int64(len(raw)), RawSHA256: sumOf(raw), Bytes: int64(len(file)), SHA256: sumOf(file)}
		table.Parts, table.Rows, table.RawBytes = append(table.Parts, p), table.Rows+p.Rows, table.RawBytes+p.RawBytes
		writeFile(t, dir, p.File, file)
	}
	writeManifest(t, dir, m)
	return dir
}

func writeFile(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeManifest(t *testing.T, dir string, m listed) {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, manifestFile, text)
	writeFile(t, dir, sumFile, []byte(sumOf(text)+"  "+manifestFile+"\n"))
}

// editManifest changes the manifest, and the sum beside it.
func editManifest(t *testing.T, dir string, edit func(*listedTable)) {
	t.Helper()
	m, err := openArchive(dir)
	if err != nil {
		t.Fatal(err)
	}
	edit(&m.Tables[0])
	writeManifest(t, dir, *m)
}

const firstPart, secondPart = "m-000001.jsonl.gz", "m-000002.jsonl.gz"

// What is wrong with an archive makes its rows not be in it.
func TestArchiveThatIsNotVerified(t *testing.T) {
	read := func(dir, name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	replaced := func(dir string, raw string) {
		file := zipped(t, []byte(raw))
		writeFile(t, dir, firstPart, file)
		editManifest(t, dir, func(m *listedTable) {
			m.RawBytes += int64(len(raw)) - m.Parts[0].RawBytes
			p := &m.Parts[0]
			p.RawBytes, p.RawSHA256, p.Bytes, p.SHA256 = int64(len(raw)), sumOf([]byte(raw)), int64(len(file)), sumOf(file)
		})
	}
	for _, test := range []struct {
		name   string
		damage func(dir string)
		want   string
	}{
		{"no manifest", func(d string) { os.Remove(filepath.Join(d, manifestFile)) }, "not finished"},
		{"manifest edited", func(d string) {
			writeFile(t, d, manifestFile, bytes.Replace(read(d, manifestFile), []byte(`"rows":3`), []byte(`"rows":4`), 1))
		}, "SHA-256"},
		{"rows do not add up", func(d string) { editManifest(t, d, func(m *listedTable) { m.Rows = 4 }) }, "4 rows"},
		{"raw bytes do not add up", func(d string) { editManifest(t, d, func(m *listedTable) { m.RawBytes++ }) }, "raw bytes"},
		{"a part missing", func(d string) { os.Remove(filepath.Join(d, secondPart)) }, "no such file"},
		{"a part too many", func(d string) { writeFile(t, d, "m-000003.jsonl.gz", nil) }, "not in the manifest"},
		{"a part listed twice", func(d string) {
			editManifest(t, d, func(m *listedTable) { m.Parts[1] = m.Parts[0] })
		}, "listed twice"},
		{"parts swapped", func(d string) {
			one, two := read(d, firstPart), read(d, secondPart)
			writeFile(t, d, firstPart, two)
			writeFile(t, d, secondPart, one)
		}, "manifest says"},
		{"a part cut", func(d string) { b := read(d, firstPart); writeFile(t, d, firstPart, b[:len(b)-1]) }, "unexpected EOF"},
		{"a part cut at its member's beginning", func(d string) { writeFile(t, d, firstPart, nil) }, "EOF"},
		{"a bit flipped", func(d string) { b := read(d, firstPart); b[len(b)-6] ^= 1; writeFile(t, d, firstPart, b) }, "invalid checksum"},
		{"a bit of the header flipped", func(d string) { b := read(d, firstPart); b[4] ^= 1; writeFile(t, d, firstPart, b) }, "SHA-256 of the compressed"},
		{"a member repeated", func(d string) { b := read(d, firstPart); writeFile(t, d, firstPart, append(b, b...)) }, "after the end"},
		{"a byte after the member", func(d string) { writeFile(t, d, firstPart, append(read(d, firstPart), 0)) }, "after the end"},
		{"a line too many", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"id\":\"2\"}\n{\"id\":\"9\"}\n") }, "3 lines"},
		{"another row", func(d string) { writeFile(t, d, firstPart, zipped(t, []byte("{\"id\":\"1\"}\n{\"id\":\"9\"}\n"))) }, "SHA-256"},
		{"no line break at the end", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"id\":\"2\"}") }, "cut within"},
		{"another column", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"key\":\"2\"}\n") }, "expected"},
		{"a column too many", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"id\":\"2\",\"x\":1}\n") }, "there is more"},
		{"two objects in a line", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"id\":\"2\"} {}\n") }, "no JSON"},
		{"a nested value", func(d string) { replaced(d, "{\"id\":\"1\"}\n{\"id\":[2]}\n") }, "no scalar"},
		{"no JSON", func(d string) { replaced(d, "{\"id\":\"1\"}\n{id:2}\n") }, "no JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := archiveOf(t, []string{"1", "2"}, []string{"3"})
			test.damage(dir)
			r, err := Check(t.Context(), nil, Places{Tables: []Table{{Name: "a", Months: []string{"public.m"}, Loaded: []string{"1", "2", "3"}}}, Archives: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			if state := r.Archives[0]; state.Verified || !strings.Contains(state.Fault, test.want) {
				t.Errorf("the archive is %+v, want a fault with %q", state, test.want)
			}
			if r.Archived != 0 || len(r.Violations) != 3 {
				t.Errorf("%v; want its 3 rows lost", r)
			}
		})
	}
}
