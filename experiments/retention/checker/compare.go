package checker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// comparedAtOnce is how many lines go to the server in one statement.
const comparedAtOnce = 1000

// Compare reads the archive of a relation back by way of the server's own JSON
// functions, into a temporary table with the columns of original, and compares
// the text of all rows with that of original: how many rows only the archive
// has, and how many only original has. Both are written as schema.name. The
// parts are read as Check reads them, so a fault of one is an error.
func Compare(ctx context.Context, conn *pgx.Conn, dir, relation, original string) (onlyArchive, onlyOriginal int64, err error) {
	m, err := openArchive(dir)
	if err != nil {
		return 0, 0, fmt.Errorf("comparing archive %q: %w", dir, err)
	}
	name, err := quoted(original)
	if err != nil {
		return 0, 0, err
	}
	for _, t := range m.Tables {
		if t.relation() != relation {
			continue
		}
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			onlyArchive, onlyOriginal, err = compareTable(ctx, tx, dir, t, name)
			return errors.Join(err, tx.Rollback(ctx))
		})
		if err != nil && !errors.Is(err, pgx.ErrTxClosed) {
			return 0, 0, fmt.Errorf("comparing %q with %q: %w", relation, original, err)
		}
		return onlyArchive, onlyOriginal, nil
	}
	return 0, 0, fmt.Errorf("comparing archive %q: it does not hold %q", dir, relation)
}

// compareTable does it within a transaction that is rolled back.
func compareTable(ctx context.Context, tx pgx.Tx, dir string, t listedTable, original string) (onlyArchive, onlyOriginal int64, err error) {
	for _, sql := range []string{
		"SET LOCAL row_security = off", "SET LOCAL extra_float_digits = 3", "SET LOCAL DateStyle = ISO",
		"CREATE TEMPORARY TABLE checker_read (LIKE " + original + ") ON COMMIT DROP",
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return 0, 0, err
		}
	}
	for _, p := range t.Parts {
		if err := sendPart(ctx, tx, filepath.Join(dir, p.File), t.Columns, p); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", p.File, err)
		}
	}
	// r.* is the row also where a column is called r.
	const difference = "SELECT count(*) FROM (SELECT (r.*)::text FROM %s r EXCEPT ALL SELECT (r.*)::text FROM %s r) d"
	err = tx.QueryRow(ctx, fmt.Sprintf(difference, "checker_read", original)).Scan(&onlyArchive)
	if err == nil {
		err = tx.QueryRow(ctx, fmt.Sprintf(difference, original, "checker_read")).Scan(&onlyOriginal)
	}
	return onlyArchive, onlyOriginal, err
}

// sendPart inserts the rows of one part.
func sendPart(ctx context.Context, tx pgx.Tx, path string, columns []listedColumn, p listedPart) error {
	var held []string
	send := func() error {
		_, err := tx.Exec(ctx, insertSQL(columns), held)
		held = held[:0]
		return err
	}
	lines := lineReader{columns: columns, row: func(line []byte) error {
		if held = append(held, string(line)); len(held) < comparedAtOnce {
			return nil
		}
		return send()
	}}
	if err := readPart(path, p, &lines); err != nil {
		return err
	}
	return send()
}

// insertSQL makes rows of JSON texts: each value's text is cast to the column's
// type.
func insertSQL(columns []listedColumn) string {
	var names, values []string
	for _, c := range columns {
		names = append(names, pgx.Identifier{c.Name}.Sanitize())
		values = append(values, fmt.Sprintf("(line ->> '%s')::%s", strings.ReplaceAll(c.Name, "'", "''"), c.Type))
	}
	return "INSERT INTO checker_read (" + strings.Join(names, ", ") + ") SELECT " + strings.Join(values, ", ") + " FROM unnest($1::text[]) t, LATERAL (SELECT t::json AS line) l"
}
