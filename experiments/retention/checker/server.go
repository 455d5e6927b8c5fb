package checker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A view is the server as one snapshot shows it.
type view struct {
	tx pgx.Tx
}

// openView begins a transaction that writes nothing and sees one moment of the
// relations. They are locked before the snapshot is taken, so that no backend
// that a killed pipeline left behind finishes its work while they are read. Row
// security that would hide rows is an error in it.
func openView(ctx context.Context, conn *pgx.Conn, relations []string) (*view, error) {
	const tries = 3
	for n := 1; ; n++ {
		v, err := tryView(ctx, conn, relations)
		var answer *pgconn.PgError
		if n < tries && errors.As(err, &answer) && answer.Code == "42P01" { // dropped since it was looked for
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("opening a snapshot: %w", err)
		}
		return v, nil
	}
}

func tryView(ctx context.Context, conn *pgx.Conn, relations []string) (*view, error) {
	locks, err := lockSQL(ctx, conn, relations)
	if err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	for _, sql := range []string{"SET LOCAL row_security = off", locks} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return nil, errors.Join(err, tx.Rollback(ctx))
		}
	}
	return &view{tx}, nil
}

// lockSQL locks those of the relations that exist.
func lockSQL(ctx context.Context, conn *pgx.Conn, relations []string) (string, error) {
	var names []string
	for _, relation := range relations {
		name, err := quoted(relation)
		if err != nil {
			return "", err
		}
		var exists bool
		if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", name).Scan(&exists); err != nil {
			return "", fmt.Errorf("looking for relation %q: %w", relation, err)
		}
		if exists {
			names = append(names, name)
		}
	}
	if names == nil {
		return "", nil
	}
	return "LOCK TABLE " + strings.Join(names, ", ") + " IN ACCESS SHARE MODE", nil
}

func (v *view) close(ctx context.Context) error { return v.tx.Rollback(ctx) }

// standing is what a relation is.
type standing int

const (
	gone     standing = iota // it does not exist
	attached                 // it is a partition: its rows are seen through its parent
	alone                    // it is detached, or its detaching is pending: its parent does not show it
)

// standing asks what a relation is.
func (v *view) standing(ctx context.Context, relation string) (standing, error) {
	name, err := quoted(relation)
	if err != nil {
		return gone, err
	}
	var exists, partition bool
	err = v.tx.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL,
		EXISTS (SELECT FROM pg_catalog.pg_inherits WHERE inhrelid = to_regclass($1) AND NOT inhdetachpending)`, name).Scan(&exists, &partition)
	switch {
	case err != nil:
		return gone, fmt.Errorf("looking for relation %q: %w", relation, err)
	case !exists:
		return gone, nil
	case partition:
		return attached, nil
	}
	return alone, nil
}

// ids tells the key of each row of a relation, of its partitions too.
func (v *view) ids(ctx context.Context, relation, key string, tell func(id string)) error {
	name, err := quoted(relation)
	if err != nil {
		return err
	}
	rows, err := v.tx.Query(ctx, "SELECT "+key+"::text FROM "+name)
	if err != nil {
		return fmt.Errorf("reading the ids of %q: %w", relation, err)
	}
	var id string
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		tell(id)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the ids of %q: %w", relation, err)
	}
	return nil
}
