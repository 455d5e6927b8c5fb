package checker

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// hashed passes on what it reads, and counts and hashes it.
type hashed struct {
	from  io.Reader
	hash  hash.Hash
	bytes int64
}

func hashing(from io.Reader) *hashed { return &hashed{from: from, hash: sha256.New()} }

func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.hash.Write(p[:n])
	h.bytes += int64(n)
	return n, err
}

// compare compares what was read with what a manifest says of it.
func (h *hashed) compare(what string, bytes int64, sum string) error {
	if h.bytes != bytes {
		return fmt.Errorf("%d %s bytes, and the manifest says %d", h.bytes, what, bytes)
	}
	if got := hex.EncodeToString(h.hash.Sum(nil)); got != sum {
		return fmt.Errorf("SHA-256 of the %s bytes is %s, and the manifest says %s", what, got, sum)
	}
	return nil
}

// readPart reads one part to its end: one gzip member and nothing after it.
func readPart(path string, p listedPart, lines *lineReader) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	packed := hashing(file)
	buffered := bufio.NewReaderSize(packed, 1<<16)
	zip, err := gzip.NewReader(buffered)
	if err != nil {
		return err
	}
	zip.Multistream(false)
	raw := hashing(zip)
	if err := lines.read(bufio.NewReaderSize(raw, 1<<16)); err != nil {
		return err
	}
	if _, err := buffered.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("there is something after the end of the gzip member")
	}
	if lines.rows != p.Rows {
		return fmt.Errorf("%d lines, and the manifest says %d", lines.rows, p.Rows)
	}
	return errors.Join(packed.compare("compressed", p.Bytes, p.SHA256), raw.compare("raw", p.RawBytes, p.RawSHA256))
}

// lineReader reads JSON Lines.
type lineReader struct {
	columns []listedColumn
	key     string // name of the column that tell is told of; empty: none
	tell    func(id string)
	row     func(line []byte) error // nil, or what else is done with a line
	rows    int64
}

// read reads lines to the end; each ends with a line break.
func (l *lineReader) read(from *bufio.Reader) error {
	for {
		line, err := from.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err == nil {
			err = l.line(bytes.TrimSuffix(line, []byte("\n")))
		} else if errors.Is(err, io.EOF) {
			err = errors.New("cut within the line")
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", l.rows+1, err)
		}
		l.rows++
	}
}

// line reads one line.
func (l *lineReader) line(line []byte) error {
	id, err := keyOf(line, l.columns, l.key)
	if err != nil {
		return err
	}
	if l.key != "" {
		l.tell(id)
	}
	if l.row != nil {
		return l.row(line)
	}
	return nil
}
