package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// noDigest stands in the manifest of MethodSource, which compares counts only.
const noDigest = "0"

// changed says how a table differs from what was exported of it; "" when it
// does not. The columns are compared too: rows would look the same without one
// that was added.
func (r *run) changed(ctx context.Context, conn *pgx.Conn, t *relation, m *TableManifest) (string, error) {
	found, err := columns(ctx, conn, t.oid)
	if err != nil {
		return "", err
	}
	if !slices.EqualFunc(found, m.Columns, func(c column, d Column) bool { return c.Name == d.Name && c.Type == d.Type }) {
		return "its columns are others", nil
	}
	if m.Digest == noDigest {
		var rows int64
		err := conn.QueryRow(ctx, "SELECT count(*) FROM ONLY "+t.ident()).Scan(&rows)
		if err != nil || rows == m.Rows {
			return "", err
		}
		return fmt.Sprintf("it has %d rows, %d were exported", rows, m.Rows), nil
	}
	d, err := digestOf(ctx, conn, t.ident(), m.Columns, newPace(r.cfg.RowsPerSecond))
	switch {
	case err != nil:
		return "", fmt.Errorf("taking the digest of table %q: %w", t, err)
	case d.rows != m.Rows:
		return fmt.Sprintf("it has %d rows, %d were exported", d.rows, m.Rows), nil
	case d.String() != m.Digest:
		return "its rows are as many, but not the same", nil
	}
	return "", nil
}

// digestOf reads a table once and returns the digest of its rows.
func digestOf(ctx context.Context, conn *pgx.Conn, table string, columns []Column, paced *pace) (*rowDigest, error) {
	d := &rowDigest{}
	split := &rowSplitter{each: func(row []byte) error {
		d.add(row)
		return paced.pass(ctx, d.rows)
	}}
	tag, err := conn.PgConn().CopyTo(ctx, split, copyOut(table, columns))
	if err != nil {
		return nil, err
	}
	if err := split.finish(); err != nil {
		return nil, err
	}
	if d.rows != tag.RowsAffected() {
		return nil, fmt.Errorf("reading the stream: %d rows came, the server sent %d", d.rows, tag.RowsAffected())
	}
	return d, nil
}
