package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

var indexedTable = runner.TableSpec{Name: "published_reuse_indexed", Title: "Whether the space of deleted rows can be used again, with an index",
	Note: "The source's table has no index here, so two small ones stand for its indexes: of each nine rows of ten are deleted, one is vacuumed, and the same ids are inserted again into both. No index scan comes between, which may mark entries as dead so that an INSERT removes them.",
	Columns: []runner.Column{{Name: "execution", Text: true}, {Name: "moment", Text: true}, {Name: "heap_pages", Unit: "pages"}, {Name: "index_pages", Unit: "pages"},
		{Name: "heap_pages_added", Unit: "pages", Meaning: "by the INSERT"}, {Name: "index_pages_added", Unit: "pages", Meaning: "by the INSERT"}}}

// indexedRows fill enough pages of heap and index to tell growth from none.
const indexedRows = 10_000

// indexedReuse inserts again where rows were deleted, without and with VACUUM
// between. Each INSERT has a table of its own: the first would make room in the
// index for the second.
func (s *sourceRun) indexedReuse(ctx context.Context, conn *pgx.Conn, l *leftover) (holds bool, err error) {
	without, err := s.indexedInsert(ctx, conn, l, "before VACUUM", "t_indexed_full")
	if err != nil {
		return false, err
	}
	with, err := s.indexedInsert(ctx, conn, l, "after VACUUM", "t_indexed_vacuumed", "VACUUM t_indexed_vacuumed")
	return without.heap > 0 && without.index > 0 && with.heap == 0 && with.index == 0, err
}

// indexedPages are pages of a table and of its index.
type indexedPages struct{ heap, index int64 }

// indexedInsert makes a table, deletes, does what comes between, inserts and
// returns what that added.
func (s *sourceRun) indexedInsert(ctx context.Context, conn *pgx.Conn, l *leftover, moment, table string, between ...string) (added indexedPages, err error) {
	statements := append([]string{
		fmt.Sprintf("CREATE TABLE %s AS SELECT i AS id FROM generate_series(1, %d) AS s(i)", table, indexedRows),
		fmt.Sprintf("CREATE INDEX %s_id ON %s (id)", table, table),
		"DELETE FROM " + table + " WHERE id % 10 <> 0"}, between...)
	if err := postgres.Execute(ctx, conn, statements...); err != nil {
		return added, err
	}
	before, err := readIndexed(ctx, conn, table)
	if err != nil {
		return added, err
	}
	if err := postgres.Execute(ctx, conn, fmt.Sprintf("INSERT INTO %s SELECT i FROM generate_series(1, %d) AS s(i) WHERE i %% 10 <> 0", table, indexedRows)); err != nil {
		return added, err
	}
	after, err := readIndexed(ctx, conn, table)
	added = indexedPages{after.heap - before.heap, after.index - before.index}
	l.indexed = append(l.indexed, s.indexed.Add(l.execution, moment, before.heap, before.index, added.heap, added.index))
	return added, err
}

func readIndexed(ctx context.Context, conn *pgx.Conn, table string) (p indexedPages, err error) {
	err = conn.QueryRow(ctx, fmt.Sprintf("SELECT pg_relation_size('%[1]s') / 8192, pg_relation_size('%[1]s_id') / 8192", table)).Scan(&p.heap, &p.index)
	if err != nil {
		err = fmt.Errorf("reading the pages of %q: %w", table, err)
	}
	return p, err
}
