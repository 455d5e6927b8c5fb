package retention

import (
	"context"
	"fmt"
	"time"

	"deletecost/runner"
)

var deletionTable = runner.TableSpec{Name: "deletion", Title: "Deleting the month instead of detaching it",
	Note:    "Both arms begin with the same month, loaded, indexed, frozen and checkpointed, and nobody else writes. Neither archives anything: detach and drop stand beside DELETE and VACUUM. WAL is the difference of insert positions from before the first statement to after the last. Bytes left are those of both partitions with their indexes; after a DELETE the partition stays.",
	Columns: []runner.Column{{Name: "way", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "remove_s", Unit: "s", Meaning: "until the rows are gone"}, {Name: "clean_s", Unit: "s", Meaning: "VACUUM afterwards"}, {Name: "total_s", Unit: "s"}, {Name: "wal_bytes", Unit: "bytes"}, {Name: "bytes_before", Unit: "bytes"}, {Name: "bytes_left", Unit: "bytes"}}}

// A removal is one way to get rid of the month.
type removal struct {
	name          string
	remove, clean func(table) string // one statement for each table
}

var removals = []removal{
	{"DETACH CONCURRENTLY and DROP", func(t table) string {
		return "ALTER TABLE " + t.parent() + " DETACH PARTITION " + t.leaf() + " CONCURRENTLY"
	}, nil},
	{"DELETE and VACUUM", func(t table) string { return "DELETE FROM " + t.parent() + " WHERE " + t.monthPredicate() }, func(t table) string { return "VACUUM " + t.leaf() }},
}

// monthPredicate is the month as the source's application asks for it.
func (t table) monthPredicate() string {
	column := map[string]string{"activities": "inserted_at", "deliveries": "activity_inserted_at"}[t.name]
	return fmt.Sprintf("%s >= '%s' AND %s < '%s'", column, monthBegins.Format(time.DateOnly), column, monthEnds.Format(time.DateOnly))
}

// deletion removes the same month in both ways.
func (b *bench) deletion(ctx context.Context) error {
	t := b.out.Table(deletionTable)
	for _, r := range removals {
		if err := b.remove(ctx, t, r); err != nil {
			return fmt.Errorf("removing the month by %s: %w", r.name, err)
		}
	}
	b.out.Conclude(runner.Say("Deleting the same month instead takes {} and {} of WAL and leaves {} of its {} in the partition; detaching and dropping takes {} and {} of WAL, and archives nothing either.",
		t.Ref(1, "total_s"), t.Ref(1, "wal_bytes"), t.Ref(1, "bytes_left"), t.Ref(1, "bytes_before"), t.Ref(0, "total_s"), t.Ref(0, "wal_bytes")))
	b.out.Figure(runner.Figure{Name: "delete", Title: "WAL of getting rid of the month", YLog: true,
		HowToRead: "The same rows in both ways, without archiving. A DELETE writes a record for each row, and its VACUUM one for each page of the table and of every index.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "deletion", X: "way", Y: "wal_bytes", Label: "WAL"}}})
	return nil
}

// remove measures one way.
func (b *bench) remove(ctx context.Context, t *runner.Table, r removal) error {
	m := newMonth(b.lab.Knob("delete_rows"), b.lab.Rand("deletion"))
	if err := b.load(ctx, full, m); err != nil {
		return err
	}
	had, err := b.bytesOfMonth(ctx, full)
	if err != nil {
		return err
	}
	step := b.lab.Step("removing the month by "+r.name, 0)
	defer step.Done()
	start, err := b.walPosition(ctx)
	if err != nil {
		return err
	}
	removed, err := b.timeOver(ctx, r.remove)
	if err != nil {
		return err
	}
	cleaned, left, err := b.clean(ctx, r)
	if err != nil {
		return err
	}
	end, err := b.walPosition(ctx)
	if err != nil {
		return err
	}
	if r.clean == nil {
		removed, cleaned = removed+cleaned, 0 // the drop is what takes the rows away
	}
	t.Add(r.name, m.rows, removed, cleaned, removed+cleaned, end-start, had, left)
	return b.discard(ctx, full)
}

// clean vacuums what the DELETE left, which must be no row, or drops what was
// detached. It returns the time and the bytes that stay.
func (b *bench) clean(ctx context.Context, r removal) (took time.Duration, left int64, err error) {
	if r.clean == nil {
		took, err = b.timeOver(ctx, func(t table) string { return "DROP TABLE " + t.leaf() })
		return took, 0, err
	}
	if took, err = b.timeOver(ctx, r.clean); err != nil {
		return 0, 0, err
	}
	for _, t := range tables(full) {
		var rows int
		if err := b.conn.QueryRow(ctx, "SELECT count(*) FROM "+t.leaf()).Scan(&rows); err != nil || rows != 0 {
			return 0, 0, fmt.Errorf("counting what is left of %q: %d rows: %w", t.leaf(), rows, err)
		}
	}
	left, err = b.bytesOfMonth(ctx, full)
	return took, left, err
}

// timeOver runs a statement for each table and returns how long all took.
func (b *bench) timeOver(ctx context.Context, sql func(table) string) (time.Duration, error) {
	begun := time.Now()
	for _, t := range tables(full) {
		if err := execute(ctx, b.conn, sql(t)); err != nil {
			return 0, err
		}
	}
	return time.Since(begun), nil
}

// walPosition is where the next record goes, in bytes.
func (b *bench) walPosition(ctx context.Context) (int64, error) {
	var n int64
	if err := b.conn.QueryRow(ctx, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").Scan(&n); err != nil {
		return 0, fmt.Errorf("reading the position in WAL: %w", err)
	}
	return n, nil
}
