package archive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A relation is one of the tables of a run as the catalog has it.
type relation struct {
	schema, name string
	parent       pgx.Identifier

	oid       uint32 // 0: it does not exist
	kind      string // pg_class.relkind
	parentOID uint32 // of what it is attached to now; 0: of nothing
	pending   bool   // a DETACH CONCURRENTLY was cut short
}

// splitName reads name or schema.name.
func splitName(name string) (pgx.Identifier, error) {
	schema, table, ok := strings.Cut(name, ".")
	if !ok {
		schema, table = "public", name
	}
	if schema == "" || table == "" {
		return nil, fmt.Errorf("naming table %q: write it as schema.name", name)
	}
	return pgx.Identifier{schema, table}, nil
}

// ident is the quoted name.
func (t *relation) ident() string { return pgx.Identifier{t.schema, t.name}.Sanitize() }

// String is the name for people.
func (t *relation) String() string { return t.schema + "." + t.name }

const relationSQL = `
SELECT c.oid, c.relkind::text, coalesce(i.inhparent, 0), coalesce(i.inhdetachpending, false)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
WHERE n.nspname = $1 AND c.relname = $2`

// look reads where a table is now.
func (t *relation) look(ctx context.Context, conn *pgx.Conn) error {
	t.oid, t.kind, t.parentOID, t.pending = 0, "", 0, false
	err := conn.QueryRow(ctx, relationSQL, t.schema, t.name).Scan(&t.oid, &t.kind, &t.parentOID, &t.pending)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("looking up table %q: %w", t, err)
	}
	return nil
}

// A column is a column of the catalog.
type column struct {
	Column
	typeID    uint32
	generated bool
}

const columnSQL = `
SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.atttypid, a.attgenerated <> ''
FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

// columns reads the columns of a table. The session is pinned, so the types
// have their schema.
func columns(ctx context.Context, conn *pgx.Conn, oid uint32) ([]column, error) {
	rows, err := conn.Query(ctx, columnSQL, oid)
	if err != nil {
		return nil, fmt.Errorf("reading the columns: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c column, err error) {
		err = row.Scan(&c.Name, &c.Type, &c.typeID, &c.generated)
		c.Carry = carryOf(c.typeID)
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the columns: %w", err)
	}
	return found, nil
}

const keySQL = `
SELECT a.attname FROM pg_index i
JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place) ON k.place <= i.indnkeyatts
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = $1 AND i.indisprimary ORDER BY k.place`

// describe makes the beginning of a table's manifest.
func (t *relation) describe(ctx context.Context, conn *pgx.Conn) (*TableManifest, []form, error) {
	found, err := columns(ctx, conn, t.oid)
	if err != nil {
		return nil, nil, fmt.Errorf("describing table %q: %w", t, err)
	}
	m := &TableManifest{Schema: t.schema, Name: t.name, Parent: t.parent.Sanitize(), Parts: []Part{}}
	var how []form
	for _, c := range found {
		m.Columns = append(m.Columns, c.Column)
		how = append(how, forms[c.typeID])
	}
	rows, err := conn.Query(ctx, keySQL, t.oid)
	if err == nil {
		m.Key, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the primary key of %q: %w", t, err)
	}
	return m, how, nil
}

// columnList is the quoted columns of a table, with commas.
func columnList(columns []Column) string {
	var names []string
	for _, c := range columns {
		names = append(names, pgx.Identifier{c.Name}.Sanitize())
	}
	return strings.Join(names, ", ")
}

// copyOut is the statement that streams a table. It names the columns, since
// COPY of a table leaves generated columns out, and ONLY the relation itself.
func copyOut(table string, columns []Column) string {
	return fmt.Sprintf("COPY (SELECT %s FROM ONLY %s) TO STDOUT", columnList(columns), table)
}
