package archive

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// exact are the base types of pg_catalog whose text output, under the pinned
// settings, their input turns into the same value. Names of objects (regclass)
// follow renames, and amounts of money a locale's decimal places: not these.
var exact = strings.Fields(`bool int2 int4 int8 oid xid xid8 cid tid pg_lsn pg_snapshot txid_snapshot
	float4 float8 numeric char name text varchar bpchar bytea uuid
	date time timetz timestamp timestamptz interval
	json jsonb jsonpath xml tsvector tsquery bit varbit
	inet cidr macaddr macaddr8 point line lseg box path polygon circle int2vector oidvector`)

// typeSQL walks from the columns of a table to the base types that their values
// are made of: through domains, arrays, composites, ranges and multiranges.
const typeSQL = `
WITH RECURSIVE part(col, typ) AS (
 SELECT a.attname::text, a.atttypid FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
 UNION
 SELECT p.col, n.typ FROM part p JOIN pg_type t ON t.oid = p.typ
 CROSS JOIN LATERAL (
  SELECT t.typbasetype WHERE t.typtype = 'd'
  UNION ALL SELECT t.typelem WHERE t.typelem <> 0 AND t.typsubscript = 'array_subscript_handler'::regproc
  UNION ALL SELECT a.atttypid FROM pg_attribute a WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = t.oid OR r.rngmultitypid = t.oid
 ) n(typ))
SELECT p.col, format_type(p.typ, NULL) FROM part p JOIN pg_type t ON t.oid = p.typ JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'p'
 OR t.typtype = 'b' AND NOT (t.typelem <> 0 AND t.typsubscript = 'array_subscript_handler'::regproc)
    AND NOT (n.nspname = 'pg_catalog' AND t.typname = ANY ($2))
ORDER BY 1, 2`

// checkTypes refuses, by name, columns whose values would not come back.
func (p *inspector) checkTypes(ctx context.Context, t *relation) error {
	rows, err := p.conn.Query(ctx, typeSQL, t.oid, exact)
	if err != nil {
		return err
	}
	var name, typ string
	if _, err = pgx.ForEachRow(rows, []any{&name, &typ}, func() error {
		p.refuse("column %q of table %q: values of type %s need not come back from their text: convert the column (money to numeric, regclass to text)", name, t, typ)
		return nil
	}); err != nil {
		return err
	}
	found, err := columns(ctx, p.conn, t.oid)
	if len(found) == 0 && err == nil {
		p.refuse("table %q has no columns, so its rows cannot be told apart", t)
	}
	if p.cfg.Method == MethodSource && err == nil {
		p.checkSource(t, found)
	}
	return err
}

// checkSource checks what the published method rests on.
func (p *inspector) checkSource(t *relation, columns []column) {
	keyed := false
	for _, c := range columns {
		keyed = keyed || c.Name == p.cfg.Key && c.Type == "uuid"
		if c.Type == "json" {
			p.refuse("column %q of table %q: method %s puts json in as it is, and a newline in it would break the line: use method %s", c.Name, t, MethodSource, MethodCopy)
		}
	}
	if !keyed {
		p.refuse("table %q has no column %q of type uuid, which method %s scans by: use method %s", t, p.cfg.Key, MethodSource, MethodCopy)
	}
}
