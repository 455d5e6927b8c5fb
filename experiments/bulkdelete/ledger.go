package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// ledger executes every way of getting rid of rows, each on a table of
// its own, and writes down what it costs at once and afterwards.
func (b *bench) ledger(ctx context.Context) error {
	return b.withLedger(ctx, func(l *ledgerBook) error { return l.open(ctx) })
}

// withLedger does something with a server and the rows that
// each share takes.
func (b *bench) withLedger(ctx context.Context, do func(*ledgerBook) error) (err error) {
	// The default of PostgreSQL 18 for both, and no background writer, so that a
	// page is written by a statement or by the checkpoint.
	server, err := b.start(ctx, "ledger", true, map[string]string{"full_page_writes": "on", "bgwriter_lru_maxpages": "0"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	conn, err := server.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := postgres.Execute(ctx, conn, "CREATE EXTENSION pg_stat_statements"); err != nil {
		return err
	}
	l := &ledgerBook{bench: b, conn: conn, rows: b.lab.Knob("ledger_rows"), gone: map[share]string{}, stay: map[share]survivors{}}
	if err := l.prepare(ctx); err != nil {
		return err
	}
	return do(l)
}

// open executes the ways in turns and reports them.
func (l *ledgerBook) open(ctx context.Context) error {
	ways := ledgerWays(l.rows)
	l.startTables()
	runs := make([][]*ledgerRun, len(ways))
	step := l.lab.Step("the ledger", l.executions(ways))
	defer l.setupApart(step)
	turns := l.lab.Rand("ledger/turns")
	for repeat := range l.lab.Knob("ledger_repeats") {
		for _, i := range turns.Perm(len(ways)) {
			if repeat >= l.repeats(ways[i]) {
				continue
			}
			r, err := l.onTable(ctx, ways[i], repeat+1)
			if err != nil {
				return fmt.Errorf("ledger, %s: %w", ways[i].label(), err)
			}
			runs[i] = append(runs[i], r)
			l.enter(r)
			step.Advance(1)
		}
	}
	l.report(runs)
	return nil
}

// repeats are the executions of a way. What is counted is held against one
// other execution; only the main ways have more.
func (l *ledgerBook) repeats(w ledgerWay) int {
	if w.main {
		return l.lab.Knob("ledger_repeats")
	}
	return min(2, l.lab.Knob("ledger_repeats"))
}

// executions are those of all ways.
func (l *ledgerBook) executions(ways []ledgerWay) int {
	n := 0
	for _, w := range ways {
		n += l.repeats(w)
	}
	return n
}

// setupApart ends the step and takes out of it the time in which tables were
// made and dropped, which measures nothing.
func (l *ledgerBook) setupApart(step *runner.Step) {
	step.Done()
	l.out.Steps[len(l.out.Steps)-1].Seconds -= l.setup.Seconds()
	l.out.Steps = append(l.out.Steps, runner.StepRecord{Name: "the ledger's tables, made anew for each execution", Seconds: l.setup.Seconds(), Setup: true})
}

// prepared does what is no part of an execution and adds its time to set-up.
func (l *ledgerBook) prepared(do func() error) error {
	start := time.Now()
	defer func() { l.setup += time.Since(start) }()
	return do()
}

// onTable executes a way on a table of its own, which is dropped afterwards.
func (l *ledgerBook) onTable(ctx context.Context, w ledgerWay, repeat int) (*ledgerRun, error) {
	empty, err := databaseSize(ctx, l.conn)
	if err != nil {
		return nil, err
	}
	if err := l.prepared(func() error { return l.plant(ctx, w.parts) }); err != nil {
		return nil, err
	}
	r := &ledgerRun{way: w, repeat: repeat, conn: l.conn, empty: empty, costs: map[string]cost{}, locks: lockBook{}}
	stop := l.lab.Watch("ledger: " + w.label())
	err = r.execute(ctx, l.gone[w.share], l.rows, l.stay[w.share])
	if stop(); err != nil {
		return nil, err
	}
	return r, l.prepared(func() error { return l.clear(ctx) })
}
