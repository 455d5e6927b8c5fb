// Package treedelete reproduces source s2: deleting a document with its blocks
// and their attributes row by row and set-based; and measures what the source
// could not, the network between the statements.
package treedelete

import (
	"context"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// Experiment returns the experiment with its knobs.
func Experiment() *runner.Experiment {
	return &runner.Experiment{
		Name:     "treedelete",
		Title:    "Deleting a tree, row by row or set-based",
		Question: "What does one statement a row cost, and how much of it is the network?",
		Source:   "s2",
		Knobs: []runner.Knob{
			{Name: "blocks", Meaning: "blocks of the document under test, one attribute each; the sweep goes from an eighth to twice of it", Min: 80, Max: 100_000, Smoke: 160, Laptop: 2000, Published: 2000},
			{Name: "other_documents", Meaning: "other documents in the tables, with one block and one attribute each", Min: 0, Max: 10_000_000, Smoke: 300, Laptop: 3000, Published: 3000},
			{Name: "delay_blocks", Meaning: "blocks of the document that is deleted with every injected round trip", Min: 5, Max: 100_000, Smoke: 20, Laptop: 250, Published: 2000},
			{Name: "round_trip_us", Meaning: "longest injected round trip, as the source's incident had it; the others are 0.1, 0.5 and 1 ms", Unit: "µs", Min: 1100, Max: 100_000, Smoke: 2900, Laptop: 2900, Published: 2900},
			{Name: "incident", Meaning: "run the incident, 133,973 statements, instead of predicting it only: minutes", Switch: true, Max: 1, Smoke: 0, Laptop: 0, Published: 1},
			{Name: "most_documents", Meaning: "other documents, at the most, in the search for where row by row wins", Min: 100, Max: 10_000_000, Smoke: 600, Laptop: 60_000, Published: 1_000_000},
			{Name: "crossover_blocks", Meaning: "blocks of the document in that search", Min: 5, Max: 100_000, Smoke: 20, Laptop: 100, Published: 2000},
			{Name: "far_repeats", Meaning: "repeats of what takes a second or more across the longest round trip; a ratio needs 5", Min: 1, Max: 100, Smoke: 1, Laptop: 1, Published: 5},
			{Name: "short_blocks", Meaning: "blocks in which arms of less than 10 ms take turns; 40 make a ratio", Min: 12, Max: 1000, Smoke: 12, Laptop: 40, Published: 40},
			{Name: "near_repeats", Meaning: "repeats of what waits for a few round trips only", Min: 1, Max: 100, Smoke: 2, Laptop: 6, Published: 10},
			{Name: "first_copies", Meaning: "fresh copies on which the first execution of each form is timed; 5 make a range", Min: 1, Max: 100, Smoke: 1, Laptop: 5, Published: 5},
			{Name: "missing_rows", Meaning: "attributes in the largest table without the index on block_id; the others have a half and a quarter", Unit: "rows", Min: 400, Max: 10_000_000, Smoke: 1200, Laptop: 10_000, Published: 200_000},
			{Name: "missing_blocks", Meaning: "blocks of the document that is deleted there", Min: 2, Max: 100_000, Smoke: 6, Laptop: 20, Published: 200},
			{Name: "depth", Meaning: "levels of the deepest tree; the others have 2 and more", Unit: "levels", Min: 2, Max: 6, Smoke: 3, Laptop: 6, Published: 6},
			{Name: "depth_rows", Meaning: "rows of the tree at every depth", Unit: "rows", Min: 10, Max: 100_000, Smoke: 16, Laptop: 31, Published: 1201},
			{Name: "delay_checks", Meaning: "checks of each injected round trip of less than 1 ms against SELECT 1; a longer one is checked half as often", Min: 1, Max: 99, Smoke: 1, Laptop: 5, Published: 9},
			{Name: "commit_blocks", Meaning: "blocks in which statements with and without a commit of their own take turns", Min: 12, Max: 1000, Smoke: 12, Laptop: 40, Published: 40},
			{Name: "curve_batches", Meaning: "batches of 5,000 rows, 98 % removed again, in the tables of the soft-delete query", Min: 1, Max: 1000, Smoke: 1, Laptop: 5, Published: 50},
			{Name: "curve_blocks", Meaning: "blocks in which that query takes turns on both tables", Min: 12, Max: 1000, Smoke: 12, Laptop: 40, Published: 40},
		},
		Check: check,
		Space: space,
		Run:   run,
	}
}

// settings keep everything in shared buffers and everybody else out.
// pg_stat_statements counts only in the passes that ask for it.
var settings = map[string]string{
	"autovacuum":               "off",
	"shared_buffers":           "512MB",
	"max_wal_size":             "8GB",
	"checkpoint_timeout":       "1h",
	"jit":                      "off",
	"shared_preload_libraries": "pg_stat_statements",
	"compute_query_id":         "off",
	"pg_stat_statements.track": "none",
}

// run is the whole experiment, top down. Each part writes its own findings and
// figures when it ends, so that they stay when a later part fails or the run is
// interrupted.
func run(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
	b := newBench(lab, out)
	b.describe()
	if what := b.differs(); what != "" {
		out.NotAsPublished(what)
	}
	var err error
	if b.server, err = lab.Server(ctx, postgres.Options{Name: "treedelete", Checksums: false, Settings: settings}); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		b.checkDelays,   // every round trip that will be injected, against SELECT 1
		b.published,     // the source's sweep
		b.first,         // first executions, on fresh copies
		b.flatElsewhere, // EXECUTE, and rows side by side
		b.everyWay,      // each way of deleting, over the socket
		b.delaySweep,    // and across the network
		b.commits,       // what 2.9 ms are made of
		b.softCurve,     // the query of the soft-delete study across the same network
		b.incident,      // what that says of seven minutes
		b.missingIndex,  // what a foreign key without an index costs
		b.depth,         // levels, rows or round trips
		b.crossover,     // the tables grow
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
