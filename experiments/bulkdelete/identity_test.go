package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner/testrun"
)

// TestIdentities: a row without its identity is 54 bytes, as in the source, and
// so is each chunk of a toasted one. FULL adds the row, which holds the payload
// of 1,024 bytes and an integer.
func TestIdentities(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, _, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.identities}
			})
			if err != nil {
				t.Fatal(err)
			}
			at := func(table, column string) float64 {
				return testrun.Number(t, tables["identities"], column, map[string]string{"table": table})
			}
			for table, want := range map[string]struct{ records, low, high float64 }{
				"no index, nothing":       {1000, 54, 54},
				"1 index, nothing":        {1000, 54, 54},
				"1 index, default":        {1000, 54 + 4, 54 + 40}, // the key, and the head of a tuple before it
				"4 indexes, default":      {1000, 54 + 4, 54 + 40},
				"1 index, full":           {1000, 54 + 1028, 54 + 1028 + 60},
				"4 indexes, full":         {1000, 54 + 1028, 54 + 1028 + 60},
				"1 index, default, TOAST": {4000, 4*54 + 4, 4*54 + 40},
				"1 index, full, TOAST":    {4000, 4*54 + 5004, 4*54 + 5004 + 60}, // what is out of line is put back
			} {
				if got := at(table, "wal_bytes_a_row"); got < want.low || got > want.high {
					t.Errorf("%s: %v bytes a row, want %v to %v", table, got, want.low, want.high)
				}
				if got := at(table, "wal_records"); got != want.records {
					t.Errorf("%s: %v records, want %v", table, got, want.records)
				}
			}
			if none, four := at("no index, nothing", "vacuum_wal_bytes"), at("4 indexes, default", "vacuum_wal_bytes"); four <= none {
				t.Errorf("VACUUM wrote %v bytes with 4 indexes and %v with none", four, none)
			}
		})
	}
}
