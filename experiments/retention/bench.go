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

	runs, steps, bands   *runner.Table // of every run of the pipeline
	latencyRows, samples *runner.Table // of the writers

	swept        []swept               // the source's runs, by size and then repeat
	opened       []swept               // the runs beside an open loop
	growth       map[string]runner.Ref // slopes by step
	scaling, fit *runner.Table
	methods      *runner.Table // in turns
	quantiles    *runner.Table // of the writers beside an open loop
	loads        *runner.Table // the two ways to load
	capacity     float64       // inserts a second that the closed loop reached alone
}

// A swept run is one of the source's with the rows that it has in the tables.
type swept struct {
	*retired
	row       int            // in runs
	latencies map[string]int // in writers, by phase
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
