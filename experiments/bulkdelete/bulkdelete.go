// Package bulkdelete reproduces source s3, what a big DELETE writes and what it
// leaves for later, and puts every way of getting rid of rows on one ledger.
package bulkdelete

import (
	"context"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// Experiment returns the experiment with its knobs.
func Experiment() *runner.Experiment {
	return &runner.Experiment{
		Name:     "bulkdelete",
		Title:    "The full bill of a big DELETE",
		Question: "What does it cost to get rid of many rows, at once and afterwards, and who pays?",
		Source:   "s3",
		Knobs: []runner.Knob{
			{Name: "rows", Meaning: "rows of the source's table, of 1 kB each", Unit: "rows", Min: 1000, Max: 100_000_000, Smoke: 20_000, Laptop: 1_000_000, Published: 1_000_000},
			{Name: "trials", Meaning: "trials of autovacuum, of each arm", Min: 1, Max: 100, Smoke: 1, Laptop: 1, Published: 5},
			{Name: "trial_arms", Meaning: "arms of the trials: undisturbed, size asked, background writer off, checkpoint, SELECT between, cursor, snapshot", Min: 2, Max: 7, Smoke: 2, Laptop: 3, Published: 7},
			{Name: "naptime_s", Meaning: "autovacuum_naptime", Unit: "s", Min: 1, Max: 3600, Smoke: 1, Laptop: 1, Published: 60},
			{Name: "cost_delay_ms", Meaning: "autovacuum_vacuum_cost_delay", Unit: "ms", Min: 0, Max: 100, Smoke: 0, Laptop: 0, Published: 2},
			{Name: "autovacuum_wait_s", Meaning: "how long a trial waits for autovacuum", Unit: "s", Min: 1, Max: 3600, Smoke: 30, Laptop: 60, Published: 300},
			{Name: "ledger_rows", Meaning: "rows of the table of every way on the ledger, of 1 kB each", Unit: "rows", Min: 1000, Max: 10_000_000, Smoke: 2000, Laptop: 56_000, Published: 1_000_000},
			{Name: "ledger_repeats", Meaning: "executions of the main ways on the ledger; the others at most two", Min: 1, Max: 100, Smoke: 1, Laptop: 2, Published: 5},
			{Name: "aside_rows", Meaning: "rows of the source's kind for the settings and the hint bits", Unit: "rows", Min: 1000, Max: 10_000_000, Smoke: 5000, Laptop: 50_000, Published: 1_000_000},
			{Name: "every_setting", Meaning: "measure every pair of checksums, wal_log_hints and full_page_writes, and the rarer pairs of indexes and REPLICA IDENTITY", Switch: true, Max: 1, Smoke: 0, Laptop: 0, Published: 1},
			{Name: "queue_rows", Meaning: "rows of each cycle of the queue", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 500, Laptop: 10_000, Published: 100_000},
			{Name: "replica_rows", Meaning: "rows that go beside a replica", Unit: "rows", Min: 1000, Max: 10_000_000, Smoke: 5000, Laptop: 100_000, Published: 1_000_000},
			{Name: "replica_batch", Meaning: "rows of a batch beside a replica", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 1000, Laptop: 10_000, Published: 10_000},
			{Name: "identity_rows", Meaning: "rows of each table at wal_level logical", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 1000, Laptop: 10_000, Published: 100_000},
			{Name: "pass_rows", Meaning: "dead rows for the index passes of VACUUM", Unit: "rows", Min: 1000, Max: 100_000_000, Smoke: 20_000, Laptop: 400_000, Published: 900_000},
			{Name: "payload_rows", Meaning: "rows of each payload under wal_compression", Unit: "rows", Min: 70, Max: 10_000_000, Smoke: 350, Laptop: 7000, Published: 100_000},
			{Name: "drop_large_mb", Meaning: "the larger shared_buffers of DROP, against 128 MB; 0 leaves it out", Unit: "MB", Min: 0, Max: 65_536, Smoke: 0, Laptop: 2048, Published: 2048},
			{Name: "explain_rows", Meaning: "rows of the DELETE under EXPLAIN; 40 blocks where it takes less than 10 ms, else 12", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 500, Laptop: 32_000, Published: 100_000},
		},
		Space: diskSpace,
		Run:   run,
	}
}

// diskSpace is the disk that the servers need at the most: the source's table,
// its copies and WAL; a way on the ledger; and everything else with the replica,
// which keeps all WAL. They are added up, since --keep keeps what each leaves.
func diskSpace(v runner.Values) int64 {
	source := v["rows"] * 1200 * 4
	ledger := v["ledger_rows"] * 6500
	asides := v["aside_rows"]*6500*(2+v["every_setting"]) + v["replica_rows"]*16_000 + v["identity_rows"]*30_000 +
		v["payload_rows"]*3600 + v["pass_rows"]*300 + v["queue_rows"]*15_000
	return source + ledger + asides + 1<<30
}

// A bench holds what the parts of the experiment hand on.
type bench struct {
	lab *runner.Lab
	out *runner.Result
}

// run is the whole experiment, top down. Each part starts the servers that it
// needs, writes its own findings and figures when it ends, and drops what it
// made, so that what it measured stays when a later part fails.
func run(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
	b := &bench{lab: lab, out: out}
	for _, part := range b.parts() {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// parts are the parts in the order in which they run.
func (b *bench) parts() []func(context.Context) error {
	return append([]func(context.Context) error{
		b.published, // the source's DELETE, what it left, and what autovacuum made of it
		b.ledger,    // every way of getting rid of rows, foreground and deferred
	}, b.asides()...) // what decides the bill: settings, holders of xmin, a replica, indexes
}

// settings are those of every server here unless a part overrides them: nobody
// else writes, and pg_stat_statements counts what each statement did.
func settings(overrides map[string]string) map[string]string {
	all := map[string]string{
		"autovacuum":                       "off",
		"shared_buffers":                   "512MB",
		"max_wal_size":                     "16GB",
		"checkpoint_timeout":               "1h",
		"jit":                              "off",
		"max_parallel_workers_per_gather":  "0",
		"max_parallel_maintenance_workers": "0",
		"full_page_writes":                 "off",
		"shared_preload_libraries":         "pg_stat_statements",
		"pg_stat_statements.track":         "top",
		"pg_stat_statements.track_utility": "on",
	}
	maps.Copy(all, overrides)
	return all
}

// start starts a server with some settings of its own.
func (b *bench) start(ctx context.Context, name string, checksums bool, overrides map[string]string) (*postgres.Server, error) {
	return b.lab.Server(ctx, postgres.Options{Name: name, Checksums: checksums, Settings: settings(overrides)})
}

// connect opens a session with the extensions that measuring needs.
func connect(ctx context.Context, s *postgres.Server) (*pgx.Conn, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	for _, extension := range []string{"pg_stat_statements", "pg_walinspect", "pg_visibility", "pg_freespacemap", "pg_buffercache", "pgstattuple"} {
		if _, err := conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS "+extension); err != nil {
			conn.Close(ctx)
			return nil, fmt.Errorf("creating extension %q: %w", extension, err)
		}
	}
	return conn, nil
}
