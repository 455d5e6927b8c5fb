package faults

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"

	"deletecost/experiments/retention/checker"
)

// tables are the logical tables of the data set.
var tables = []string{"activities", "deliveries"}

// monthOf is the relation of a table's month that is archived.
func monthOf(table string) string { return "public." + table + "_2001_03" }

// keptOf is a copy of that relation as it was loaded.
func keptOf(table string) string { return "kept." + table }

// clearSQL drops all schemas that the server did not have at first, also those
// that a pipeline made. A query of the server's makes the text, so that each is
// dropped on its own.
const clearSQL = `SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace
	WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`

// schemaSQL makes the tables: many types, of which some do not survive JSON as
// it comes, and in each table a month to archive and one to write into.
const schemaSQL = `CREATE SCHEMA public; CREATE SCHEMA kept;
CREATE TABLE activities (id uuid NOT NULL, inserted_at timestamptz NOT NULL, tenant_id uuid, body text, payload jsonb, raw json, amount numeric,
	score double precision, small smallint, tags text[], bits bytea, day date, took interval, ok boolean, fixed character(5), PRIMARY KEY (id, inserted_at))
	PARTITION BY RANGE (inserted_at);
CREATE TABLE deliveries (id uuid NOT NULL, inserted_at timestamptz NOT NULL, activity_id uuid, attempts int, meta jsonb, PRIMARY KEY (id, inserted_at))
	PARTITION BY RANGE (inserted_at);`

// partitionsSQL makes the months of one table.
const partitionsSQL = `CREATE TABLE %[1]s_2001_03 PARTITION OF %[1]s FOR VALUES FROM ('2001-03-01Z') TO ('2001-04-01Z');
CREATE TABLE %[1]s_2026_11 PARTITION OF %[1]s FOR VALUES FROM ('2026-11-01Z') TO ('2026-12-01Z');
CREATE UNIQUE INDEX ON %[1]s_2001_03 (id); CREATE UNIQUE INDEX ON %[1]s_2026_11 (id);`

// loadSQL fills the month of each table with rows of the ids.
var loadSQL = map[string]string{
	"activities": `INSERT INTO activities_2001_03 SELECT id, '2001-03-01Z'::timestamptz + n * interval '61.000001 s', id,
	(ARRAY['plain', E'a\tb\nc\r', 'quote " and \ back', '', NULL, '\N', 'é € 😀', E'\x01\x7f', '{"a":1}'])[n % 9 + 1],
	(ARRAY['null', '{"a":[1,null]}', NULL, '"\\"', '12345678901234567890.5'])[n % 5 + 1]::jsonb,
	(ARRAY[E'{"a":1,\n"a":2}', 'null', NULL])[n % 3 + 1]::json,
	(ARRAY['NaN', '12345678901234567890.123456', '-0.000001', NULL, 'Infinity', '1.10'])[n % 6 + 1]::numeric,
	(ARRAY['NaN', '-Infinity', '0.1', '-0', '1e-300', NULL, '2.2250738585072014e-308'])[n % 7 + 1]::float8, n % 3 - 1,
	(ARRAY['{}', '{a,NULL,"b c"}', '[0:1]={x,y}', NULL])[n % 4 + 1]::text[], decode(lpad(to_hex(n), 4, '0'), 'hex'), '2001-03-01'::date + (n % 30)::int,
	(ARRAY['1 mon -2 days 03:04:05.000006', '-1 year', NULL])[n % 3 + 1]::interval, n % 2 = 0, 'ab'
	FROM unnest($1::uuid[]) WITH ORDINALITY u(id, n)`,
	"deliveries": `INSERT INTO deliveries_2001_03 SELECT id, '2001-03-01Z'::timestamptz + n * interval '62 s', id, n, jsonb_build_object('n', n, 'text', repeat('x', 16))
	FROM unnest($1::uuid[]) WITH ORDINALITY u(id, n)`,
}

// load makes the data set anew, with a number of rows in each month, and
// returns where its rows may be. What else is in the database is removed.
func load(ctx context.Context, conn *pgx.Conn, random *rand.Rand, rows int) ([]checker.Table, error) {
	if err := clearDatabase(ctx, conn); err != nil {
		return nil, fmt.Errorf("clearing the database: %w", err)
	}
	if _, err := conn.Exec(ctx, schemaSQL); err != nil {
		return nil, fmt.Errorf("making the tables: %w", err)
	}
	var all []checker.Table
	for _, table := range tables {
		if _, err := conn.Exec(ctx, fmt.Sprintf(partitionsSQL, table)); err != nil {
			return nil, fmt.Errorf("making the partitions of %s: %w", table, err)
		}
		ids := make([]string, rows)
		for i := range ids {
			ids[i] = newID(random)
		}
		if _, err := conn.Exec(ctx, loadSQL[table], ids); err != nil {
			return nil, fmt.Errorf("loading %s: %w", table, err)
		}
		if _, err := conn.Exec(ctx, "CREATE TABLE "+keptOf(table)+" AS TABLE "+monthOf(table)); err != nil {
			return nil, fmt.Errorf("keeping a copy of %s: %w", table, err)
		}
		all = append(all, checker.Table{Name: table, Live: "public." + table, Months: []string{monthOf(table)}, Loaded: ids})
	}
	return all, nil
}

// clearDatabase drops what is in the database.
func clearDatabase(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, clearSQL)
	if err != nil {
		return err
	}
	drops, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, sql := range drops {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// newID draws a random UUID (RFC 9562, version 4).
func newID(random *rand.Rand) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], random.Uint64())
	binary.BigEndian.PutUint64(b[8:], random.Uint64())
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
