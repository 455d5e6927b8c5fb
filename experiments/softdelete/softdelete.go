// Package softdelete reproduces source s1: what it costs to mark rows as
// deleted instead of deleting them, and how much of it a partial index gets
// back.
package softdelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/postgres"
)

// Experiment returns the experiment with its knobs.
func Experiment() *runner.Experiment {
	return &runner.Experiment{
		Name:     "softdelete",
		Title:    "Soft delete against hard delete",
		Question: "What does it cost never to remove a row, and how much of it does a partial index get back?",
		Source:   "s1",
		Knobs: []runner.Knob{
			{Name: "cycles", Meaning: "insert, remove and VACUUM so many times", Min: 2, Max: 1000, Smoke: 2, Laptop: 50, Published: 50},
			{Name: "insert", Meaning: "inserted in a cycle", Unit: "rows", Min: 200, Max: 1_000_000, Smoke: 500, Laptop: 5000, Published: 5000},
			{Name: "remove_percent", Meaning: "share of each batch that is removed again in the same cycle", Unit: "%", Min: 50, Max: 98, Smoke: 80, Laptop: 98, Published: 98},
			{Name: "iterations", Meaning: "timed executions of each query in each condition", Min: 24, Max: 1_000_000, Smoke: 48, Laptop: 1000, Published: 1000},
			{Name: "blocks", Meaning: "blocks in which the arms take turns", Min: 12, Max: 1000, Smoke: 12, Laptop: 50, Published: 50},
			{Name: "added_us", Meaning: "round trip added in the third condition, as the source's client and container added it", Unit: "µs", Min: 10, Max: 10_000, Smoke: 250, Laptop: 250, Published: 250},
			{Name: "beyond_cycles", Meaning: "cycles of what goes beyond the source", Min: 1, Max: 1000, Smoke: 2, Laptop: 10, Published: 50},
			{Name: "explains", Meaning: "executions of each plan under EXPLAIN", Min: 2, Max: 1000, Smoke: 3, Laptop: 11, Published: 11},
		},
		Check: func(v runner.Values) error {
			if left := v["cycles"] * v["insert"] * (100 - v["remove_percent"]) / 100; left < limit {
				return fmt.Errorf("%d cycles of %d rows with %d %% removed leave %d active rows and the query reads %d: raise cycles or insert, or lower remove_percent",
					v["cycles"], v["insert"], v["remove_percent"], left, limit)
			}
			return nil
		},
		Space: func(v runner.Values) int64 {
			// As much as eight databases of all cycles; a row takes 264 bytes with its indexes, each
			// is written twice to the heap and three times to WAL.
			return 8*v["cycles"]*v["insert"]*264*5 + 256<<20
		},
		Run: run,
	}
}

// settings keep everything in shared buffers and everybody else out: the
// experiment runs VACUUM itself and asks for its own checkpoint.
var settings = map[string]string{
	"autovacuum":         "off",
	"shared_buffers":     "512MB",
	"max_wal_size":       "8GB",
	"checkpoint_timeout": "1h",
	"jit":                "off",
}

// run is the whole experiment, top down. Each part writes its own findings and
// figures when it ends, so that they stay when a later part fails or the run
// is interrupted.
func run(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
	b := &bench{lab: lab, out: out, at: newRefs(), narrow: map[string][]string{}}
	b.describe()
	if what := b.differs(); what != "" {
		out.NotAsPublished(what)
	}
	var err error
	if b.server, err = lab.Server(ctx, postgres.Options{Name: "softdelete", Checksums: false, Settings: settings}); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		b.churn,          // bloat over time, every arm
		b.sizes,          // what the arms left behind
		b.missingAnalyze, // the first confound; ends with ANALYZE
		b.draws,          // Rows Removed by Filter as a distribution
		b.plans,          // EXPLAIN of each query, then the partial index
		b.latency,        // in turns, three conditions
		b.thirdWay,       // beyond the source: moved away, and partitioned
		b.purge,          // removing what was soft-deleted, at last
		b.beyond,         // sizes
		b.hotUpdates,     // and what the partial index costs those who write
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A bench holds what the parts of the experiment hand on.
type bench struct {
	lab    *runner.Lab
	out    *runner.Result
	server *postgres.Server
	at     refs // cells that were measured

	bloat      map[string]*runner.Table        // by arm
	first      map[int]int64                   // by cycle: where the source's window on the hard table began
	survivors  *runner.Table                   // digests of active rows
	drift      *runner.Table                   // filled by the arm without ANALYZE
	explained  map[string]instrument.Explained // by file
	addedValid bool                            // the injected round trip is the one that was asked for
	narrow     map[string][]string             // by why: intervals of a condition that may be too narrow
}
