package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// sealSize is what the last entry takes with the two empty blocks that end a tar file, in bytes.
const sealSize = 4 * tarBlock

// sealOf makes the last bytes of a bundle from the digest of all others.
func sealOf(sum []byte) ([]byte, error) {
	text := hex.EncodeToString(sum) + "\n"
	seal, err := tarHeader(sealName, int64(len(text)))
	if err != nil {
		return nil, err
	}
	seal = append(seal, text...)
	return append(seal, make([]byte, sealSize-len(seal))...), nil
}

// isSealed compares the last bytes of a bundle of size bytes with those that belong there.
func isSealed(ctx context.Context, r io.ReaderAt, size int64) (bool, error) {
	if size < sealSize {
		return false, nil
	}
	sum, err := sumOf(ctx, io.NewSectionReader(r, 0, size-sealSize))
	if err != nil {
		return false, err
	}
	want, err := sealOf(sum)
	if err != nil {
		return false, err
	}
	got := make([]byte, sealSize)
	if _, err := r.ReadAt(got, size-sealSize); err != nil {
		return false, err
	}
	return bytes.Equal(got, want), nil
}

// looksSealed tells whether a file ends as a bundle does, whatever its digest is.
func looksSealed(r io.ReaderAt, size int64) bool {
	name := make([]byte, len(sealName))
	_, err := r.ReadAt(name, size-sealSize)
	return err == nil && string(name) == sealName
}

// looksBegun tells whether a file begins as a bundle does.
func looksBegun(r io.ReaderAt) bool {
	name := make([]byte, len(manifestName)+1)
	_, err := r.ReadAt(name, 0)
	return err == nil && strings.TrimSuffix(string(name), "\x00") == manifestName
}

// sumOf is the SHA-256 of what a reader has.
func sumOf(ctx context.Context, r *io.SectionReader) ([]byte, error) {
	h := sha256.New()
	_, err := io.CopyBuffer(h, &boundedReader{ctx, r, r.Size(), errTooLarge}, make([]byte, 256<<10))
	return h.Sum(nil), err
}
