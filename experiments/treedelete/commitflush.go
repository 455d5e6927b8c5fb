package treedelete

import (
	"context"
	"fmt"

	"deletecost/runner"
)

var commitSettingsTable = runner.TableSpec{Name: "commit_settings", Title: "Settings that decide what a commit costs",
	Note:    "Read from the server. WAL lies in the data directory in the run's temporary folder: it is that folder's file system and its disk that a flush waits for.",
	Columns: []runner.Column{{Name: "setting", Text: true}, {Name: "value", Text: true}}}

// readSettings shows the settings that decide what a flush is, and refuses to
// time commits that flush nothing.
func (c *commitRun) readSettings(ctx context.Context) error {
	rows, err := c.reader.Query(ctx, statement("commit_settings"))
	if err != nil {
		return fmt.Errorf("reading the settings of a commit: %w", err)
	}
	defer rows.Close()
	t := c.out.Table(commitSettingsTable)
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return fmt.Errorf("reading the settings of a commit: %w", err)
		}
		t.Add(name, value)
		if name == "fsync" && value != "on" {
			return fmt.Errorf("timing commits: fsync is %s, so a commit does not wait for the disk; switch it on", value)
		}
	}
	return rows.Err()
}

// flushCounted is how many statements of an arm are counted and not timed.
const flushCounted = 20

var commitFlushTable = runner.TableSpec{Name: "commit_flushes", Title: "Flushes of WAL while statements that are not timed ran",
	Note: "Without an added round trip. The server counts the flushes of all its processes: one that writes WAL behind asynchronous commits may add a few.",
	Columns: []runner.Column{
		{Name: "transaction", Text: true}, {Name: "synchronous_commit", Text: true},
		{Name: "statements"}, {Name: "wal_syncs", Meaning: "flushes of WAL, all processes"}}}

// countFlushes counts what the server flushes, one session after the other.
func (c *commitRun) countFlushes(ctx context.Context) error {
	t := c.out.Table(commitFlushTable)
	for _, a := range c.arms {
		if a.delay != 0 {
			continue
		}
		before, err := c.walSyncs(ctx)
		if err != nil {
			return err
		}
		for range flushCounted {
			if _, err := a.delete(ctx, 0); err != nil {
				return err
			}
		}
		// A session tells its counts when it is idle outside of a transaction.
		if a.own {
			if _, err := a.session.simple(ctx, "SELECT pg_stat_force_next_flush()"); err != nil {
				return err
			}
		}
		after, err := c.walSyncs(ctx)
		if err != nil {
			return err
		}
		t.Add(a.transaction(), a.synchronous, flushCounted, after-before)
	}
	return nil
}

// walSyncs is how often WAL was flushed since the server's counts began.
func (c *commitRun) walSyncs(ctx context.Context) (n int64, err error) {
	file := "commit_syncs_18"
	var version int
	if err := c.reader.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return 0, fmt.Errorf("reading the version: %w", err)
	}
	if version < 180000 {
		file = "commit_syncs"
	}
	if err := c.reader.QueryRow(ctx, statement(file)).Scan(&n); err != nil {
		return 0, fmt.Errorf("counting flushes of WAL: %w", err)
	}
	return n, nil
}
