package archive

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
)

// readBuffer is how many bytes are read at a time, compressed and raw.
const readBuffer = 64 << 10

// A partSum is what was found in a part.
type partSum struct {
	bytes    int64 // of the file
	rawBytes int64
	rows     int64
	whole    bool // the gzip member was read to its end
	rawHash  hash.Hash
	first    []string
	last     []string
	badLine  error // the first
	pass     func(row int64) error

	digest rowDigest
	plain  bool   // the values of lines are not what COPY writes: no digest
	row    []byte // of the last line
}

// A partFile is a part's file while it is read: what passes is counted and
// hashed.
type partFile struct {
	part Part
	file *os.File
	hash hash.Hash
	size int64
}

func openPart(dir string, p Part) (*partFile, error) {
	path, err := partPath(dir, p)
	if err != nil {
		return nil, err
	}
	// Opening a pipe would wait for its writer.
	switch info, err := os.Lstat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &partFile{part: p, file: file, hash: sha256.New()}, nil
}

// Read reads the next bytes of the file.
func (f *partFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	f.hash.Write(p[:n])
	f.size += int64(n)
	return n, err
}

func (f *partFile) close() { f.file.Close() }

// drain reads to the end of the file.
func (f *partFile) drain() error {
	_, err := io.Copy(io.Discard, f)
	return err
}

// compareFile compares the file, read to its end, with the manifest.
func (f *partFile) compareFile(m *Manifest) []Fault {
	var faults []Fault
	if f.size != f.part.Bytes {
		faults = append(faults, Fault{f.part.File, fmt.Sprintf("has %d bytes, the manifest says %d", f.size, f.part.Bytes)})
	}
	sum := hex.EncodeToString(f.hash.Sum(nil))
	if sum == f.part.SHA256 {
		return faults
	}
	for _, t := range m.Tables {
		if i := slices.IndexFunc(t.Parts, func(p Part) bool { return p.SHA256 == sum }); i >= 0 {
			return append(faults, Fault{f.part.File, fmt.Sprintf("has the content of %s", printable(t.Parts[i].File))})
		}
	}
	return append(faults, Fault{f.part.File, fmt.Sprintf("its SHA-256 is %s, the manifest says %s", sum, printable(f.part.SHA256))})
}

// unpaced is the pass of a part that is read as fast as it goes.
func unpaced(int64) error { return nil }

// verifyPart reads a part; the manifest serves to tell whose content it has.
// It calls pass after each line, and ends with its error.
func verifyPart(dir string, t *TableManifest, p Part, m *Manifest, pass func(row int64) error) (partSum, []Fault) {
	lines, err := newLineFormat(t)
	if err != nil {
		return partSum{}, []Fault{{p.File, fmt.Sprintf("cannot be checked: %v", err)}}
	}
	f, err := openPart(dir, p)
	if err != nil {
		return partSum{}, []Fault{unreadable(p, err)}
	}
	defer f.close()
	sum := partSum{rawHash: sha256.New(), pass: pass, plain: t.Digest == noDigest}
	content := sum.read(f, lines)
	if err := f.drain(); err != nil {
		return sum, []Fault{unreadable(p, err)}
	}
	sum.bytes = f.size
	faults := f.compareFile(m)
	if content != nil {
		faults = append(faults, Fault{p.File, content.Error()})
	}
	if sum.whole {
		faults = append(faults, sum.compare(p)...)
	}
	return sum, faults
}

// read reads the one gzip member of a file. The standard library reads what
// another library has written.
func (s *partSum) read(f *partFile, lines *lineFormat) error {
	packed := bufio.NewReaderSize(f, readBuffer)
	zip, err := stdgzip.NewReader(packed)
	if err != nil {
		return gzipFault(err, f.size)
	}
	zip.Multistream(false)
	if err := s.readLines(zip, f.part.RawBytes, lines); err != nil {
		return err
	}
	s.whole = true
	after, _ := packed.Peek(2) // an error of the file shows again in drain
	switch {
	case len(after) == 0:
		return nil
	case bytes.Equal(after, []byte{0x1f, 0x8b}):
		return errors.New("has another gzip member after its first")
	}
	return errors.New("has bytes after its gzip member")
}

