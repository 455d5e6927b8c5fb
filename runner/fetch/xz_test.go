package fetch

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"testing"

	"github.com/xi2/xz"
)

// xzOf wraps data as an .xz file without compressing it: one block of stored LZMA2 chunks, no check of the content.
// The layout is that of "The .xz File Format" 1.2.1.
func xzOf(data []byte) []byte {
	var b bytes.Buffer
	flags := []byte{0, 0}
	b.WriteString("\xfd7zXZ\x00")
	b.Write(withCRC(flags))
	start := b.Len()
	// Size 12 = (2+1)*4, one filter: LZMA2 (0x21) with one byte of properties: 20 is a dictionary of 4 MiB.
	b.Write(withCRC([]byte{2, 0, 0x21, 1, 20, 0, 0, 0}))
	writeChunks(&b, data)
	unpadded := b.Len() - start
	pad(&b)
	index := bytes.NewBuffer([]byte{0, 1})
	index.Write(binary.AppendUvarint(nil, uint64(unpadded)))
	index.Write(binary.AppendUvarint(nil, uint64(len(data))))
	pad(index)
	b.Write(withCRC(index.Bytes()))
	footer := binary.LittleEndian.AppendUint32(nil, uint32(index.Len()/4)) // (index + CRC)/4 - 1
	footer = append(footer, flags...)
	b.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(footer)))
	b.Write(footer)
	b.WriteString("YZ")
	return b.Bytes()
}

func writeChunks(b *bytes.Buffer, data []byte) {
	control := byte(1) // stored, and the dictionary begins anew
	for len(data) > 0 {
		n := min(len(data), 1<<16)
		b.Write([]byte{control, byte((n - 1) >> 8), byte(n - 1)})
		b.Write(data[:n])
		data, control = data[n:], 2
	}
	b.WriteByte(0)
}

func pad(b *bytes.Buffer) {
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
}

func withCRC(p []byte) []byte {
	return binary.LittleEndian.AppendUint32(bytes.Clone(p), crc32.ChecksumIEEE(p))
}

func TestXZOf(t *testing.T) {
	for _, size := range []int{0, 1, 1 << 16, 1<<16 + 1, 200_001} {
		data := bytes.Repeat([]byte("deletes"), size/7+1)[:size]
		r, err := xz.NewReader(bytes.NewReader(xzOf(data)), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes came back as %d: %v", size, len(got), err)
		}
	}
}
