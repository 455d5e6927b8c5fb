// Package retention reproduces source s4: a month of two partitioned tables is
// detached, archived, verified and dropped while writers insert; and measures
// what else can be done with the month, and what each step costs the writers.
package retention

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// Experiment returns the experiment with its knobs.
func Experiment() *runner.Experiment {
	return &runner.Experiment{
		Name:     "retention",
		Title:    "Retention: detach, archive, verify, drop",
		Question: "What does it take to move a month out of a table that is being written to, and who notices?",
		Source:   "s4",
		Knobs: []runner.Knob{
			{Name: "rows_small", Meaning: "rows of each of the two tables in the month, of a size below the source's that widens the range; 0 leaves it out", Unit: "rows", Min: 0, Max: 100_000_000, Smoke: 0, Laptop: 20_000, Published: 1_000_000},
			{Name: "rows_first", Meaning: "rows a table of the first size", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 1000, Laptop: 60_000, Published: 10_000_000},
			{Name: "rows_second", Meaning: "rows a table of the second size", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 3000, Laptop: 200_000, Published: 30_000_000},
			{Name: "rows_third", Meaning: "rows a table of a third size, which the fit has not seen; 0 leaves it out", Unit: "rows", Min: 0, Max: 100_000_000, Smoke: 10_000, Laptop: 600_000, Published: 0},
			{Name: "repeats", Meaning: "runs of the smallest size; the others run once", Min: 1, Max: 100, Smoke: 2, Laptop: 2, Published: 3},
			{Name: "small_month", Meaning: "rows a table of a month whose detach and drop take turns with those of the largest size", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 500, Laptop: 20_000, Published: 100_000},
			{Name: "detach_turns", Meaning: "blocks of these turns; 12 make an interval", Min: 12, Max: 1000, Smoke: 12, Laptop: 30, Published: 40},
			{Name: "writers", Meaning: "writers that insert into the current month", Min: 1, Max: 64, Smoke: 8, Laptop: 8, Published: 8},
			{Name: "before_ms", Meaning: "how long the writers run alone before the pipeline", Unit: "ms", Min: 100, Max: 600_000, Smoke: 200, Laptop: 700, Published: 10_000},
			{Name: "open_loop_percent", Meaning: "rate of the open loop, of the capacity that the closed loop had in the same run", Unit: "%", Min: 10, Max: 90, Smoke: 60, Laptop: 60, Published: 60},
			{Name: "part_rows", Meaning: "rows of a part", Unit: "rows", Min: 1, Max: 10_000_000, Smoke: 500, Laptop: publishedPart, Published: publishedPart},
			{Name: "level", Meaning: "gzip level of our method; it also runs at 6, the source's", Min: 1, Max: 9, Smoke: 1, Laptop: 1, Published: 1},
			{Name: "streams", Meaning: "tables that our method reads at the same time", Min: 1, Max: 2, Smoke: 2, Laptop: 2, Published: 2},
			{Name: "restore", Meaning: "run our method once more with the archive restored into a scratch table and compared both ways, which the source did not do", Switch: true, Max: 1, Smoke: 1, Laptop: 1, Published: 1},
			{Name: "arm_rows", Meaning: "rows a table of the methods that take turns without writers", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 1000, Laptop: 12_000, Published: 1_000_000},
			{Name: "arm_repeats", Meaning: "turns of those methods; 5 make a range", Min: 1, Max: 100, Smoke: 1, Laptop: 5, Published: 5},
			{Name: "open_rows", Meaning: "rows a table of the runs beside open-loop writers", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 2000, Laptop: 25_000, Published: 1_000_000},
			{Name: "pace", Meaning: "rows a second of both tables that our method streams in a run of its own, about the source's published rate, so that the writers keep theirs", Unit: "rows/s", Min: 100, Max: 10_000_000, Smoke: 60_000, Laptop: 60_000, Published: 60_000},
			{Name: "paced_rows", Meaning: "rows a table of that run", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 3000, Laptop: 60_000, Published: 1_000_000},
			{Name: "load_rows", Meaning: "rows a table that are loaded in both ways in turns", Unit: "rows", Min: 100, Max: 10_000_000, Smoke: 300, Laptop: 10_000, Published: 200_000},
			{Name: "load_repeats", Meaning: "turns of loading; 12 make an interval", Min: 12, Max: 1000, Smoke: 12, Laptop: 12, Published: 12},
			{Name: "reader_ms", Meaning: "how long a reader's transaction is in the way of a detach", Unit: "ms", Min: 50, Max: 600_000, Smoke: 150, Laptop: 400, Published: 3000},
			{Name: "delete_rows", Meaning: "rows a table that are deleted instead", Unit: "rows", Min: 100, Max: 100_000_000, Smoke: 1000, Laptop: 12_000, Published: 1_000_000},
			{Name: "delete_repeats", Meaning: "turns of deleting and of dropping; 5 make a range", Min: 1, Max: 100, Smoke: 2, Laptop: 5, Published: 5},
		},
		Check: check,
		Space: space,
		Run:   run,
	}
}

// settings are the source's, which are PostgreSQL's defaults.
var settings = map[string]string{
	"shared_buffers": "128MB",
	"max_wal_size":   "1GB",
}

// run is the whole experiment, top down. Each part writes its own findings and
// figures when it ends, so that they stay when a later part fails.
func run(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
	b := &bench{lab: lab, out: out}
	b.describe()
	if what := b.differs(); what != "" {
		out.NotAsPublished(what)
	}
	b.small = tooSmall(out.Knobs)
	if err := b.open(ctx); err != nil {
		return err
	}
	defer b.close(ctx)
	for _, part := range []func(context.Context) error{
		b.published, // the source's run at each size
		b.ours,      // our method beside writers that keep to a schedule
		b.arms,      // methods in turns, without writers
		b.loading,   // two ways to load the month
		b.inTheWay,  // detaching with a reader there
		b.refusals,  // what refuses to be detached
		b.deletion,  // deleting the same month instead
		b.bars,      // what the pipeline had to reach
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// open starts the server and makes the tables and the folder for archives,
// which lies beside the server's own and goes with it.
func (b *bench) open(ctx context.Context) error {
	var err error
	if b.server, err = b.lab.Server(ctx, postgres.Options{Name: "retention", Checksums: false, Settings: settings}); err != nil {
		return err
	}
	if b.conn, err = b.server.Connect(ctx); err != nil {
		return err
	}
	if err := b.inspect(ctx); err != nil {
		return errors.Join(err, b.conn.Close(ctx))
	}
	if b.folder, err = os.MkdirTemp(filepath.Dir(b.server.SocketDir), "archives-"); err != nil {
		return errors.Join(fmt.Errorf("making the folder for archives: %w", err), b.conn.Close(ctx))
	}
	b.startTables()
	return create(ctx, b.conn)
}

// inspect reads the server's version and what its data lies on.
func (b *bench) inspect(ctx context.Context) error {
	var data string
	err := b.conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int / 10000, current_setting('data_directory')").Scan(&b.version, &data)
	if err != nil {
		return fmt.Errorf("reading the server's version: %w", err)
	}
	b.fileSystem = runner.ReadMachine(data).FileSystem
	return nil
}

func (b *bench) close(ctx context.Context) {
	b.conn.Close(context.WithoutCancel(ctx))
	b.clear(b.folder)
}

// clear removes a folder, unless the run keeps its files: somebody may want to
// look at an archive, with verify-archive or by hand.
func (b *bench) clear(folder string) {
	if !b.lab.Keeps() {
		os.RemoveAll(folder)
	}
}