func gzipFault(err error, size int64) error {
	switch {
	case size == 0:
		return errors.New("is empty")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is cut: its gzip member does not end")
	case errors.Is(err, stdgzip.ErrHeader):
		return errors.New("does not begin as a gzip file")
	case errors.Is(err, stdgzip.ErrChecksum):
		return errors.New("is damaged: the checksum of gzip differs")
	}
	return fmt.Errorf("is damaged: %w", err)
}

// readLines reads raw bytes to their end, or to more than there should be: a
// small file can unpack to any size.
func (s *partSum) readLines(zip io.Reader, most int64, lines *lineFormat) error {
	raw := bufio.NewReaderSize(zip, readBuffer)
	var line, last []byte
	for {
		piece, err := raw.ReadSlice('\n')
		s.rawHash.Write(piece)
		s.rawBytes += int64(len(piece))
		if s.rawBytes > most {
			return fmt.Errorf("unpacks to more than the %d raw bytes that the manifest says", most)
		}
		if err == nil {
			if err := s.pass(s.rows); err != nil {
				return fmt.Errorf("was not read to its end: %w", err)
			}
		}
		switch {
		case err == nil && len(line) == 0:
			s.line(piece[:len(piece)-1], lines)
			last = append(last[:0], piece...)
		case err == nil:
			line = append(line, piece...)
			s.line(line[:len(line)-1], lines)
			last, line = line, last[:0]
		case errors.Is(err, bufio.ErrBufferFull):
			line = append(line, piece...)
		case errors.Is(err, io.EOF):
			return s.end(append(line, piece...), last, lines)
		default:
			return gzipFault(err, s.rawBytes+1)
		}
	}
}

// line counts a line and keeps what is wrong with the first that is not right.
func (s *partSum) line(line []byte, lines *lineFormat) {
	s.rows++
	if s.badLine != nil {
		return
	}
	err := s.check(line, lines)
	if s.rows == 1 && err == nil {
		s.first, err = lines.keyOf(line)
	}
	if err != nil {
		s.badLine = fmt.Errorf("line %d %w", s.rows, err)
	}
}

// check finds out what is wrong with a line, and adds its row to the digest.
func (s *partSum) check(line []byte, lines *lineFormat) (err error) {
	if s.plain {
		return lines.check(line)
	}
	if s.row, err = lines.appendRow(s.row[:0], line); err == nil {
		s.digest.add(s.row)
	}
	return err
}

// end takes what is left after the last newline, and the last line.
func (s *partSum) end(rest, last []byte, lines *lineFormat) (err error) {
	if len(rest) > 0 && s.badLine == nil {
		s.badLine = fmt.Errorf("line %d has no newline at its end", s.rows+1)
	}
	if s.badLine == nil && s.rows > 0 {
		if s.last, err = lines.keyOf(bytes.TrimSuffix(last, newline)); err != nil {
			s.badLine = fmt.Errorf("line %d %w", s.rows, err)
		}
	}
	return nil
}

// compare compares the raw bytes, read to their end, with the manifest.
func (s *partSum) compare(p Part) []Fault {
	var faults []Fault
	add := func(format string, args ...any) { faults = append(faults, Fault{p.File, fmt.Sprintf(format, args...)}) }
	if s.rawBytes != p.RawBytes {
		add("has %d raw bytes, the manifest says %d", s.rawBytes, p.RawBytes)
	}
	if sum := hex.EncodeToString(s.rawHash.Sum(nil)); sum != p.RawSHA256 {
		add("the SHA-256 of its raw bytes is %s, the manifest says %s", sum, printable(p.RawSHA256))
	}
	if s.rows != p.Rows {
		add("has %d lines, the manifest says %d rows", s.rows, p.Rows)
	}
	switch {
	case s.badLine != nil:
		add("%v", s.badLine)
	case !slices.Equal(s.first, p.FirstKey):
		add("its first key is %q, the manifest says %q", s.first, p.FirstKey)
	case !slices.Equal(s.last, p.LastKey):
		add("its last key is %q, the manifest says %q", s.last, p.LastKey)
	}
	return faults
}
