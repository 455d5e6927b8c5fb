package bulkdelete

import (
	"context"
	"errors"
	"strings"
	"testing"

	"deletecost/runner/testrun"
)

// TestHolders: 500 rows in each of 3 cycles are 1,500 dead rows beside whoever
// holds xmin, and none without. Which view shows a holder is documented at
// pg_stat_activity, pg_prepared_xacts, pg_replication_slots, pg_stat_replication.
func TestHolders(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.holders}
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range []struct {
				holder, seen string
				dead         float64
			}{
				{nobody, "no view", 0}, {idleReader, "no view", 0}, {idleWriter, "pg_stat_activity.backend_xid", 1500},
				{idleSnapshot, "pg_stat_activity.backend_xmin", 1500}, {preparedWriter, "pg_prepared_xacts.transaction", 1500},
				{bareSlot, "no view", 0}, {logicalSlot, "pg_replication_slots.catalog_xmin", 0},
				{standbySnapshot, "pg_stat_replication.backend_xmin", 1500}, {lostStandby, "pg_replication_slots.xmin", 1500},
			} {
				where := map[string]string{"holder": test.holder}
				if got := testrun.Number(t, tables["holders"], "dead_rows", where); got != test.dead {
					t.Errorf("%s: VACUUM left %v dead rows, want %v", test.holder, got, test.dead)
				}
				if got := testrun.Number(t, tables["holders"], "dead_rows_after", where); got != 0 {
					t.Errorf("%s: VACUUM left %v dead rows after it was gone, want 0", test.holder, got)
				}
				row, _ := tables["holders"].Find(where)
				if got := tables["holders"].Text(row, "seen_in"); !strings.HasPrefix(got, test.seen+" (") && got != test.seen {
					t.Errorf("%s is seen in %q, want %s", test.holder, got, test.seen)
				}
			}
			if text, err := outline.Answer[0].In(tables); err != nil || !strings.Contains(text, "seen in pg_replication_slots.catalog_xmin") {
				t.Errorf("the sentence is %q, error %v", text, err)
			}
			if n := len(outline.Servers); n != 2 {
				t.Errorf("%d servers, want the primary and its standby", n)
			}
		})
	}
}

// A holder that could not take hold is let go at once, and hands nothing on.
func TestHeldOr(t *testing.T) {
	let := 0
	release := func(context.Context) error { let++; return nil }
	if got, err := heldOr(t.Context(), release, nil); got == nil || err != nil || let != 0 {
		t.Errorf("holding: error %v, let go %d times, want to go on holding", err, let)
	}
	refused := errors.New("refused")
	if got, err := heldOr(t.Context(), release, refused); got != nil || err != refused || let != 1 {
		t.Errorf("refused: error %v, let go %d times, want once and no release", err, let)
	}
}
