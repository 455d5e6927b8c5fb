package checker

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A Digest stands for a set of ids, in any order: their number, and the
// exclusive or and the sum of 128 bits of the SHA-256 of each. Equal digests
// mean equal sets, also when ids repeat.
type Digest struct {
	// Rows is the number of ids.
	Rows int64

	xor, sum [2]uint64
}

// Add takes one id, the row's key as the server prints it.
func (d *Digest) Add(id string) {
	h := sha256.Sum256([]byte(id))
	one := [2]uint64{binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:16])}
	d.merge(Digest{Rows: 1, xor: one, sum: one})
}

// merge takes all ids of another digest.
func (d *Digest) merge(more Digest) {
	d.Rows += more.Rows
	d.xor[0] ^= more.xor[0]
	d.xor[1] ^= more.xor[1]
	var carry uint64
	d.sum[1], carry = bits.Add64(d.sum[1], more.sum[1], 0)
	d.sum[0], _ = bits.Add64(d.sum[0], more.sum[0], carry)
}

// String is the digest for people.
func (d Digest) String() string {
	return fmt.Sprintf("%d rows, xor %016x%016x, sum %016x%016x", d.Rows, d.xor[0], d.xor[1], d.sum[0], d.sum[1])
}
