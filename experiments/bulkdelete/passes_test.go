package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner/testrun"
)

// TestIndexPasses: 1 MB holds 174,762 dead rows of 6 bytes, so 200,000 take 2
// passes on 16 and 1 on 17 and 18, which keep a bitmap a page.
func TestIndexPasses(t *testing.T) {
	for version, passes := range map[string]float64{"16": 2, "17": 1, "18": 1} {
		t.Run(version, func(t *testing.T) {
			tables, _, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.indexPasses}
			})
			if err != nil {
				t.Fatal(err)
			}
			for memory, want := range map[string]float64{"1MB": passes, "64MB": 1} {
				where := map[string]string{"maintenance_work_mem": memory}
				if got := testrun.Number(t, tables["index_passes"], "passes", where); got != want {
					t.Errorf("%s: %v passes, want %v", memory, got, want)
				}
			}
			if got := testrun.Number(t, tables["index_passes"], "passes_of_6_bytes", map[string]string{"maintenance_work_mem": "1MB"}); got != 2 {
				t.Errorf("%v passes at 6 bytes a row, want 2", got)
			}
		})
	}
}

// The passes that 16 was seen to take by hand, and one row below and above what
// one pass holds: 772 pages of 226 rows.
func TestPassesOf(t *testing.T) {
	for _, test := range []struct {
		rows   int
		memory string
		want   int
	}{{900_000, "1MB", 6}, {900_000, "64MB", 1}, {174_472, "1MB", 1}, {174_473, "1MB", 2}, {400_000, "1MB", 3}} {
		if got := passesOf(test.rows, test.memory); got != test.want {
			t.Errorf("%d rows in %s: %d passes, want %d", test.rows, test.memory, got, test.want)
		}
	}
}

func TestIndexScansAreRead(t *testing.T) {
	for text, want := range map[string]int{
		"finished vacuuming \"postgres.public.t_pass\": index scans: 6\npages: 0 removed, 3983 remain": 6,
		"vacuuming \"postgres.public.t_pass\"":                                                         -1,
		"finished vacuuming \"postgres.pg_toast.pg_toast_16390\": index scans: 0":                      -1,
	} {
		if got := indexScans(text); got != want {
			t.Errorf("%q has %d index scans, want %d", text, got, want)
		}
	}
}
