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
	"path/filepath"

	"github.com/klauspost/compress/gzip"
)

// writeBuffer is how many compressed bytes are gathered for one write.
const writeBuffer = 128 << 10

// A compressor is a gzip writer that can be used again.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// A PartWriter writes the parts of a table one after the other: Begin, Write
// as often as needed, Finish; then Begin again. Raw bytes are counted, hashed
// and compressed, compressed bytes are counted, hashed and written, in one
// pass. It uses under 4 MiB whatever the size of a part, and longer lines as
// they come. It is for one goroutine.
type PartWriter struct {
	disk *Disk
	dir  string
	zip  compressor

	file   *File
	part   Part
	lines  *lineFormat
	raw    hash.Hash
	packed hash.Hash
	buffer *bufio.Writer
	last   []byte // the last line, for its key
	err    error  // the first; the part cannot be finished
}

// NewPartWriter returns a writer of parts in a folder that exists, with
// klauspost's gzip at a level from 1 to 9.
func NewPartWriter(disk *Disk, dir string, level int) (*PartWriter, error) {
	zip, err := gzip.NewWriterLevel(io.Discard, level)
	if err == nil && (level < 1 || level > 9) {
		err = errors.New("not from 1 to 9")
	}
	if err != nil {
		return nil, fmt.Errorf("compressing at level %d: %w: choose 1 (fast) to 9 (small)", level, err)
	}
	return newPartWriter(disk, dir, zip), nil
}

// NewSourcePartWriter returns a writer that compresses as source s4 did, with
// the standard library's gzip at level 6.
func NewSourcePartWriter(disk *Disk, dir string) *PartWriter {
	zip, err := stdgzip.NewWriterLevel(io.Discard, 6)
	if err != nil {
		zip = stdgzip.NewWriter(io.Discard) // its default is level 6
	}
	return newPartWriter(disk, dir, zip)
}

func newPartWriter(disk *Disk, dir string, zip compressor) *PartWriter {
	return &PartWriter{disk: disk, dir: dir, zip: zip, raw: sha256.New(), packed: sha256.New(), buffer: bufio.NewWriterSize(nil, writeBuffer)}
}

// Begin starts a part under a temporary name. Of the table it needs the columns
// and the key.
func (w *PartWriter) Begin(name string, table *TableManifest) error {
	if w.file != nil {
		return fmt.Errorf("beginning part %q: part %q is not finished", name, w.part.File)
	}
	lines, err := newLineFormat(table)
	if err != nil {
		return fmt.Errorf("beginning part %q: %w", name, err)
	}
	file, err := w.disk.Create(filepath.Join(w.dir, name+TempSuffix))
	if err != nil {
		return fmt.Errorf("beginning part %q: %w", name, err)
	}
	w.file, w.part, w.lines, w.err, w.last = file, Part{File: name}, lines, nil, w.last[:0]
	w.raw.Reset()
	w.packed.Reset()
	w.buffer.Reset(io.MultiWriter(w.packed, &counter{&w.part.Bytes}, file))
	w.zip.Reset(w.buffer)
	return nil
}

// Write adds lines, which are complete and end in a newline each.
func (w *PartWriter) Write(lines []byte) (int, error) {
	if w.err != nil || len(lines) == 0 {
		return 0, w.err
	}
	if w.file == nil {
		return 0, errors.New("writing lines: no part was begun")
	}
	if err := w.add(lines); err != nil {
		w.err = fmt.Errorf("writing part %q: %w", w.part.File, err)
		return 0, w.err
	}
	return len(lines), nil
}

func (w *PartWriter) add(lines []byte) (err error) {
	if lines[len(lines)-1] != '\n' {
		return errors.New("its last line has no newline")
	}
	if w.part.Rows == 0 {
		first, _, _ := bytes.Cut(lines, newline)
		if w.part.FirstKey, err = w.lines.keyOf(first); err != nil {
			return fmt.Errorf("its first line %w", err)
		}
	}
	if len(w.lines.key) > 0 {
		w.last = append(w.last[:0], lines[1+bytes.LastIndexByte(lines[:len(lines)-1], '\n'):len(lines)-1]...)
	}
	w.part.Rows += int64(bytes.Count(lines, newline))
	w.part.RawBytes += int64(len(lines))
	w.raw.Write(lines)
	_, err = w.zip.Write(lines)
	return err
}

// Finish ends the part and returns when it will be there after a power cut: it
// is fsynced, has its name, and the folder is fsynced. After an error the part
// is given up as by Abort.
func (w *PartWriter) Finish() (Part, error) {
	if w.file == nil {
		return Part{}, errors.New("finishing a part: none was begun")
	}
	if err := w.finish(); err != nil {
		return Part{}, errors.Join(err, w.Abort())
	}
	w.part.RawSHA256, w.part.SHA256 = hex.EncodeToString(w.raw.Sum(nil)), hex.EncodeToString(w.packed.Sum(nil))
	file := w.file
	w.file = nil
	if err := file.Publish(filepath.Join(w.dir, w.part.File)); err != nil {
		return Part{}, fmt.Errorf("finishing part %q: %w", w.part.File, err)
	}
	return w.part, nil
}

func (w *PartWriter) finish() (err error) {
	if w.err != nil {
		return w.err
	}
	if w.part.Rows == 0 {
		return fmt.Errorf("finishing part %q: it has no rows", w.part.File)
	}
	if w.part.LastKey, err = w.lines.keyOf(w.last); err != nil {
		return fmt.Errorf("finishing part %q: its last line %w", w.part.File, err)
	}
	if err := errors.Join(w.zip.Close(), w.buffer.Flush()); err != nil {
		return fmt.Errorf("finishing part %q: %w", w.part.File, err)
	}
	return nil
}

// Abort gives up the part that was begun, if any, and removes its file.
func (w *PartWriter) Abort() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.Discard()
}

// A counter counts the bytes that are written to it.
type counter struct{ bytes *int64 }

func (c *counter) Write(p []byte) (int, error) {
	*c.bytes += int64(len(p))
	return len(p), nil
}
