package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// queueCycles is how often rows are queued and deleted while a holder is there.
const queueCycles = 3

// A holder is somebody who may keep dead rows from VACUUM.
type holder struct {
	name string
	// take makes it hold, and returns what makes it let go, nil with an error;
	// seen is asked between the two.
	take func(context.Context, *holderBench) (release func(context.Context) error, err error)
}

// A holderBench is what holders act on.
type holderBench struct {
	*asides
	conn    *pgx.Conn // works on the queue, and asks who holds
	standby *pgx.Conn // nil before the standby is there
}

var holdersTable = runner.TableSpec{Name: "holders", Title: "Who holds xmin of a queue-like table, and what VACUUM leaves because of it",
	Note: "A queue: rows are inserted and all of them deleted, three times, with a VACUUM after each time. The holder was there before the first row. The view that shows it is read after the last of them; age is in transactions, as age() counts. Dead rows are those that pgstattuple counts. The standby was made to tell its xmin before each VACUUM and when its transaction had ended; by itself it tells every wal_receiver_status_interval, which is 10 s by default and 1 s here, and so long may dead rows stay after its transaction has ended. The queue ran once with each holder.",
	Columns: []runner.Column{
		{Name: "holder", Text: true}, {Name: "seen_in", Text: true, Meaning: "views and columns that show it, with age()"}, {Name: "holds", Text: true, Meaning: "VACUUM left every deleted row"},
		{Name: "deleted_rows", Unit: "rows", Meaning: "in all cycles"}, {Name: "dead_rows", Unit: "rows", Meaning: "dead after the last VACUUM with it"}, {Name: "heap_bytes", Unit: "bytes", Meaning: "table after that VACUUM"},
		{Name: "vacuum_s", Unit: "s", Meaning: "that VACUUM, one time"}, {Name: "gone_s", Unit: "s", Meaning: "from letting go until no view shows it, one time"},
		{Name: "dead_rows_after", Unit: "rows", Meaning: "dead after a VACUUM without it"}, {Name: "heap_bytes_after", Unit: "bytes", Meaning: "table after that VACUUM"}}}

var holderCyclesTable = runner.TableSpec{Name: "holder_cycles", Title: "The queue after each VACUUM, by who is there",
	Note: "The last step of each holder is a VACUUM after it has let go.",
	Columns: []runner.Column{{Name: "holder", Text: true}, {Name: "step", Meaning: "cycle from 1; the last is without the holder"}, {Name: "dead_rows", Unit: "rows", Meaning: "dead rows after VACUUM"},
		{Name: "heap_bytes", Unit: "bytes", Meaning: "table after VACUUM"}, {Name: "index_bytes", Unit: "bytes"}}}

// holders lets each of them hold in turn. Those without a standby come first:
// a standby with feedback always holds a little.
func (a *asides) holders(ctx context.Context) error {
	conn, err := a.on(ctx, primaryServer)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	h := &holderBench{asides: a, conn: conn}
	t, cycles := a.out.Table(holdersTable), a.out.Table(holderCyclesTable)
	if err := h.measureAll(ctx, "who holds xmin", localHolders, t, cycles); err != nil {
		return err
	}
	if h.standby, err = a.onStandby(ctx); err != nil {
		return err
	}
	defer h.standby.Close(context.WithoutCancel(ctx))
	if err := h.measureAll(ctx, "who holds xmin, with a standby", standbyHolders, t, cycles); err != nil {
		return err
	}
	if err := h.rejoin(ctx); err != nil {
		return fmt.Errorf("bringing the standby back: %w", err)
	}
	a.holderFigure()
	a.concludeHolders(t)
	return nil
}

// measureAll runs the queue with one holder after the other.
func (h *holderBench) measureAll(ctx context.Context, name string, all []holder, t, cycles *runner.Table) error {
	step := h.lab.Step(name, len(all))
	defer step.Done()
	for _, who := range all {
		if err := h.measure(ctx, who, t, cycles); err != nil {
			return fmt.Errorf("queueing with %s: %w", who.name, err)
		}
		step.Advance(1)
	}
	return nil
}

// measure runs the queue with one holder, and once more without.
func (h *holderBench) measure(ctx context.Context, who holder, t, cycles *runner.Table) error {
	if err := postgres.Execute(ctx, h.conn, "CREATE TABLE t_queue (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job text)"); err != nil {
		return err
	}
	release, err := who.take(ctx, h)
	if err != nil {
		return err
	}
	last, seen, err := h.queue(ctx, who, cycles)
	if err != nil {
		_ = release(context.WithoutCancel(ctx)) // the first error says more
		return err
	}
	gone, err := h.letGo(ctx, release)
	if err != nil {
		return err
	}
	after, err := h.vacuum(ctx)
	if err != nil {
		return err
	}
	cycles.Add(who.name, queueCycles+1, after.dead, after.heap, after.index)
	deleted := int64(queueCycles * h.lab.Knob("queue_rows"))
	t.Add(who.name, seen, last.dead == deleted, deleted, last.dead, last.heap, last.seconds, gone, after.dead, after.heap)
	return postgres.Execute(ctx, h.conn, "DROP TABLE t_queue")
}

// queue runs the cycles beside a holder and asks who is seen to hold.
func (h *holderBench) queue(ctx context.Context, who holder, cycles *runner.Table) (last queueState, seen string, err error) {
	for step := range queueCycles {
		if last, err = h.cycle(ctx); err != nil {
			return last, "", err
		}
		cycles.Add(who.name, step+1, last.dead, last.heap, last.index)
	}
	seen, err = h.seen(ctx)
	return last, seen, err
}
