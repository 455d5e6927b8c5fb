package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

// pageRoom is the bytes of a page of 8 kB that line pointers and rows may use:
// all but its header of 24 (storage/bufpage.h).
const pageRoom = 8192 - 24

// mapHeap adds the strips of one table after a cycle's removal; pages is the
// length of the longest heap.
func mapHeap(ctx context.Context, conn *pgx.Conn, table string, cycle, pages int, t *runner.Table) error {
	size := (pages + heapStrips - 1) / heapStrips
	rows, err := conn.Query(ctx, statement("heap_map", table), heapStrips, size)
	if err != nil {
		return fmt.Errorf("reading the pages of %s: %w", table, err)
	}
	var strip, active, removed, dead, count int64
	_, err = pgx.ForEachRow(rows, []any{&strip, &active, &removed, &dead, &count}, func() error {
		if count == 0 {
			none := runner.NA{Reason: "the heap ends before this strip"}
			t.Add(table, cycle+1, strip, none, none, none, none, count)
			return nil
		}
		share := func(bytes int64) float64 { return float64(bytes) / float64(count*pageRoom) }
		t.Add(table, cycle+1, strip, share(active), share(removed), share(dead), 1-share(active+removed+dead), count)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the pages of %s: %w", table, err)
	}
	return nil
}
