package retention

import (
	"context"
	"fmt"
	"time"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/postgres"
	"deletecost/runner/stat"
)

var deletionTable = runner.TableSpec{Name: "deletion", Title: "Deleting the month instead of detaching it",
	Note:    "Every turn of either way begins with the same month, loaded, indexed, frozen and checkpointed, so that each page that is touched is written to WAL in full once; nobody else writes. Neither archives anything: detach and drop stand beside DELETE and VACUUM. WAL is the difference of insert positions from before the first statement to after the last. Bytes left are those of both partitions with their indexes; after a DELETE the partition stays. Figures are medians of the turns, ends the range.",
	Columns: []runner.Column{{Name: "way", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "turns"}, {Name: "remove_s", Unit: "s", Meaning: "until the rows are gone"}, {Name: "clean_s", Unit: "s", Meaning: "VACUUM afterwards"}, {Name: "total_s", Unit: "s"}, {Name: "total_low_s", Unit: "s"}, {Name: "total_high_s", Unit: "s"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "WAL"}, {Name: "wal_low_bytes", Unit: "bytes"}, {Name: "wal_high_bytes", Unit: "bytes"}, {Name: "bytes_before", Unit: "bytes"}, {Name: "bytes_left", Unit: "bytes"}}}

var deletionTurnsTable = runner.TableSpec{Name: "deletion_turns", Title: "Turns of deleting and of dropping", Raw: true,
	Columns: []runner.Column{{Name: "turn", Meaning: "from 0, as in noise.csv"}, {Name: "way", Text: true}, {Name: "remove_s", Unit: "s"}, {Name: "clean_s", Unit: "s"}, {Name: "wal_bytes", Unit: "bytes"}, {Name: "bytes_before", Unit: "bytes"}, {Name: "bytes_left", Unit: "bytes"}, {Name: "noisy", Text: true, Meaning: "somebody else disturbed the turn"}}}

// A removal is one way to get rid of the month.
type removal struct {
	name          string
	remove, clean func(table) string // one statement for each table
}

var removals = []removal{
	{"DETACH CONCURRENTLY and DROP", detachStatement, nil},
	{"DELETE and VACUUM", func(t table) string { return "DELETE FROM " + t.parent() + " WHERE " + t.monthPredicate() }, func(t table) string { return "VACUUM " + t.leaf() }},
}

// cleaned is the time of a way's VACUUM, of one that has it.
func (r removal) cleaned(seconds float64) any {
	if r.clean == nil {
		return runner.NA{Reason: "what is dropped needs no VACUUM"}
	}
	return seconds
}

// detachStatement detaches the month as the source does.
func detachStatement(t table) string {
	return "ALTER TABLE " + t.parent() + " DETACH PARTITION " + t.leaf() + " CONCURRENTLY"
}

// monthPredicate is the month as the source's application asks for it.
func (t table) monthPredicate() string {
	column := map[string]string{"activities": "inserted_at", "deliveries": "activity_inserted_at"}[t.name]
	return fmt.Sprintf("%s >= '%s' AND %s < '%s'", column, t.begins.Format(time.DateOnly), column, t.ends().Format(time.DateOnly))
}

// A removed month is what one turn of a way took.
type removed struct {
	remove, clean  time.Duration
	wal, had, left int64 // bytes
}

// deletion removes the same month in both ways, in turns.
func (b *bench) deletion(ctx context.Context) error {
	turns := b.out.Table(deletionTurnsTable)
	m := newMonth(b.lab.Knob("delete_rows"), b.lab.Rand("deletion"))
	done := make([][]removed, len(removals))
	var arms []runner.Arm
	for i, r := range removals {
		arms = append(arms, runner.Arm{Name: r.name, Once: func(ctx context.Context) (time.Duration, error) {
			one, err := b.remove(ctx, m, r)
			if err != nil {
				return 0, fmt.Errorf("removing the month by %s: %w", r.name, err)
			}
			done[i] = append(done[i], one)
			return one.remove + one.clean, nil
		}})
	}
	_, err := b.lab.TakeTurns(ctx, runner.Turns{Name: "deleting and dropping in turns", Arms: arms, Blocks: b.lab.Knob("delete_repeats"), PerVisit: 1,
		Single: true, Warmed: true, Keep: func(turn int, _ [][]float64, n runner.Noise) {
			for i, r := range removals {
				one := done[i][turn]
				turns.Add(turn, r.name, one.remove, r.cleaned(one.clean.Seconds()), one.wal, one.had, one.left, n.Noisy())
			}
		}})
	if err != nil {
		return err
	}
	b.concludeDeletion(m, done)
	return nil
}

