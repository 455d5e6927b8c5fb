package retention

import (
	"context"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// A bench holds what the parts of the experiment hand on.
type bench struct {
	lab    *runner.Lab
	out    *runner.Result
	server *postgres.Server
	conn   *pgx.Conn // for what is between the timed parts
	folder string    // for archives and ledgers, of this run only

	version    int    // of the server: 17
	small      string // why growth and bytes a row cannot be told, "" when they can
	fileSystem string // that the server's data lies on, with its mount options; "" where the system does not tell

	runs, steps, bands   *runner.Table // of every run of the pipeline
	latencyRows, samples *runner.Table // of the writers
	points               *runner.Table // samples that are drawn

	swept        []swept               // the source's runs, by size and then repeat
	opened       []swept               // the runs beside an open loop
	growth       map[string]runner.Ref // slopes by step
	slopes       *runner.Table         // growth.csv
	scaling, fit *runner.Table
	methods      *runner.Table // in turns
	quantiles    *runner.Table // of the writers beside an open loop
	loads        *runner.Table // the two ways to load
	constants    *runner.Table // steps that do not grow, in turns
	capacity     float64       // inserts a second that the closed loop reached alone
}

// A swept run is one of the source's with the rows that it has in the tables.
type swept struct {
	*retired
	row       int            // in runs
	latencies map[string]int // in writers, by phase
}

// measured points a claim at its values, unless the sizes are too small for
// what it says.
func (b *bench) measured(claim string, why runner.Sentence, at ...runner.Ref) {
	if b.small != "" {
		b.out.NotMeasured(claim, "not measured at this scale: "+b.small)
		return
	}
	b.out.Measured(claim, why, at...)
}

// warn hands the warnings of a comparison on.
func (b *bench) warn(what string, warnings []string) {
	for _, w := range warnings {
		b.out.Warn("%s: %s", what, w)
	}
}

// session runs something on a connection of its own.
func (b *bench) session(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := b.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(conn)
}
