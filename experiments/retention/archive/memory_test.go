package archive

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// allocated is how many bytes work allocates in all, which is more than it
// ever holds.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestMemoryIsBounded writes and verifies a part of 200 MB of raw bytes within
// 64 MiB, all that was ever allocated counted.
func TestMemoryIsBounded(t *testing.T) {
	const rows, bound = 1_000_000, 64 << 20
	dir, table := t.TempDir(), &smallTables()[0]
	table.Columns[2].Carry = CarryJSON
	var batch bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&batch, `{"id":%d,"body":"%s","raw":"%d"}`+"\n", i, strings.Repeat("x", 170), i*i)
	}
	var p Part
	used := allocated(func() {
		w, err := NewPartWriter(nil, dir, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin(firstPart, table); err != nil {
			t.Fatal(err)
		}
		for range rows / 1000 {
			if _, err := w.Write(batch.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
		if p, err = w.Finish(); err != nil {
			t.Fatal(err)
		}
	})
	if p.Rows != rows || p.RawBytes < 200e6 || used > bound {
		t.Errorf("writing %d rows, %d raw bytes, allocated %d bytes", p.Rows, p.RawBytes, used)
	}
	var faults []Fault
	if used := allocated(func() { faults = VerifyPart(dir, table, p) }); used > bound || len(faults) > 0 {
		t.Errorf("verifying allocated %d bytes: %v", used, faults)
	}
}

// TestLinesLongerThanTheBuffer has lines around the size of the buffer that
// they are read through.
func TestLinesLongerThanTheBuffer(t *testing.T) {
	dir, table := t.TempDir(), &smallTables()[0]
	var raw strings.Builder
	for i, n := range []int{1, readBuffer - 1, readBuffer, readBuffer + 1, 10, 5 * readBuffer, 10} {
		head := fmt.Sprintf(`{"id":%d,"body":"`, i)
		tail := `","raw":null}` + "\n"
		raw.WriteString(head + strings.Repeat("y", max(0, n-len(head)-len(tail))) + tail)
	}
	w, err := NewPartWriter(nil, dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := writePart(w, firstPart, table, raw.String())
	if err != nil || p.Rows != 7 || p.LastKey[0] != "6" {
		t.Fatalf("%+v, %v", p, err)
	}
	if faults := VerifyPart(dir, table, p); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
}
