package retention

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// A size is what a partition takes.
type size struct {
	total, heap        int64 // bytes: everything; the heap's main fork
	secondary, partial int64 // indexes that are not the primary key; those of them with a predicate
}

// readSize reads the size of a partition.
func readSize(ctx context.Context, conn *pgx.Conn, leaf string) (size, error) {
	var s size
	err := conn.QueryRow(ctx, statement("size", "leaf", leaf)).Scan(&s.total, &s.heap, &s.secondary, &s.partial)
	if err != nil {
		return s, fmt.Errorf("reading the size of %q: %w", leaf, err)
	}
	return s, nil
}

// bytesOfMonth are the bytes of both partitions of a schema, with indexes.
func (b *bench) bytesOfMonth(ctx context.Context, schema string) (int64, error) {
	var sum int64
	for _, t := range tables(schema) {
		s, err := readSize(ctx, b.conn, t.leaf())
		if err != nil {
			return 0, err
		}
		sum += s.total
	}
	return sum, nil
}

// discard drops what is left of a month, attached or not.
func (b *bench) discard(ctx context.Context, months []table) error {
	for _, t := range months {
		if err := postgres.Execute(ctx, b.conn, "DROP TABLE IF EXISTS "+t.leaf()); err != nil {
			return err
		}
	}
	return nil
}