// concludeDeletion writes the ways down beside each other.
func (b *bench) concludeDeletion(m month, done [][]removed) {
	t := b.out.Table(deletionTable)
	for i, r := range removals {
		all := func(of func(removed) float64) []float64 {
			var xs []float64
			for _, one := range done[i] {
				xs = append(xs, of(one))
			}
			return xs
		}
		median := func(of func(removed) float64) float64 { return stat.Median(all(of)) }
		cells := []any{r.name, m.rows, len(done[i]), median(func(d removed) float64 { return d.remove.Seconds() }), r.cleaned(median(func(d removed) float64 { return d.clean.Seconds() }))}
		cells = append(cells, ranged(all(func(d removed) float64 { return (d.remove + d.clean).Seconds() }))...)
		cells = append(cells, ranged(all(func(d removed) float64 { return float64(d.wal) }))...)
		t.Add(append(cells, median(func(d removed) float64 { return float64(d.had) }), median(func(d removed) float64 { return float64(d.left) }))...)
	}
	total := func(row int) runner.Ref { return t.RefRange(row, "total_s", "total_low_s", "total_high_s") }
	b.out.Conclude(runner.Say("Deleting the same month instead takes {} and {} of WAL and leaves {} of its {} in the partition; detaching and dropping takes {} and {} of WAL, and archives nothing either.",
		total(1), t.Ref(1, "wal_bytes"), t.Ref(1, "bytes_left"), t.Ref(1, "bytes_before"), total(0), t.Ref(0, "wal_bytes")))
	b.out.Figure(runner.Figure{Name: "delete", Title: "WAL of getting rid of the month",
		HowToRead: "The same rows in both ways, without archiving, directly after a checkpoint. A DELETE writes a record for each row, its VACUUM records for the pages of the table and of every index, and each page once in full.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "deletion", X: "way", Y: "wal_bytes", Low: "wal_low_bytes", High: "wal_high_bytes", Label: "WAL"}}})
}

// remove measures one turn of one way.
func (b *bench) remove(ctx context.Context, m month, r removal) (one removed, err error) {
	if err := b.load(ctx, full, m); err != nil {
		return one, err
	}
	if one.had, err = b.bytesOfMonth(ctx, full); err != nil {
		return one, err
	}
	start, err := instrument.WALPosition(ctx, b.conn)
	if err != nil {
		return one, err
	}
	if one.remove, err = b.timeOver(ctx, r.remove); err != nil {
		return one, err
	}
	if r.clean == nil { // the drop is what takes the rows away
		dropped, err := b.timeOver(ctx, func(t table) string { return "DROP TABLE " + t.leaf() })
		one.remove += dropped
		if err != nil {
			return one, err
		}
	} else if one.clean, err = b.timeOver(ctx, r.clean); err != nil {
		return one, err
	}
	end, err := instrument.WALPosition(ctx, b.conn)
	if err != nil {
		return one, err
	}
	one.wal = end - start
	if r.clean != nil {
		if err := b.emptied(ctx); err != nil {
			return one, err
		}
	}
	if one.left, err = b.leftOfMonth(ctx); err != nil {
		return one, err
	}
	return one, b.discard(ctx, tables(full))
}

// leftOfMonth are the bytes of the partitions that are still there, with indexes.
func (b *bench) leftOfMonth(ctx context.Context) (sum int64, err error) {
	for _, t := range tables(full) {
		var n int64
		if err := b.conn.QueryRow(ctx, "SELECT coalesce(pg_total_relation_size(to_regclass($1)), 0)", t.leaf()).Scan(&n); err != nil {
			return 0, fmt.Errorf("reading what is left of %q: %w", t.leaf(), err)
		}
		sum += n
	}
	return sum, nil
}

// emptied wants both partitions to hold no row.
func (b *bench) emptied(ctx context.Context) error {
	for _, t := range tables(full) {
		var rows int
		if err := b.conn.QueryRow(ctx, "SELECT count(*) FROM "+t.leaf()).Scan(&rows); err != nil {
			return fmt.Errorf("counting what is left of %q: %w", t.leaf(), err)
		}
		if rows != 0 {
			return fmt.Errorf("deleting from %q: %d rows are left", t.leaf(), rows)
		}
	}
	return nil
}

// timeOver runs a statement for each table and returns how long all took.
func (b *bench) timeOver(ctx context.Context, sql func(table) string) (time.Duration, error) {
	begun := time.Now()
	for _, t := range tables(full) {
		if err := postgres.Execute(ctx, b.conn, sql(t)); err != nil {
			return 0, err
		}
	}
	return time.Since(begun), nil
}
