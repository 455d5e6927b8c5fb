package runner

import (
	"os"
	"runtime"
	"testing"
)

func TestPeakBeginsAnew(t *testing.T) {
	if err := resetPeak(); err != nil {
		t.Skipf("the kernel does not let the peak begin anew: %v", err)
	}
	const size = 64 << 20
	before := peakMemory()
	block := make([]byte, size)
	for i := 0; i < size; i += os.Getpagesize() {
		block[i] = 1
	}
	high := peakMemory()
	runtime.KeepAlive(block)
	block = nil
	if err := resetPeak(); err != nil {
		t.Fatal(err)
	}
	after := peakMemory()
	// The kernel counts pages in batches, and the rest of the process is no constant.
	if high < before+size/2 || after > high-size/2 {
		t.Errorf("peak %d bytes, with 64 MiB more %d, without them %d", before, high, after)
	}
}
