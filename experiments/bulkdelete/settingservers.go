package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
)

// asides are the parts that change one thing about the same DELETE. They share
// servers, each started by the first part that asks for it, since a start takes
// as long as many of these parts do.
type asides struct {
	*bench
	running map[string]*postgres.Server
}

// asides are those parts in the order in which they run.
func (b *bench) asides() []func(context.Context) error {
	a := &asides{bench: b, running: map[string]*postgres.Server{}}
	return []func(context.Context) error{
		a.settingsMatrix, // checksums, full_page_writes, wal_log_hints
		a.hintBits,       // a SELECT that prunes and one that only sets hint bits
		a.holders,        // who holds xmin, and what VACUUM leaves meanwhile
		a.replica,        // how far a standby falls behind
		a.identities,     // indexes, TOAST, REPLICA IDENTITY
		a.indexPasses,    // VACUUM against maintenance_work_mem
		a.payloads,       // wal_compression with two payloads
		a.dropBuffers,    // DROP against shared_buffers
		a.explainCost,    // what EXPLAIN itself takes
	}
}

// An asideServer is a server that several parts may use.
type asideServer struct {
	name      string
	checksums bool
	overrides map[string]string
}

// The servers. What the primary keeps of its WAL is for a standby that starts
// late and falls behind.
var (
	plainServer   = asideServer{name: "plain"}
	checkedServer = asideServer{name: "checksums", checksums: true}
	hintsServer   = asideServer{name: "wal_log_hints", overrides: map[string]string{"wal_log_hints": "on"}}
	primaryServer = asideServer{name: "primary", overrides: map[string]string{
		"wal_level": "logical", "max_prepared_transactions": "5", "wal_keep_size": "16GB"}}
)

// ready starts the servers that do not run yet; a part calls it before its step
// begins, since a start has a step of its own.
func (a *asides) ready(ctx context.Context, servers ...asideServer) error {
	for _, s := range servers {
		if a.running[s.name] != nil {
			continue
		}
		server, err := a.start(ctx, s.name, s.checksums, s.overrides)
		if err != nil {
			return err
		}
		a.running[s.name] = server
	}
	return nil
}

// on returns a new session on a server, which is started when it does not run.
func (a *asides) on(ctx context.Context, s asideServer) (*pgx.Conn, error) {
	if err := a.ready(ctx, s); err != nil {
		return nil, err
	}
	return connect(ctx, a.running[s.name])
}

// settingOf reads what a setting is now: the list of a server's settings has
// what it was when the server had started.
func settingOf(ctx context.Context, conn *pgx.Conn, name string) (value string, err error) {
	if err := conn.QueryRow(ctx, "SHOW "+name, pgx.QueryExecModeSimpleProtocol).Scan(&value); err != nil {
		return "", fmt.Errorf("reading setting %q: %w", name, err)
	}
	return value, nil
}

// setFullPageWrites sets it for the whole server, and waits until this session
// has heard of it.
func setFullPageWrites(ctx context.Context, conn *pgx.Conn, value string) error {
	if err := postgres.Execute(ctx, conn, "ALTER SYSTEM SET full_page_writes = "+value, "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return awaitTrue(ctx, conn, "SELECT current_setting('full_page_writes') = '"+value+"'")
}
