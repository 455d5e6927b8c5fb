package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A rowDigest stands for the rows of a table in any order: the sums of the four
// 64-bit words of the SHA-256 of each row, without carry. A row is its line in
// COPY's text format under the pinned settings, so the digest of a table and
// that of the archive are equal when every value came through. It counts, so a
// row that is there twice shows.
type rowDigest struct {
	rows  int64
	words [4]uint64
}

// add takes one row, without the newline.
func (d *rowDigest) add(row []byte) {
	sum := sha256.Sum256(row)
	for i := range d.words {
		d.words[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
	d.rows++
}

// merge takes all rows of another digest.
func (d *rowDigest) merge(more rowDigest) {
	for i, w := range more.words {
		d.words[i] += w
	}
	d.rows += more.rows
}

// compare says how the rows of a table's parts differ from its manifest's; ""
// when they do not, or when the manifest has no digest.
func (d *rowDigest) compare(t *TableManifest) string {
	if t.Digest == noDigest || d.String() == t.Digest {
		return ""
	}
	return fmt.Sprintf("table %q: the rows of its parts have digest %s, the manifest says %s", t.Name, d, printable(t.Digest))
}

// String is the digest as the manifest has it.
func (d *rowDigest) String() string {
	w := d.words
	return fmt.Sprintf("%016x%016x%016x%016x", w[0], w[1], w[2], w[3])
}

// A rowSplitter is the receiving end of COPY's text format: it calls each with
// every row, without the newline. A newline in a value is escaped, so each
// newline ends a row; the messages of the protocol need not.
type rowSplitter struct {
	each func(row []byte) error
	held []byte // the beginning of a row
}

// Write takes the next bytes of the stream.
func (s *rowSplitter) Write(p []byte) (int, error) {
	rest := p
	for len(rest) > 0 {
		end := lineEnd(rest)
		if end < 0 {
			s.held = append(s.held, rest...)
			break
		}
		row := rest[:end]
		if len(s.held) > 0 {
			s.held = append(s.held, row...)
			row = s.held
		}
		if err := s.each(row); err != nil {
			return 0, err
		}
		s.held, rest = s.held[:0], rest[end+1:]
	}
	return len(p), nil
}

// finish is called at the end of the stream.
func (s *rowSplitter) finish() error {
	if len(s.held) > 0 {
		return fmt.Errorf("reading the stream: it ends within a row, %d bytes after its beginning", len(s.held))
	}
	return nil
}
