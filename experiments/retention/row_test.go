package retention

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
	"time"
)

// RFC 9562: the version is the first digit of the third group, the variant the
// first one of the fourth.
func TestUUIDIsOfVersion4(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(1, 2)), map[uuid]bool{}
	for range 1000 {
		u := nextUUID(rng)
		s := u.String()
		if len(s) != 36 || s[14] != '4' || (s[19] != '8' && s[19] != '9' && s[19] != 'a' && s[19] != 'b') {
			t.Fatalf("%s is no UUID of version 4", s)
		}
		if parseUUID(s) != u {
			t.Fatalf("%s reads back as %s", s, parseUUID(s))
		}
		seen[u] = true
	}
	if len(seen) != 1000 {
		t.Errorf("%d different ids of 1000", len(seen))
	}
}

// PostgreSQL's binary COPY: an 11-byte signature, two 32-bit words, tuples, and
// a trailer of -1. An activity has 9 fields of 16, 16, 16, 7, 5, 16, 8, 8 and 8
// bytes, each behind its length: 2 + 9*4 + 100 = 138 bytes.
func TestCopyStreamHasTheBinaryFormat(t *testing.T) {
	const rows = 1000
	whole, err := io.ReadAll(newMonth(rows, rand.New(rand.NewPCG(1, 2))).activities())
	if err != nil {
		t.Fatal(err)
	}
	if want := 19 + rows*138 + 2; len(whole) != want {
		t.Fatalf("%d bytes, want %d", len(whole), want)
	}
	if !bytes.Equal(whole[:19], []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00")) || !bytes.Equal(whole[len(whole)-2:], []byte{0xff, 0xff}) {
		t.Error("the signature or the trailer is not as documented")
	}
	if n := binary.BigEndian.Uint16(whole[19:]); n != 9 {
		t.Errorf("a row has %d fields, want 9", n)
	}
	slow, err := io.ReadAll(iotest.OneByteReader(newMonth(rows, rand.New(rand.NewPCG(1, 2))).activities()))
	if err != nil || !bytes.Equal(slow, whole) {
		t.Errorf("the stream depends on how it is read: %d bytes, %v", len(slow), err)
	}
}

// Rows lie within the month: the first at its beginning, the last before its
// 31st day, which is 30 days later; at the largest size too, where the product
// of rows and microseconds would not fit into 64 bits.
func TestRowsLieWithinTheMonth(t *testing.T) {
	day := int64(24 * time.Hour / time.Microsecond)
	for _, rows := range []int{7, 10_000_000, 100_000_000} {
		m := newMonth(rows, rand.New(rand.NewPCG(1, 2)))
		if at := m.insertedAt(0); at != 425*day { // 366 days of 2000, 31 and 28 of 2001
			t.Errorf("the first of %d rows is at %d µs, want day 425 of the calendar", rows, at)
		}
		if last := m.insertedAt(rows - 1); last <= m.insertedAt(rows-2) || last < 450*day || last >= 455*day {
			t.Errorf("the last of %d rows is at %d µs", rows, last)
		}
	}
}
