package archive

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// pinned are the settings that the text of values depends on, and those that
// could make a statement see less than the whole table.
var pinned = [][2]string{
	{"client_encoding", "UTF8"},
	{"extra_float_digits", "3"},
	{"TimeZone", "UTC"},
	{"DateStyle", "ISO, YMD"},
	{"IntervalStyle", "postgres"},
	{"bytea_output", "hex"},
	{"xmloption", "content"},
	{"array_nulls", "on"},
	{"search_path", ""}, // names of types come out with their schema
	{"row_security", "off"},
	{"synchronize_seqscans", "off"}, // the same table gives the same parts
	{"statement_timeout", "0"},
	{"idle_in_transaction_session_timeout", "0"},
	{"idle_session_timeout", "0"}, // the session that keeps other runs out is idle for long
	{"transaction_timeout", "0"},  // from PostgreSQL 17 on
}

// newest are settings that servers of some versions do not have.
var newest = map[string]int{"idle_session_timeout": 140000, "transaction_timeout": 170000}

// settings returns what is pinned for the manifest.
func settings() map[string]string {
	m := map[string]string{}
	for _, s := range pinned {
		m[s[0]] = s[1]
	}
	return m
}

// pin sets what is pinned in a session, or with scope "LOCAL" in a transaction.
// SET takes no snapshot, which a function would.
func pin(ctx context.Context, conn *pgx.Conn, scope string) error {
	version, err := serverVersion(conn)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, s := range pinned {
		if version < newest[s[0]] {
			continue
		}
		fmt.Fprintf(&b, "SET %s %s = '%s';", scope, s[0], s[1])
	}
	if _, err := conn.Exec(ctx, b.String()); err != nil {
		return fmt.Errorf("pinning the session's settings: %w", err)
	}
	return nil
}

// serverVersion is the server's major version as in server_version_num: from
// what it says at the beginning of the session, without a query.
func serverVersion(conn *pgx.Conn) (int, error) {
	text := conn.PgConn().ParameterStatus("server_version")
	major, err := strconv.Atoi(text[:digits([]byte(text))])
	if err != nil {
		return 0, fmt.Errorf("reading the server's version %q: %w", text, err)
	}
	return major * 10000, nil
}

// connect opens a connection of the run with everything pinned.
func (r *run) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := r.cfg.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connecting to archive: %w", err)
	}
	r.keep(conn)
	if err := pin(ctx, conn, "SESSION"); err != nil {
		return nil, err
	}
	timeout := fmt.Sprintf("SET lock_timeout = %d", r.cfg.LockTimeout.Milliseconds())
	if r.cfg.mistake == rowSecurityOn {
		timeout += "; SET row_security = on"
	}
	if _, err := conn.Exec(ctx, timeout); err != nil {
		return nil, fmt.Errorf("setting lock_timeout: %w", err)
	}
	return conn, nil
}

func (r *run) keep(conn *pgx.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns = append(r.conns, conn)
}

// hangUp closes every connection: politely after success, else as a crash does,
// so that nothing is waited for.
func (r *run) hangUp(failed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, conn := range r.conns {
		if failed {
			conn.PgConn().Conn().Close() // a server that waits for a lock would not read a farewell
		}
		conn.Close(ctx)
	}
}

// lockError explains SQLSTATE 55P03, lock_not_available.
func lockError(err error, what string) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "55P03" {
		return fmt.Errorf("%w: %s: %w: nothing was dropped; see pg_locks for who holds it, end that transaction and run again", ErrLocked, what, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
