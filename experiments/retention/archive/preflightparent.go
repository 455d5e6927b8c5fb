package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const parentSQL = `
SELECT c.oid, c.relkind = 'p', pg_has_role(c.relowner, 'USAGE'), coalesce((SELECT d.relname FROM pg_partitioned_table k JOIN pg_class d ON d.oid = k.partdefid WHERE k.partrelid = c.oid), '')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`

// checkParent checks what DETACH PARTITION CONCURRENTLY would refuse. A table
// that is detached already needs no parent.
func (p *inspector) checkParent(ctx context.Context, t *relation) error {
	var oid uint32
	var partitioned, owner bool
	var fallback string
	err := p.conn.QueryRow(ctx, parentSQL, t.parent[0], t.parent[1]).Scan(&oid, &partitioned, &owner, &fallback)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	if err != nil || t.parentOID == 0 && oid == 0 {
		return err
	}
	parent := t.parent.Sanitize()
	switch {
	case t.parentOID == 0:
	case oid != t.parentOID || !partitioned:
		p.refuse("table %q is no partition of %s: name its parent", t, parent)
	case !owner:
		p.refuse("the role does not own %s, which is needed to detach %q: connect as its owner", parent, t)
	case fallback != "" && !t.pending:
		p.refuse("%s has a default partition (%q), so PostgreSQL refuses DETACH CONCURRENTLY: detach the default partition for the time of the run", parent, fallback)
	}
	return p.checkPending(ctx, t)
}

// checkPending finds another partition whose detach was cut short: PostgreSQL
// allows one at a time.
func (p *inspector) checkPending(ctx context.Context, t *relation) error {
	rows, err := p.conn.Query(ctx, `SELECT n.nspname, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE i.inhparent = $1 AND i.inhdetachpending`, t.parentOID)
	if err != nil {
		return err
	}
	pending, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (i pgx.Identifier, err error) {
		i = make(pgx.Identifier, 2)
		return i, row.Scan(&i[0], &i[1])
	})
	for _, other := range pending {
		if !p.ours(other) {
			p.refuse("the detach of %s was cut short: finish it by ALTER TABLE %s DETACH PARTITION %s FINALIZE", other.Sanitize(), t.parent.Sanitize(), other.Sanitize())
		}
	}
	return err
}

// ours says whether a table is one that the run finishes itself.
func (p *inspector) ours(name pgx.Identifier) bool {
	for _, n := range p.cfg.Tables {
		if i, err := splitName(n); err == nil && i.Sanitize() == name.Sanitize() {
			return true
		}
	}
	return false
}

// foreignKeySQL finds the keys that refer to a table, directly or through a
// parent, with the condition by which rows are matched.
const foreignKeySQL = `
SELECT k.conname, k.conrelid::regclass::text, k.confrelid = $1::oid AND k.conparentid = 0,
 (SELECT string_agg(format('f.%I = p.%I', a.attname, b.attname), ' AND ')
  FROM unnest(k.conkey, k.confkey) u(f, p)
  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.f
  JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.p)
FROM pg_constraint k
WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid <> $1::oid
 AND (k.confrelid = $1::oid OR k.confrelid IN (SELECT relid FROM pg_partition_ancestors($1::oid::regclass)))`

// checkForeignKeys finds foreign keys that would stop the drop, and referencing
// rows, which would stop the detach.
func (p *inspector) checkForeignKeys(ctx context.Context, t *relation) error {
	rows, err := p.conn.Query(ctx, foreignKeySQL, t.oid)
	if err != nil {
		return err
	}
	type key struct {
		name, from string
		direct     bool
		match      string
	}
	keys, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k key, err error) {
		return k, row.Scan(&k.name, &k.from, &k.direct, &k.match)
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.direct {
			p.refuse("foreign key %q of %s refers to table %q, which could not be dropped: drop the constraint", k.name, k.from, t)
			continue
		}
		var referring bool
		query := fmt.Sprintf("SELECT EXISTS (SELECT FROM %s f JOIN ONLY %s p ON %s)", k.from, t.ident(), k.match)
		if err := p.conn.QueryRow(ctx, query).Scan(&referring); err != nil {
			return fmt.Errorf("looking for rows that refer to it: %w", err)
		}
		if referring {
			p.refuse("rows of %s refer to table %q by foreign key %q, so PostgreSQL refuses the detach: delete or archive those rows first", k.from, t, k.name)
		}
	}
	return nil
}
