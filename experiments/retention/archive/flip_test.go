package archive

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEveryFlippedBitIsFound flips one bit in each byte of the parts and the
// manifest, the bit drawn from a seed, and 8 in the bytes of the shortest part.
func TestEveryFlippedBitIsFound(t *testing.T) {
	dir, m := small(t)
	random := rand.New(rand.NewPCG(1, 6))
	tried := 0
	for name, content := range files(t, dir) {
		for at := range content {
			for range bits(name) {
				flipped := append([]byte(nil), content...)
				flipped[at] ^= 1 << random.IntN(8)
				put(t, dir, name, flipped)
				tried++
				if faults := partOrManifest(t, dir, m, name); !strings.Contains(faults, name) {
					t.Fatalf("a bit of byte %d of %s was flipped: %q", at, name, faults)
				}
			}
		}
		put(t, dir, name, content)
	}
	if faults := faultsOf(t, dir); len(faults) > 0 || tried < 2000 {
		t.Errorf("%d flips, and at the end %q", tried, faults)
	}
}

func bits(name string) int {
	if name == otherPart {
		return 8
	}
	return 1
}

// partOrManifest verifies the part of that name alone, for other files the
// manifest.
func partOrManifest(t *testing.T, dir string, m *Manifest, name string) string {
	t.Helper()
	for i := range m.Tables {
		for _, p := range m.Tables[i].Parts {
			if p.File == name {
				return fmt.Sprint(VerifyPart(dir, &m.Tables[i], p))
			}
		}
	}
	_, faults := checkManifest(dir)
	return fmt.Sprint(faults)
}

func TestEveryCutIsFound(t *testing.T) {
	dir, m := small(t)
	random := rand.New(rand.NewPCG(2, 6))
	for name, content := range files(t, dir) {
		// The edges of a gzip member: nothing, its header, its last block, its checksum.
		cuts := []int{0, 10, len(content) - 8, len(content) - 4, len(content) - 1}
		for range 200 {
			cuts = append(cuts, random.IntN(len(content)))
		}
		for _, at := range cuts {
			put(t, dir, name, content[:max(0, min(at, len(content)-1))])
			faults := partOrManifest(t, dir, m, name)
			if !strings.Contains(faults, name) {
				t.Fatalf("%s was cut at %d of %d: %q", name, at, len(content), faults)
			}
			if strings.HasSuffix(name, ".gz") && at > 0 && !strings.Contains(faults, "is cut: its gzip member does not end") {
				t.Fatalf("%s was cut at %d of %d and that is not said: %q", name, at, len(content), faults)
			}
		}
		put(t, dir, name, content)
	}
}

// TestMembers has manifests that agree with the sizes and sums of the files,
// as a writer that is wrong would make them.
func TestMembers(t *testing.T) {
	lines := strings.SplitAfter(smallLines()[0][0], "\n")
	head, tail := strings.Join(lines[:4], ""), strings.Join(lines[4:], "")
	both := append(member(t, head), member(t, tail)...)
	all := head + tail
	twice := append(member(t, all), member(t, all)...)
	for _, c := range []struct {
		name    string
		content []byte
		raw     string
		want    string
	}{
		{"one member of another writer", member(t, all), all, ""},
		{"two members", both, all, "has another gzip member after its first"},
		{"two members cut at the edge", member(t, head), "", "has 4 lines, the manifest says 10 rows"},
		{"a repeated member", twice, all, "has another gzip member after its first"},
		{"an empty member after it", append(member(t, all), member(t, "")...), all, "has another gzip member after its first"},
		{"bytes after it", append(member(t, all), "x"...), all, "has bytes after its gzip member"},
		{"zeros after it", append(member(t, all), make([]byte, 512)...), all, "has bytes after its gzip member"},
		{"more than it should unpack to", member(t, all+strings.Repeat("x", 1000)), all, "unpacks to more than the"},
		{"another content", member(t, strings.ReplaceAll(all, "row 4", "row 5")), "", "the SHA-256 of its raw bytes is"},
		{"no newline at the end", member(t, strings.TrimSuffix(all, "\n")), strings.TrimSuffix(all, "\n"), "line 10 has no newline at its end"},
		{"a line that is not JSON", member(t, strings.Replace(all, `"row 4`, `row 4`, 1)), strings.Replace(all, `"row 4`, `row 4`, 1), `line 3 has a value of column "body" that is not JSON`},
		{"a column less", member(t, strings.Replace(all, `"body"`, `"nobody"`, 1)), strings.Replace(all, `"body"`, `"nobody"`, 1), `line 1 does not have column "body" where it belongs`},
		{"an empty line", member(t, all+"\n"), all + "\n", "line 11 does not begin with {"},
		{"a row less", member(t, tail), tail, "its first key is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, m := small(t)
			restate(t, dir, m, &m.Tables[0].Parts[0], c.content, c.raw)
			faults := faultsOf(t, dir)
			if c.want != "" {
				wantFault(t, faults, firstPart+": "+c.want)
			} else if len(faults) > 0 {
				t.Errorf("%q", faults)
			}
		})
	}
}

// TestValidPartOfOtherContent replaces a part by one that is sound in itself.
func TestValidPartOfOtherContent(t *testing.T) {
	dir, m := small(t)
	was := m.Tables[0].Parts[1]
	w := NewSourcePartWriter(nil, dir)
	p, err := writePart(w, secondPart, &m.Tables[0], strings.ReplaceAll(smallLines()[0][1], "row 1", "row 2"))
	if err != nil || p.Rows != was.Rows || p.RawBytes != was.RawBytes {
		t.Fatalf("%+v, %v", p, err)
	}
	faults := faultsOf(t, dir)
	wantFault(t, faults, secondPart+": its SHA-256 is "+p.SHA256+", the manifest says "+was.SHA256)
	wantFault(t, faults, secondPart+": the SHA-256 of its raw bytes is "+p.RawSHA256)
}
