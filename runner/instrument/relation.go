package instrument

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Sizes are the bytes of a table and what the statistics say of its rows.
type Sizes struct {
	Heap      int64 // bytes: pg_relation_size, main fork
	Total     int64 // bytes: pg_total_relation_size, with indexes, TOAST and all forks
	PK        int64 // bytes: the primary key's index, main fork
	Secondary int64 // bytes: all other indexes, main fork
	Indexes   int   // number of indexes
	Live      int64 // rows: n_live_tup
	Dead      int64 // rows: n_dead_tup
}

const sizesSQL = `
SELECT pg_relation_size(c.oid), pg_total_relation_size(c.oid),
       coalesce(sum(pg_relation_size(i.indexrelid)) FILTER (WHERE i.indisprimary), 0)::bigint,
       coalesce(sum(pg_relation_size(i.indexrelid)) FILTER (WHERE NOT i.indisprimary), 0)::bigint,
       count(i.indexrelid), pg_stat_get_live_tuples(c.oid), pg_stat_get_dead_tuples(c.oid)
FROM pg_class c LEFT JOIN pg_index i ON i.indrelid = c.oid
WHERE c.oid = $1::regclass
GROUP BY c.oid`

// ReadSizes reads the sizes of a table.
func ReadSizes(ctx context.Context, conn *pgx.Conn, table string) (Sizes, error) {
	var s Sizes
	err := conn.QueryRow(ctx, sizesSQL, table).Scan(&s.Heap, &s.Total, &s.PK, &s.Secondary, &s.Indexes, &s.Live, &s.Dead)
	if err != nil {
		return s, fmt.Errorf("reading the sizes of %q: %w", table, err)
	}
	return s, nil
}

// ReltuplesOf returns the planner's estimate of a relation's rows.
func ReltuplesOf(ctx context.Context, conn *pgx.Conn, relation string) (float64, error) {
	var n float64
	err := conn.QueryRow(ctx, "SELECT reltuples::float8 FROM pg_class WHERE oid = $1::regclass", relation).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("reading reltuples of %q: %w", relation, err)
	}
	return n, nil
}

// An IndexHealth is what pgstatindex says of a B-tree.
type IndexHealth struct {
	Bytes         int64   // all pages
	LeafPages     int64   // pages
	DeletedPages  int64   // pages
	LeafDensity   float64 // %: avg_leaf_density
	Fragmentation float64 // %: leaf_fragmentation
}

// ReadIndexHealth reads a B-tree with pgstatindex; the extension pgstattuple
// must exist in the database.
func ReadIndexHealth(ctx context.Context, conn *pgx.Conn, index string) (IndexHealth, error) {
	var h IndexHealth
	err := conn.QueryRow(ctx, `SELECT index_size, leaf_pages, deleted_pages, avg_leaf_density, leaf_fragmentation
		FROM pgstatindex($1::regclass)`, index).Scan(&h.Bytes, &h.LeafPages, &h.DeletedPages, &h.LeafDensity, &h.Fragmentation)
	if err != nil {
		return h, fmt.Errorf("reading the health of index %q: %w", index, err)
	}
	return h, nil
}

// Digest returns the number of rows of a query and a digest of them that does
// not depend on their order: the SHA-256 of all rows' text in sorted order.
func Digest(ctx context.Context, conn *pgx.Conn, query string) (rows int64, digest string, err error) {
	sql := fmt.Sprintf(`SELECT count(*), encode(sha256(convert_to(coalesce(string_agg(r::text, E'\n' ORDER BY r::text), ''), 'UTF8')), 'hex')
		FROM (%s) r`, strings.TrimSuffix(strings.TrimSpace(query), ";"))
	if err := conn.QueryRow(ctx, sql).Scan(&rows, &digest); err != nil {
		return 0, "", fmt.Errorf("taking the digest of %q: %w", query, err)
	}
	return rows, digest, nil
}

// RelationSize returns the bytes of a relation's main fork.
func RelationSize(ctx context.Context, conn *pgx.Conn, relation string) (int64, error) {
	var n int64
	if err := conn.QueryRow(ctx, "SELECT pg_relation_size($1::regclass)", relation).Scan(&n); err != nil {
		return 0, fmt.Errorf("reading the size of %q: %w", relation, err)
	}
	return n, nil
}
