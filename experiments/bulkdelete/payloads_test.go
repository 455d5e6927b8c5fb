package bulkdelete

import (
	"context"
	"runtime"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// TestPayloads: 1,400 rows of either payload fill 200 pages, 7 a page, each of
// which goes into WAL as an image. 100,000 rows of the source's were seen to
// write 111.8 MB and 8.7 MB with pglz: to less than a tenth. An image without
// repetition is stored as it is.
func TestPayloads(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, _, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.payloads}
			})
			if err != nil {
				t.Fatal(err)
			}
			at := func(p rowPayload, method, column string) float64 {
				return testrun.Number(t, tables["payloads"], column, map[string]string{"payload": p.name, "wal_compression": method})
			}
			for _, p := range rowPayloads {
				if got := at(p, "off", "full_page_images"); got != 200 {
					t.Errorf("%s: %v images, want 200", p.name, got)
				}
			}
			if off, pglz := at(rowPayloads[0], "off", "wal_bytes"), at(rowPayloads[0], "pglz", "wal_bytes"); pglz > off/10 {
				t.Errorf("the source's payload: %v bytes without compression and %v with pglz, want a tenth", off, pglz)
			}
			if off, pglz := at(rowPayloads[1], "off", "wal_bytes"), at(rowPayloads[1], "pglz", "wal_bytes"); pglz < 0.9*off {
				t.Errorf("a payload without repetition: %v bytes without compression and %v with pglz, want nearly the same", off, pglz)
			}
			for _, method := range []string{"lz4", "zstd"} {
				row, _ := tables["payloads"].Find(map[string]string{"wal_compression": method})
				// The Linux builds have neither.
				if got := tables["payloads"].Text(row, "wal_bytes"); runtime.GOOS == "linux" && got != runner.NotAvailable {
					t.Errorf("%s is %q, want n/a: the build has it not", method, got)
				}
			}
		})
	}
}
