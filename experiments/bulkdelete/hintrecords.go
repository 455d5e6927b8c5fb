package bulkdelete

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
)

// A walRecord is one type of record in a stretch of WAL.
type walRecord struct {
	name   string // resource manager and type, as the version calls it
	count  int64
	bytes  int64 // without images
	images int64 // bytes of full-page images
}

// walRecordsSQL reads up to the end of what is flushed.
const walRecordsSQL = `
SELECT "resource_manager/record_type", count, record_size, fpi_size
FROM pg_get_wal_stats('0/0'::pg_lsn + $1::numeric, pg_current_wal_flush_lsn(), true)
WHERE count > 0 AND "resource_manager/record_type" NOT IN ('LogicalMessage/MESSAGE', 'Standby/RUNNING_XACTS')
ORDER BY record_size + fpi_size DESC`

// flushBehind commits a message, which flushes all WAL before it: what a SELECT
// wrote nobody flushes at once.
func flushBehind(ctx context.Context, conn *pgx.Conn) error {
	return postgres.Execute(ctx, conn, "SELECT pg_logical_emit_message(true, 'deletecost', '')")
}

// walRecords reads what was written from a position on, most bytes first.
func walRecords(ctx context.Context, conn *pgx.Conn, from int64) ([]walRecord, error) {
	if err := flushBehind(ctx, conn); err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, walRecordsSQL, from)
	if err != nil {
		return nil, fmt.Errorf("reading WAL from byte %d: %w", from, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w walRecord, err error) {
		return w, row.Scan(&w.name, &w.count, &w.bytes, &w.images)
	})
	if err != nil {
		return nil, fmt.Errorf("reading WAL from byte %d: %w", from, err)
	}
	return all, nil
}

// Kinds of records that the versions name differently.
const (
	kindDelete  = "delete"
	kindPrune   = "prune"
	kindHint    = "hint"
	kindVacuum  = "vacuum"
	kindVisible = "visible"
	kindOther   = "other"
)

// kind is what the record is about. 16 has one type for pruning, whoever does
// it, and VACUUM for freed line pointers; 17 and 18 say who pruned and call the
// latter a clean-up (rmgrdesc/heapdesc.c in each version's source).
func (w walRecord) kind() string {
	switch {
	case strings.HasPrefix(w.name, "Heap/DELETE"):
		return kindDelete
	case w.name == "Heap2/PRUNE", w.name == "Heap2/PRUNE_ON_ACCESS", w.name == "Heap2/PRUNE_VACUUM_SCAN":
		return kindPrune
	case w.name == "Heap2/VACUUM", w.name == "Heap2/PRUNE_VACUUM_CLEANUP":
		return kindVacuum
	case w.name == "XLOG/FPI_FOR_HINT":
		return kindHint
	case strings.HasPrefix(w.name, "Heap2/VISIBLE"):
		return kindVisible
	}
	return kindOther
}
