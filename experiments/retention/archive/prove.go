package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// scratchComment marks a scratch schema as ours.
const scratchComment = "deletecost: scratch of a retention run"

// prove restores the archive into scratch tables and compares them with the
// originals, in both directions.
func (r *run) prove(ctx context.Context) error {
	if !r.cfg.Restore {
		return nil
	}
	conn, err := r.connect(ctx)
	if err != nil {
		return err
	}
	schema := fmt.Sprintf("deletecost_scratch_%d", r.tables[0].oid)
	scratch := func(i int) string { return pgx.Identifier{schema, fmt.Sprintf("t%d", i+1)}.Sanitize() }
	err = r.step("restore", func() error { return r.restore(ctx, conn, schema, scratch) })
	if err != nil {
		return r.noScratch(ctx, conn, schema, err)
	}
	err = r.step("compare", func() error {
		for i, t := range r.tables {
			if err := r.compare(ctx, conn, t, &r.manifest.Tables[i], scratch(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return r.noScratch(ctx, conn, schema, err)
	}
	return r.step("tidy", func() error { return dropScratch(ctx, conn, schema) })
}

// restore fills the scratch tables.
func (r *run) restore(ctx context.Context, conn *pgx.Conn, schema string, scratch func(int) string) error {
	if err := newScratch(ctx, conn, schema); err != nil {
		return err
	}
	for i := range r.manifest.Tables {
		m := &r.manifest.Tables[i]
		if _, err := conn.Exec(ctx, createTable("UNLOGGED TABLE", scratch(i), m.Columns)); err != nil {
			return fmt.Errorf("creating a scratch table for %q: %w", m.Name, err)
		}
		if err := fill(ctx, conn, r.cfg.Dir, m, scratch(i)); err != nil {
			return err
		}
	}
	return nil
}

// noScratch gives the room of the scratch tables back, unless the run was
// killed, and explains SQLSTATE 53100, disk_full.
func (r *run) noScratch(ctx context.Context, conn *pgx.Conn, schema string, err error) error {
	if r.killed() != nil {
		return err
	}
	if !conn.IsClosed() && !errors.Is(err, ErrForeign) {
		if left := dropScratch(ctx, conn, schema); left != nil {
			err = fmt.Errorf("%w (and %w)", err, left)
		}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "53100" {
		return fmt.Errorf("%w: the server's disk has no room for a restored copy of the tables: nothing was dropped; make room there, or turn Restore off, and run again", err)
	}
	return err
}

// newScratch makes the scratch schema, in place of one that a run left behind.
func newScratch(ctx context.Context, conn *pgx.Conn, schema string) error {
	if err := dropScratch(ctx, conn, schema); err != nil {
		return err
	}
	name := pgx.Identifier{schema}.Sanitize()
	_, err := conn.Exec(ctx, fmt.Sprintf("CREATE SCHEMA %s; COMMENT ON SCHEMA %s IS '%s'", name, name, scratchComment))
	if err != nil {
		return fmt.Errorf("creating scratch schema %q: %w", schema, err)
	}
	return nil
}

func dropScratch(ctx context.Context, conn *pgx.Conn, schema string) error {
	var comment string
	err := conn.QueryRow(ctx, "SELECT coalesce(obj_description(oid, 'pg_namespace'), '') FROM pg_namespace WHERE nspname = $1", schema).Scan(&comment)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && comment != scratchComment {
		return fmt.Errorf("%w: schema %q is in the way: drop or rename it", ErrForeign, schema)
	}
	if err == nil {
		_, err = conn.Exec(ctx, fmt.Sprintf("DROP SCHEMA %s CASCADE", pgx.Identifier{schema}.Sanitize()))
	}
	if err != nil {
		return fmt.Errorf("dropping scratch schema %q: %w", schema, err)
	}
	return nil
}

// compare counts the rows that only one of the two tables has, as text: types
// without an operator for equality, and values that are equal and not the same
// (1.0 and 1.00), differ then as they should.
func (r *run) compare(ctx context.Context, conn *pgx.Conn, t *relation, m *TableManifest, scratch string) error {
	rows := func(table string) string {
		return fmt.Sprintf(`SELECT ROW(%s)::text COLLATE "C" FROM ONLY %s`, columnList(m.Columns), table)
	}
	only := func(these, those string) string {
		return fmt.Sprintf("(SELECT count(*) FROM (%s EXCEPT ALL %s) d)", rows(these), rows(those))
	}
	var lost, extra int64
	query := "SELECT " + only(t.ident(), scratch) + ", " + only(scratch, t.ident())
	if err := conn.QueryRow(ctx, query).Scan(&lost, &extra); err != nil {
		return fmt.Errorf("comparing table %q with its archive: %w", t, err)
	}
	if lost+extra == 0 {
		return nil
	}
	changed, err := r.changed(ctx, conn, t, m)
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("%w: %q: %s: nothing was dropped; run again to have it exported anew", ErrChanged, t, changed)
	}
	return fmt.Errorf("%w: restored from it, table %q lacks %d rows and has %d that are not in the original: nothing was dropped", ErrArchive, t, lost, extra)
}
