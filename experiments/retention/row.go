package retention

import (
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// The ids that all rows share, as the source has one tenant, one conversation
// and one channel.
const (
	tenant       = "6d0d6f52-3a1c-4c58-9a55-0f4b5c7f1a01"
	conversation = "6d0d6f52-3a1c-4c58-9a55-0f4b5c7f1a02"
	channel      = "6d0d6f52-3a1c-4c58-9a55-0f4b5c7f1a03"
)

// The month that is archived, and when its rows were last changed: one moment,
// as rows have that are inserted in one statement.
var (
	monthBegins = time.Date(2001, 3, 1, 0, 0, 0, 0, time.UTC)
	otherBegins = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC) // of a month that is compared with it
	updated     = time.Date(2001, 4, 2, 3, 4, 5, 678_901_000, time.UTC)
)

// rowsSpan is the part of the month that has rows.
const rowsSpan = 30 * 24 * time.Hour

// text is the narrow text of the source's rows.
const text = "xxxxxxxxxxxxxxxx"

// A uuid is 16 bytes.
type uuid [16]byte

// nextUUID draws a random UUID (version 4, variant 1), as gen_random_uuid()
// makes them, from a seeded generator.
func nextUUID(rng *rand.Rand) uuid {
	var u uuid
	binary.BigEndian.PutUint64(u[:8], rng.Uint64())
	binary.BigEndian.PutUint64(u[8:], rng.Uint64())
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return u
}

// A month draws the rows of both tables. The rows depend on the seed and the
// number of rows only.
type month struct {
	rows   int
	seed   [2]uint64
	begins time.Time
}

// newMonth takes the seed from a generator of the run.
func newMonth(rows int, rng *rand.Rand) month {
	return month{rows: rows, seed: [2]uint64{rng.Uint64(), rng.Uint64()}, begins: monthBegins}
}

// ids returns a generator of the activities' ids, from the first.
func (m month) ids() *rand.Rand { return rand.New(rand.NewPCG(m.seed[0], m.seed[1])) }

// deliveryIDs returns a generator of the deliveries' ids, from the first.
func (m month) deliveryIDs() *rand.Rand { return rand.New(rand.NewPCG(m.seed[1], m.seed[0])) }

// insertedAt is when the i-th activity was inserted, in microseconds of
// PostgreSQL's calendar, which begins with the year 2000.
func (m month) insertedAt(i int) int64 {
	return micros(m.begins) + int64(i)*(rowsSpan.Microseconds()/int64(m.rows))
}

var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func micros(t time.Time) int64 { return t.Sub(epoch).Microseconds() }

// parseUUID reads one of the constants above.
func parseUUID(text string) (u uuid) {
	digit := func(c byte) byte {
		if c >= 'a' {
			return c - 'a' + 10
		}
		return c - '0'
	}
	at := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '-' {
			continue
		}
		u[at/2] = u[at/2]<<4 | digit(text[i])
		at++
	}
	return u
}
