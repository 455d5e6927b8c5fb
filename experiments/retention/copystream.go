package retention

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
)

// streamChunk is how many bytes are encoded before they are handed on.
const streamChunk = 64 << 10

// A copyStream is the rows of one table in the binary format of COPY
// (PostgreSQL's documentation of COPY, "Binary Format"), made as they are read.
type copyStream struct {
	rows   int
	next   int
	row    func(*copyStream, int) // appends the fields of one row
	buffer []byte
	ended  bool
}

func newCopyStream(rows int, row func(*copyStream, int)) *copyStream {
	s := &copyStream{rows: rows, row: row, buffer: make([]byte, 0, streamChunk+1024)}
	s.buffer = append(s.buffer, "PGCOPY\n\xff\r\n\x00"...)
	s.buffer = append(s.buffer, 0, 0, 0, 0, 0, 0, 0, 0) // no flags, no header extension
	return s
}

// Read implements io.Reader.
func (s *copyStream) Read(p []byte) (int, error) {
	if len(s.buffer) == 0 {
		s.fill()
	}
	if len(s.buffer) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.buffer)
	s.buffer = s.buffer[:copy(s.buffer, s.buffer[n:])]
	return n, nil
}

func (s *copyStream) fill() {
	for s.next < s.rows && len(s.buffer) < streamChunk {
		s.row(s, s.next)
		s.next++
	}
	if s.next == s.rows && !s.ended {
		s.buffer = append(s.buffer, 0xff, 0xff)
		s.ended = true
	}
}

func (s *copyStream) fields(n int)    { s.buffer = binary.BigEndian.AppendUint16(s.buffer, uint16(n)) }
func (s *copyStream) length(n uint32) { s.buffer = binary.BigEndian.AppendUint32(s.buffer, n) }

func (s *copyStream) uuid(u uuid) {
	s.length(16)
	s.buffer = append(s.buffer, u[:]...)
}

func (s *copyStream) text(t string) {
	s.length(uint32(len(t)))
	s.buffer = append(s.buffer, t...)
}

// bigint also writes a timestamp, which is microseconds.
func (s *copyStream) bigint(v int64) {
	s.length(8)
	s.buffer = binary.BigEndian.AppendUint64(s.buffer, uint64(v))
}

// The columns that the streams fill; the others take their defaults.
const (
	activityColumns = "id, tenant_id, conversation_id, type, sender, text, inserted_at, updated_at, seq"
	deliveryColumns = "id, activity_id, channel_id, status, inserted_at, updated_at, tenant_id, activity_inserted_at"
)

// activities is the stream of a month's activities.
func (m month) activities() io.Reader {
	ids, of, in, changed := m.ids(), parseUUID(tenant), parseUUID(conversation), micros(updated)
	return newCopyStream(m.rows, func(s *copyStream, i int) {
		s.fields(9)
		s.uuid(nextUUID(ids))
		s.uuid(of)
		s.uuid(in)
		s.text("message")
		s.text("bench")
		s.text(text)
		s.bigint(m.insertedAt(i))
		s.bigint(changed)
		s.bigint(int64(i) + 1)
	})
}

// deliveries is the stream of their deliveries, one each.
func (m month) deliveries() io.Reader {
	ids, to := m.deliveryIDs(), m.ids()
	return newCopyStream(m.rows, m.delivery(ids, to))
}

func (m month) delivery(ids, activities *rand.Rand) func(*copyStream, int) {
	of, by, changed := parseUUID(tenant), parseUUID(channel), micros(updated)
	return func(s *copyStream, i int) {
		at := m.insertedAt(i)
		s.fields(8)
		s.uuid(nextUUID(ids))
		s.uuid(nextUUID(activities))
		s.uuid(by)
		s.text("sent")
		s.bigint(at)
		s.bigint(changed)
		s.uuid(of)
		s.bigint(at)
	}
}
