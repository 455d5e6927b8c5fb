package archive

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
)

// liveHeap is how many bytes are reachable now.
func liveHeap() uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// What the pipeline holds while it exports does not grow with the rows: with
// ten times as many, which are 9 MB more as lines, it is the same to 4 MiB.
func TestHeapDoesNotGrowWithRows(t *testing.T) {
	b := newBed(t, "17")
	most := map[int]uint64{}
	for _, rows := range []int{20_000, 200_000} {
		b.exec("DROP TABLE IF EXISTS a")
		b.months(rows, "a")
		cfg := b.config("a")
		cfg.PartRows, cfg.Restore = 10_000, false
		before, looked := liveHeap(), 0
		cfg.Fail = func(point string) error {
			if strings.Contains(point, " after rename ") || strings.Contains(point, " after recount") {
				looked++
				if now := liveHeap(); now > before {
					most[rows] = max(most[rows], now-before)
				}
			}
			return nil
		}
		if out := b.mustRun(cfg); out.Rows != int64(rows) || out.RawBytes < 45*int64(rows) || looked < rows/10_000+1 {
			t.Errorf("%d rows, %d raw bytes, looked %d times", out.Rows, out.RawBytes, looked)
		}
	}
	if most[20_000] == 0 || most[200_000] > most[20_000]+4<<20 || most[200_000] > 64<<20 {
		t.Errorf("bytes held by rows: %v", most)
	}
	t.Logf("bytes held by rows: %v", most)
}
