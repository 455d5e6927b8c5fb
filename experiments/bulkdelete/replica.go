package bulkdelete

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/postgres"
)

// replicaTable has an index, so that a batch finds its rows.
const replicaTable = "t_replica"

// replicaPart holds the rows where the table is partitioned.
const replicaPart = "t_replica_old"

// fewestLooks are those that a greatest lag needs while the statements run.
const fewestLooks = 10

// A replicaWay gets rid of the same rows.
type replicaWay struct {
	name  string
	sql   func(rows, batch int) string
	rows  bool // it counts them
	parts bool // they are in a partition
	stays bool // a ninth as many more are there and stay
}

// The ways. Each batch commits by itself.
var replicaWays = []replicaWay{
	{name: "DELETE everything", sql: func(int, int) string { return "DELETE FROM " + replicaTable }, rows: true},
	{name: "DELETE in batches", sql: inBatches, rows: true},
	{name: "TRUNCATE", sql: func(int, int) string { return "TRUNCATE " + replicaTable }},
	{name: "DROP of the partition", sql: func(int, int) string { return "DROP TABLE " + replicaPart }, parts: true},
	{name: "copy what stays and swap", sql: swapReplicated, stays: true},
}

// swapReplicated is the ledger's way, in one string.
func swapReplicated(rows, _ int) string {
	swap := ledgerSQL("swap", "gone", fmt.Sprintf("id <= %d", rows), "t_large", replicaTable)
	return "BEGIN;" + strings.Join(swap, ";") + ";COMMIT;"
}

// staying are the rows that are left after a way.
func (w replicaWay) staying(rows int) int {
	if w.stays {
		return rows / 9
	}
	return 0
}

// inBatches is one string of transactions, so that no time passes between them.
func inBatches(rows, batch int) string {
	var all strings.Builder
	for from := 1; from <= rows; from += batch {
		fmt.Fprintf(&all, "BEGIN; DELETE FROM %s WHERE id BETWEEN %d AND %d; COMMIT;", replicaTable, from, from+batch-1)
	}
	return all.String()
}

var replicaWaysTable = runner.TableSpec{Name: "replica_lag", Title: "How far a streaming replica falls behind, by the way of deleting",
	Note: "Primary and standby share this machine's processors and disk, and replication is asynchronous. full_page_writes is off, each way ran one time on a fresh load that the standby had replayed, and an index on id, which a batch uses, is there for every way. The partition holds every row; where a copy is swapped in, a ninth as many rows are there besides and stay, and a primary key is made for them. Lag is the distance from what the primary has flushed, since nothing else is sent, to what the standby has told, read every 2 ms from another session until the standby has told of everything. No ratio is made of these times.",
	Columns: []runner.Column{
		{Name: "way", Text: true}, {Name: "rows", Unit: "rows", Meaning: "that went"}, {Name: "transactions"}, {Name: "seconds", Unit: "s", Meaning: "the statements with their commits, one time"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "WAL of the statements"},
		{Name: "most_unsent_bytes", Unit: "bytes", Meaning: "greatest distance to what was sent"}, {Name: "most_unflushed_bytes", Unit: "bytes", Meaning: "greatest distance to what the standby has on disk"}, {Name: "most_unreplayed_bytes", Unit: "bytes", Meaning: "greatest distance to what it has replayed"},
		{Name: "unreplayed_at_end_bytes", Unit: "bytes", Meaning: "in the last look before the end of the statements"}, {Name: "behind_s", Unit: "s", Meaning: "from the end of the statements until all of it is replayed, one time, seen up to 2 ms late"}, {Name: "looks_running", Meaning: "looks while the statements ran"}, {Name: "looks", Meaning: "all looks"}}}

var replicaSamplesTable = runner.TableSpec{Name: "replica_samples", Raw: true, Title: "Every look at the standby's lag",
	Columns: []runner.Column{{Name: "way", Text: true}, {Name: "seconds", Unit: "s", Meaning: "since the statements began"}, {Name: "running", Text: true, Meaning: "the statements were running"},
		{Name: "unsent_bytes", Unit: "bytes"}, {Name: "unflushed_bytes", Unit: "bytes"}, {Name: "unreplayed_bytes", Unit: "bytes", Meaning: "not yet replayed"}}}

// replica gets rid of the same rows in each way beside a standby, which is
// stopped at the end: no later part needs it.
func (a *asides) replica(ctx context.Context) error {
	standby, err := a.onStandby(ctx)
	if err != nil {
		return err
	}
	defer standby.Close(context.WithoutCancel(ctx))
	conn, err := a.on(ctx, primaryServer)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	step := a.lab.Step("a replica beside it", len(replicaWays))
	defer step.Done()
	t, samples := a.out.Table(replicaWaysTable), a.out.Table(replicaSamplesTable)
	for _, way := range replicaWays {
		if err := a.replicaWay(ctx, conn, standby, way, t, samples); err != nil {
			return fmt.Errorf("watching a replica during %s: %w", way.name, err)
		}
		step.Advance(1)
	}
	a.replicaFigure()
	a.concludeReplica(t)
	return a.stopStandby(ctx, conn)
}

