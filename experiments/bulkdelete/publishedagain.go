package bulkdelete

import (
	"context"
	"errors"
	"fmt"

	"deletecost/runner"
)

// A leftover is one execution of what the source's DELETE leaves to others: where
// it is in the tables, and what held.
type leftover struct {
	execution string
	rows      int // that were deleted

	size          int   // row of published_size
	statements    []int // rows of published_deferred: both SELECTs and VACUUM
	before, after int   // rows of published_reuse
	indexed       []int // rows of published_reuse_indexed: before VACUUM and after it

	selectHolds, reuseHolds bool
}

// againRows are loaded and deleted once more: as many as take a second.
const againRows = 35_000

// again repeats the load and everything that comes after the DELETE with fewer
// rows in a database of its own.
func (s *sourceRun) again(ctx context.Context) (l *leftover, err error) {
	l = &leftover{rows: min(againRows, s.lab.Knob("rows")), execution: "again, fewer rows"}
	defer func() { err = errors.Join(err, s.drop(ctx, againDatabase)) }()
	step := s.lab.Setup("load fewer of the source's rows")
	conn, err := s.loaded(ctx, againDatabase, l.rows)
	if step.Done(); err != nil {
		return l, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := s.tableSize(ctx, conn, l); err != nil {
		return l, err
	}
	step = s.lab.Step("what is put off, again", 0)
	defer step.Done()
	deleted, err := conn.Exec(ctx, deleteSQL)
	if err != nil {
		return l, fmt.Errorf("deleting again: %w", err)
	}
	if n := deleted.RowsAffected(); n != int64(l.rows) {
		return l, fmt.Errorf("deleting again: %d rows, expected %d", n, l.rows)
	}
	return l, s.deferredCosts(ctx, conn, l)
}

// leftoverFindings are the claims on the table's size and on what is put off,
// with both executions.
func (s *sourceRun) leftoverFindings(first, again *leftover) {
	size := func(l *leftover, column string) runner.Ref { return s.sizes.Ref(l.size, column) }
	s.out.Measured("s3.table_size", runner.Say("measured once with {}: at seven rows of 1 kB a page {} are expected and it has {}, and the two maps of the table come on top. Another load, of {}, has {} where {} are expected",
		size(first, "rows"), size(first, "expected_pages"), size(first, "heap_pages"), size(again, "rows"), size(again, "heap_pages"), size(again, "expected_pages")), size(first, "table_size_pretty"))

	cost := func(l *leftover, statement int, column string) runner.Ref {
		return s.deferred.Ref(l.statements[statement], column)
	}
	row := s.checks.Add("the first SELECT after the DELETE dirties pages and writes WAL, the second does neither, both times", first.selectHolds && again.selectHolds, deferredTable.Name)
	s.out.Measured("s3.deferred_select", runner.Say("the first dirtied {} and wrote {} of WAL, the second dirtied {}. {} are prune records, by which the SELECT removed dead rows from their pages, and {} are images because of a hint bit. Measured once with as many rows; after another DELETE, of {}, the first dirtied {} and wrote {}, the second dirtied {} and wrote {}",
		cost(first, 0, "pages_dirtied"), cost(first, 0, "wal_bytes"), cost(first, 1, "pages_dirtied"), cost(first, 0, "prune_records"), cost(first, 0, "hint_images"),
		cost(again, 0, "rows"), cost(again, 0, "pages_dirtied"), cost(again, 0, "wal_bytes"), cost(again, 1, "pages_dirtied"), cost(again, 1, "wal_bytes")), s.checks.Ref(row, "holds"))
	s.reuseFinding(first, again)
}

// reuseFinding is the claim that space waits for VACUUM.
func (s *sourceRun) reuseFinding(first, again *leftover) {
	reused, grew := s.reused.Ref, func(l *leftover, moment int) runner.Ref { return s.indexed.Ref(l.indexed[moment], "index_pages_added") }
	row := s.checks.Add("the space of deleted rows, in the table and in an index, is used again only after VACUUM, both times", first.reuseHolds && again.reuseHolds, reuseTable.Name+", "+indexedTable.Name)
	s.out.Measured("s3.deferred_vacuum", runner.Say("after a SELECT the free space map knew of {} with room for a row before VACUUM, and of {} after it. The same INSERT added {} before and {} after. Measured once with as many rows; another time, with fewer, it knew of {} and of {}, and the INSERT added {} and {}. The source's table has no index here: beside it, an INSERT of deleted ids added {} to the index of a small table before VACUUM and {} after, another time {} and {}",
		reused(first.before, "pages_with_space"), reused(first.after, "pages_with_space"), reused(first.before, "pages_added"), reused(first.after, "pages_added"),
		reused(again.before, "pages_with_space"), reused(again.after, "pages_with_space"), reused(again.before, "pages_added"), reused(again.after, "pages_added"),
		grew(first, 0), grew(first, 1), grew(again, 0), grew(again, 1)), s.checks.Ref(row, "holds"))
}
