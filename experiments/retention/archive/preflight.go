package archive

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// preflight checks tables that were looked up.
func preflight(ctx context.Context, conn *pgx.Conn, cfg Config, tables []*relation) (*inspector, error) {
	p := &inspector{conn: conn, cfg: cfg}
	if err := p.checkSession(ctx); err != nil {
		return nil, err
	}
	for _, t := range tables {
		if err := p.checkTable(ctx, t); err != nil {
			return nil, fmt.Errorf("inspecting table %q: %w", t, err)
		}
	}
	if err := p.checkSpace(ctx, tables); err != nil {
		return nil, err
	}
	return p, nil
}

// An inspector gathers what stands in the way.
type inspector struct {
	conn  *pgx.Conn
	cfg   Config
	found []error
	need  int64 // bytes that the archive may need
}

func (p *inspector) refuse(format string, args ...any) {
	p.found = append(p.found, fmt.Errorf(format, args...))
}

// checkSession checks what holds for every table.
func (p *inspector) checkSession(ctx context.Context) error {
	var encoding string
	var version int
	var mayCreate, standby, lenient bool
	err := p.conn.QueryRow(ctx, `SELECT current_setting('server_encoding'), current_setting('server_version_num')::int,
		has_database_privilege(current_database(), 'CREATE'), pg_is_in_recovery(),
		'on' IN (current_setting('zero_damaged_pages'), current_setting('ignore_checksum_failure'))`).Scan(&encoding, &version, &mayCreate, &standby, &lenient)
	if err != nil {
		return fmt.Errorf("inspecting the server: %w", err)
	}
	p.checkEncoding(encoding)
	if lenient {
		p.refuse("zero_damaged_pages or ignore_checksum_failure is on, so the server would leave damaged rows out in silence: turn both off")
	}
	if version < 140000 {
		p.refuse("server version %d has no DETACH PARTITION CONCURRENTLY: 14 or later is needed", version)
	}
	if standby {
		p.refuse("the server is a standby: connect to its primary")
	}
	if p.cfg.Restore && !mayCreate {
		p.refuse("restoring for comparison needs a scratch schema: GRANT CREATE on the database, or turn Restore off")
	}
	return nil
}

// checkEncoding refuses encodings whose text need not come back from UTF-8:
// the conversions of the multibyte ones are not one to one. Restored and
// compared, a value that differs stops the run.
func (p *inspector) checkEncoding(encoding string) {
	switch {
	case encoding == "SQL_ASCII":
		p.refuse("the database's encoding is SQL_ASCII, so its text may be no text: JSON cannot carry it; convert the database to UTF8")
	case !p.cfg.Restore && (strings.HasPrefix(encoding, "EUC_") || encoding == "MULE_INTERNAL"):
		p.refuse("the database's encoding %s need not come back from UTF-8: turn Restore on, so that the values are compared", encoding)
	}
}

// maxFileName is the longest name of a file, in bytes, on the usual file
// systems.
const maxFileName = 255

// checkName refuses names that make the parts' too long. It leaves room for
// four more digits of the number.
func (p *inspector) checkName(_ context.Context, t *relation) error {
	if n := len(PartName(t.schema, t.name, 1)+TempSuffix) + 4; n > maxFileName {
		p.refuse("the files of table %q would have names of %d bytes, and file systems take %d: rename the table to one of a-z, 0-9 and _", t, n, maxFileName)
	}
	return nil
}

// checkTable checks one table.
func (p *inspector) checkTable(ctx context.Context, t *relation) error {
	switch {
	case t.oid == 0:
		p.refuse("table %q does not exist: name a partition", t)
		return nil
	case t.kind != "r":
		p.refuse("%q is no ordinary table (relkind %q): archive its own partitions one by one", t, t.kind)
		return nil
	}
	for _, check := range []func(context.Context, *relation) error{
		p.checkName, p.checkOwner, p.checkParent, p.checkForeignKeys, p.checkDependents, p.checkTypes,
	} {
		if err := check(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// checkOwner checks privileges and row security. The session has row_security
// off, which makes a policy an error; better to be told before the detach.
func (p *inspector) checkOwner(ctx context.Context, t *relation) error {
	var owner, secured bool
	err := p.conn.QueryRow(ctx, "SELECT pg_has_role(relowner, 'USAGE'), row_security_active(oid) FROM pg_class WHERE oid = $1", t.oid).Scan(&owner, &secured)
	if err != nil {
		return err
	}
	if !owner {
		p.refuse("the role does not own table %q: connect as its owner", t)
	}
	if secured {
		p.refuse("row security would hide rows of table %q from this role: use one with BYPASSRLS, or ALTER TABLE %s NO FORCE ROW LEVEL SECURITY as its owner", t, t.ident())
	}
	return nil
}

const dependentSQL = `
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid)
FROM pg_class c LEFT JOIN pg_type y ON y.oid = c.reltype
JOIN pg_depend d ON d.deptype = 'n'
 AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
   OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (y.oid, y.typarray))
WHERE c.oid = $1
 AND NOT (d.classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint o WHERE o.oid = d.objid AND o.contype = 'f'))
 AND NOT (d.classid = 'pg_class'::regclass AND d.objid = c.oid)
 AND NOT EXISTS (SELECT FROM pg_depend own WHERE own.classid = d.classid AND own.objid = d.objid
   AND own.deptype IN ('a', 'i') AND own.refclassid = 'pg_class'::regclass AND own.refobjid = c.oid)
ORDER BY 1`

// checkDependents finds what DROP TABLE would refuse to leave behind. What is
// the table's own (checks, policies) goes with it; foreign keys are told apart.
func (p *inspector) checkDependents(ctx context.Context, t *relation) error {
	rows, err := p.conn.Query(ctx, dependentSQL, t.oid)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		p.refuse("%s depends on table %q, which could not be dropped: drop it, or make it depend on the parent", name, t)
	}
	return err
}
