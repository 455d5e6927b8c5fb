package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

// counters are what the server counts while the readings are timed.
type counters struct {
	blocksRead  int64  // pages read into shared buffers, both databases
	autovacuums int64  // of the tables, both databases
	checkpoint  string // LSN of the last checkpoint's record
}

// readCounters flushes the sessions' own statistics first.
func readCounters(ctx context.Context, conns map[string]*pgx.Conn) (counters, error) {
	var c counters
	for database, conn := range conns {
		if _, err := conn.Exec(ctx, "SELECT pg_stat_force_next_flush()"); err != nil {
			return c, fmt.Errorf("flushing the statistics of %q: %w", database, err)
		}
		var read, vacuums int64
		err := conn.QueryRow(ctx, `SELECT d.blks_read, (SELECT coalesce(sum(autovacuum_count), 0)::bigint FROM pg_stat_user_tables),
				(SELECT checkpoint_lsn::text FROM pg_control_checkpoint())
			FROM pg_stat_database d WHERE d.datname = current_database()`).Scan(&read, &vacuums, &c.checkpoint)
		if err != nil {
			return c, fmt.Errorf("reading the counters of %q: %w", database, err)
		}
		c.blocksRead += read
		c.autovacuums += vacuums
	}
	return c, nil
}

var disturbancesTable = runner.TableSpec{Name: "disturbances", Title: "What the server did beside the timings",
	Note: "Noisy blocks are those that somebody else disturbed (noise_by_part.csv). They are marked and kept.",
	Columns: []runner.Column{{Name: "condition", Text: true}, {Name: "blocks"}, {Name: "noisy_blocks"},
		{Name: "warmup_blocks", Meaning: "run before and not kept, until no reading showed a trend"},
		{Name: "blocks_read", Unit: "pages", Meaning: "read into shared buffers while timing"},
		{Name: "checkpoint", Text: true, Meaning: "one was written while timing"}, {Name: "autovacuums", Meaning: "of the tables while timing"}}}

func (b *bench) addDisturbances(c condition, s *runner.Samples, before, after counters, to *runner.Table) {
	noisy := 0
	for _, n := range s.Noise {
		if n.Noisy() {
			noisy++
		}
	}
	read := after.blocksRead - before.blocksRead
	to.Add(c.label, len(s.Noise), noisy, s.Warmup, read, after.checkpoint != before.checkpoint, after.autovacuums-before.autovacuums)
	if read > 0 {
		b.out.Warn("%s: %d pages were read into shared buffers while timing", c.label, read)
	}
	if after.checkpoint != before.checkpoint {
		b.out.Warn("%s: a checkpoint was written while timing", c.label)
	}
}

// keep writes a block's samples down as soon as it is over.
func (b *bench) keep(c condition, block int, seconds [][]float64, n runner.Noise, to latencyTables) {
	for i, r := range readings {
		for execution, v := range seconds[i] {
			to.samples.Add(c.label, r.name, block, execution, v, n.Noisy())
		}
	}
}
