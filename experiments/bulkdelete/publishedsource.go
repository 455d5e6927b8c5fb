package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

const (
	sourceTable    = "t_large"
	sourceDatabase = "source" // where the table was loaded
	readyDatabase  = "ready"  // a copy for the trials, page by page
	againDatabase  = "again"  // where fewer rows are loaded
	sourceRows     = 1_000_000
)

// A sourceRun is the source's table on a server of its own.
type sourceRun struct {
	*bench
	server *postgres.Server
	admin  *pgx.Conn // to database postgres

	deletes, checks, cited *runner.Table
	sizes, deferred        *runner.Table // of the source's rows, and of fewer
	reused, indexed        *runner.Table
	deleteRows             []int // of deletes, in the order of execution

	trials, summary, writer, timeline, answers *runner.Table
	autovacuumed                               []*trial // those that autovacuum came to
}

// sourceSettings are those of the server: autovacuum as the source had it, but
// for what the knobs say. It is held back until the trials.
func (b *bench) sourceSettings() map[string]string {
	return map[string]string{
		"autovacuum":                   "on",
		"autovacuum_naptime":           strconv.Itoa(b.lab.Knob("naptime_s")) + "s",
		"autovacuum_vacuum_cost_delay": strconv.Itoa(b.lab.Knob("cost_delay_ms")) + "ms",
		"log_autovacuum_min_duration":  "0",
		"log_checkpoints":              "off", // so that who checkpoints all the time does not push autovacuum's report out of the log
		"track_io_timing":              "on",
	}
}

// openSource starts the server with autovacuum held back.
func (b *bench) openSource(ctx context.Context, overrides map[string]string) (*sourceRun, error) {
	server, err := b.start(ctx, "as published", false, overrides)
	if err != nil {
		return nil, err
	}
	s := &sourceRun{bench: b, server: server}
	if s.admin, err = server.Connect(ctx); err != nil {
		return nil, errors.Join(err, server.Stop(context.WithoutCancel(ctx)))
	}
	if err := s.holdAutovacuum(ctx); err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	return s, nil
}

// close stops the server, so that no autovacuum runs beside other parts.
func (s *sourceRun) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.admin.Close(ctx), s.server.Stop(ctx))
}

// holdAutovacuum keeps autovacuum away, and waits until it is.
func (s *sourceRun) holdAutovacuum(ctx context.Context) error {
	if err := postgres.Execute(ctx, s.admin, "ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return awaitTrue(ctx, s.admin, "SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type LIKE 'autovacuum%'")
}

// releaseAutovacuum gives the server its own setting back.
func (s *sourceRun) releaseAutovacuum(ctx context.Context) error {
	return postgres.Execute(ctx, s.admin, "ALTER SYSTEM RESET autovacuum", "SELECT pg_reload_conf()")
}

// open opens a session in a database. What the server logs of autovacuum there
// it does not log of this session.
func (s *sourceRun) open(ctx context.Context, database string) (*pgx.Conn, error) {
	config := s.server.ConnConfig()
	config.Database = database
	config.RuntimeParams["log_min_messages"] = "warning"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to database %q: %w", database, err)
	}
	return conn, nil
}

// prepare loads the table as the source did and copies it for the trials.
func (s *sourceRun) prepare(ctx context.Context) (conn *pgx.Conn, err error) {
	step := s.lab.Setup("load the source's table")
	defer step.Done()
	conn, err = s.loaded(ctx, sourceDatabase, s.lab.Knob("rows"))
	if err != nil {
		return nil, err
	}
	// A database that is copied may have no session in it.
	if err := conn.Close(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	if err := s.copyDatabase(ctx, sourceDatabase, readyDatabase); err != nil {
		return nil, err
	}
	return s.open(ctx, sourceDatabase)
}

// loaded makes a database with so many of the source's rows and returns a
// session in it.
func (s *sourceRun) loaded(ctx context.Context, database string, rows int) (*pgx.Conn, error) {
	if err := postgres.Execute(ctx, s.admin, "CREATE DATABASE "+database); err != nil {
		return nil, err
	}
	conn, err := s.open(ctx, database)
	if err != nil {
		return nil, err
	}
	err = postgres.Execute(ctx, conn, "CREATE EXTENSION pg_stat_statements", "CREATE EXTENSION pg_walinspect", "CREATE EXTENSION pg_freespacemap", "CREATE EXTENSION pg_visibility")
	if err == nil {
		err = load(ctx, conn, sourceTable, rows, sourcePayload)
	}
	if err == nil {
		err = allVisible(ctx, conn)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

// allVisible vacuums again until every page is all-visible, as the source's
// were: VACUUM passes over a page that the background writer is just writing, and
// the DELETE has then one buffer less to touch.
func allVisible(ctx context.Context, conn *pgx.Conn) error {
	for range 10 {
		var left int64
		if err := conn.QueryRow(ctx, "SELECT pg_relation_size('t_large') / 8192 - all_visible FROM pg_visibility_map_summary('t_large')").Scan(&left); err != nil {
			return fmt.Errorf("reading the visibility map: %w", err)
		}
		if left == 0 {
			return nil
		}
		if err := postgres.Execute(ctx, conn, "VACUUM t_large", "CHECKPOINT"); err != nil {
			return err
		}
	}
	return errors.New("VACUUM after the load left pages that are not all-visible, ten times: something holds the table's pages or an old snapshot")
}

// copyDatabase copies files, so every page stays as it is.
func (s *sourceRun) copyDatabase(ctx context.Context, from, to string) error {
	return postgres.Execute(ctx, s.admin, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY FILE_COPY", to, from))
}

// drop removes a database, whoever is in it.
func (s *sourceRun) drop(ctx context.Context, database string) error {
	return postgres.Execute(context.WithoutCancel(ctx), s.admin, "DROP DATABASE "+database+" WITH (FORCE)")
}