// stopStandby stops it and lets the primary go of the WAL that it kept for it.
func (a *asides) stopStandby(ctx context.Context, conn *pgx.Conn) error {
	if err := a.running[standbyName].Stop(ctx); err != nil {
		return fmt.Errorf("stopping the standby: %w", err)
	}
	delete(a.running, standbyName)
	return postgres.Execute(ctx, conn, "ALTER SYSTEM SET wal_keep_size = 0", "SELECT pg_reload_conf()")
}

// replicaWay measures one way on a fresh load.
func (a *asides) replicaWay(ctx context.Context, conn, standby *pgx.Conn, way replicaWay, t, samples *runner.Table) error {
	rows, batch := a.lab.Knob("replica_rows"), a.lab.Knob("replica_batch")
	if err := way.load(ctx, conn, standby, rows); err != nil {
		return err
	}
	watch, err := a.watchLag(ctx)
	if err != nil {
		return err
	}
	stop := a.lab.Watch("replica: " + way.name)
	took, behind, err := replayed(ctx, conn, standby, way.name, way.sql(rows, batch), watch)
	stop()
	looks, watchErr := watch.stop()
	if err == nil {
		err = watchErr
	}
	if err != nil {
		return err
	}
	if way.rows && took.rows != int64(rows) {
		return fmt.Errorf("%d rows deleted, expected %d", took.rows, rows)
	}
	for _, l := range looks {
		samples.Add(way.name, l.seconds, l.running, l.unsent, l.unflushed, l.unreplayed)
	}
	row := []any{way.name, rows, way.transactions(rows, batch), took.seconds, took.walBytes}
	row = append(row, lagCells(looks)...)
	t.Add(append(row, behindCell(behind), looksRunning(looks), len(looks))...)
	return way.clear(ctx, conn, rows)
}

// replayed executes statements and waits until the standby has replayed them,
// which is timed from their end; what names them in errors.
func replayed(ctx context.Context, conn, standby *pgx.Conn, what, sql string, watch *lagWatch) (took cost, behind time.Duration, err error) {
	took, err = metered(ctx, conn, what, func(plain context.Context) (float64, error) {
		watch.began = time.Now()
		_, err := conn.PgConn().Exec(plain, sql).ReadAll()
		watch.ended = time.Now()
		if err != nil {
			return 0, err
		}
		lsn, err := flushPosition(plain, conn)
		if err != nil {
			return 0, err
		}
		_, err = awaitReplay(ctx, standby, lsn) // which may be interrupted
		behind = time.Since(watch.ended)
		return watch.ended.Sub(watch.began).Seconds(), err
	})
	return took, behind, err
}

// behindCell has no time that is shorter than what lies between two looks.
func behindCell(behind time.Duration) any {
	if behind < instrument.ReplayEvery {
		return runner.NA{Reason: fmt.Sprintf("less than %d ms: the standby had caught up before a second look at it", instrument.ReplayEvery.Milliseconds())}
	}
	return behind
}

// clear drops the table when no rows are left in it but those that stay.
func (w replicaWay) clear(ctx context.Context, conn *pgx.Conn, rows int) error {
	var left int
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM "+replicaTable).Scan(&left); err != nil {
		return fmt.Errorf("counting the rows that are left: %w", err)
	}
	if left != w.staying(rows) {
		return fmt.Errorf("%d rows are left, expected %d", left, w.staying(rows))
	}
	return postgres.Execute(ctx, conn, "DROP TABLE "+replicaTable)
}

// transactions is how many the way takes.
func (w replicaWay) transactions(rows, batch int) int {
	return max(1, strings.Count(w.sql(rows, batch), "COMMIT"))
}

// load loads the table and waits for the standby.
func (w replicaWay) load(ctx context.Context, conn, standby *pgx.Conn, rows int) error {
	table, statements := replicaTable, []string(nil)
	if w.parts {
		table = replicaPart
		statements = []string{"CREATE TABLE " + replicaTable + " (id integer, data text) PARTITION BY RANGE (id)",
			fmt.Sprintf("ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (1) TO (%d)", replicaTable, replicaPart, rows+1)}
	}
	if err := load(ctx, conn, table, rows+w.staying(rows), sourcePayload); err != nil {
		return err
	}
	if err := postgres.Execute(ctx, conn, append(statements, "CREATE INDEX ON "+replicaTable+" (id)", "CHECKPOINT")...); err != nil {
		return err
	}
	lsn, err := flushPosition(ctx, conn)
	if err != nil {
		return err
	}
	_, err = awaitReplay(ctx, standby, lsn)
	return err
}
