package bulkdelete

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

var checksTable = runner.TableSpec{Name: "published_checks", Title: "What the source says is put off",
	Note:    "Each statement of the source that is true or false, beside the table that decides it.",
	Columns: []runner.Column{{Name: "statement", Text: true}, {Name: "holds", Text: true}, {Name: "decided_by", Text: true, Meaning: "table"}}}

// published repeats the source: the load, the DELETE, what it leaves to the
// next SELECT and to VACUUM, and the size after autovacuum has run.
func (b *bench) published(ctx context.Context) error {
	return b.publishedWith(ctx, b.sourceSettings())
}

// publishedWith does it on a server with these settings.
func (b *bench) publishedWith(ctx context.Context, overrides map[string]string) (err error) {
	if n := b.lab.Knob("rows"); n != sourceRows {
		b.out.NotAsPublished(fmt.Sprintf("%d rows; the source had 1,000,000", n))
	}
	s, err := b.openSource(ctx, overrides)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	s.startTables()
	if err := s.asPublished(ctx); err != nil {
		return err
	}
	err = s.autovacuumTrials(ctx)
	s.deleteFindings() // of what the trials repeated, however far they came
	return err
}

// startTables starts the tables to which several steps add.
func (s *sourceRun) startTables() {
	s.deletes, s.checks, s.cited = s.out.Table(deletesTable), s.out.Table(checksTable), s.out.Table(citedTable)
	s.sizes, s.deferred, s.reused, s.indexed = s.out.Table(publishedSizesTable), s.out.Table(deferredTable), s.out.Table(reuseTable), s.out.Table(indexedTable)
}

// asPublished is what the source did before it waited for autovacuum, and the
// proof of what it says is put off.
func (s *sourceRun) asPublished(ctx context.Context) error {
	conn, err := s.prepare(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	step := s.lab.Step("as published", 0)
	defer step.Done()
	first := &leftover{execution: "as published", rows: s.lab.Knob("rows")}
	if err := s.tableSize(ctx, conn, first); err != nil {
		return err
	}
	before, err := readUndo(ctx, conn)
	if err != nil {
		return err
	}
	deleted, err := s.deleteAll(ctx, conn, "as published")
	if err != nil {
		return err
	}
	if err := s.undo(ctx, conn, before); err != nil {
		return err
	}
	s.cite(deleted)
	if err := s.deferredCosts(ctx, conn, first); err != nil {
		return err
	}
	step.Done() // what follows begins with a load
	again, err := s.again(ctx)
	if err != nil {
		return fmt.Errorf("repeating what is put off: %w", err)
	}
	s.leftoverFindings(first, again)
	s.describePublished()
	return s.drop(ctx, sourceDatabase)
}

var publishedSizesTable = runner.TableSpec{Name: "published_size", Title: "Size of the source's table after the load",
	Note: "The table was loaded once with the source's rows, and once more with fewer.",
	Columns: []runner.Column{{Name: "execution", Text: true}, {Name: "rows", Unit: "rows"}, {Name: "table_size_pretty", Text: true, Meaning: "pg_size_pretty of pg_table_size"},
		{Name: "table_size_bytes", Unit: "bytes", Meaning: "pg_table_size: main fork, free space map and visibility map"},
		{Name: "heap_pages", Unit: "pages", Meaning: "of the main fork"}, {Name: "expected_pages", Unit: "pages", Meaning: "seven rows a page"}}}

// rowsAPage is how many rows of 1 kB fit a page: 8,192 bytes less a header of 24,
// over a row of 1,060 with its line pointer.
const rowsAPage = 7

// tableSize reads the size that the source printed first.
func (s *sourceRun) tableSize(ctx context.Context, conn *pgx.Conn, l *leftover) error {
	var pretty string
	var bytes, pages int64
	err := conn.QueryRow(ctx, "SELECT pg_size_pretty(pg_table_size('t_large')), pg_table_size('t_large'), pg_relation_size('t_large') / 8192").Scan(&pretty, &bytes, &pages)
	if err != nil {
		return fmt.Errorf("reading the size of the source's table: %w", err)
	}
	l.size = s.sizes.Add(l.execution, l.rows, pretty, bytes, pages, (l.rows+rowsAPage-1)/rowsAPage)
	return nil
}

// describePublished says how this part measures.
func (s *sourceRun) describePublished() {
	s.out.Explain("As published: the table was loaded, vacuumed, analyzed and checkpointed as the source did, with full_page_writes off and data checksums off, and deleted from under EXPLAIN. Its counts are repeated on copies of the database's files, one for each trial of autovacuum, never on a table from which a DELETE was rolled back: that leaves an xmax behind and clears bits of the visibility map. Autovacuum is held back until the trials. The DELETE finds nothing to hint, since VACUUM did that after the load, so its counts would be the same with data checksums on; what the source had cannot be told from them.")
}
