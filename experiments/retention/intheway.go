package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

var inTheWayTable = runner.TableSpec{Name: "in_the_way", Title: "Detaching while a reader's transaction is open",
	Note:    "A transaction has read the table and stays open; the detach of one partition is asked for at once, and the writers keep their schedule. Blocked is the longest latency of an insert from its scheduled start, and the share of all scheduled inserts of that time which took over a tenth of the reader's time. An interrupted detach was cancelled while it waited: the partition is then neither in nor out, and FINALIZE takes it out.",
	Columns: []runner.Column{{Name: "way", Text: true}, {Name: "reader_s", Unit: "s", Meaning: "how long the reader stayed"}, {Name: "detach_s", Unit: "s", Meaning: "from asking to detached"}, {Name: "inserts"}, {Name: "slowest_insert_s", Unit: "s", Meaning: "slowest insert"}, {Name: "blocked_percent", Unit: "%", Meaning: "inserts that waited"}, {Name: "ended", Text: true, Meaning: "what the server said"}}}

// A detachment is one way to detach beside a reader.
type detachment struct {
	name      string
	clause    string
	interrupt bool // cancelled after half of the reader's time, and then finished
}

var detachments = []detachment{
	{name: "CONCURRENTLY", clause: " CONCURRENTLY"},
	{name: "plain"},
	{name: "CONCURRENTLY, interrupted, then FINALIZE", clause: " CONCURRENTLY", interrupt: true},
}

// inTheWay detaches the month of the activities in each way.
func (b *bench) inTheWay(ctx context.Context) error {
	t := b.out.Table(inTheWayTable)
	for i, d := range detachments {
		if err := b.detachBeside(ctx, t, i, d); err != nil {
			return fmt.Errorf("detaching, %s: %w", d.name, err)
		}
	}
	b.out.Conclude(runner.Say("With a reader's transaction open for {}, the slowest insert took {} beside DETACH CONCURRENTLY and {} beside a plain DETACH, which queues for ACCESS EXCLUSIVE and everybody behind it.",
		t.Ref(0, "reader_s"), t.Ref(0, "slowest_insert_s"), t.Ref(1, "slowest_insert_s")))
	b.out.Figure(runner.Figure{Name: "in_the_way", Title: "The slowest insert while a detach waits for a reader",
		HowToRead: "The reader stays equally long in each case. What is blocked for that long waits for the reader through the detach.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "in_the_way", X: "way", Y: "slowest_insert_s", Label: "slowest insert"}}})
	return nil
}

// detachBeside measures one way on a month of a few rows: what is in them does
// not matter to the locks.
func (b *bench) detachBeside(ctx context.Context, t *runner.Table, i int, d detachment) error {
	if err := b.load(ctx, full, newMonth(b.lab.Knob("load_rows"), b.lab.Rand("in the way"))); err != nil {
		return err
	}
	stay := time.Duration(b.lab.Knob("reader_ms")) * time.Millisecond
	reader, err := b.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer reader.Close(context.WithoutCancel(ctx))
	r := &retired{plan: plan{name: fmt.Sprintf("detach-%d", i), writers: b.lab.Knob("writers"), rate: b.openRate(), before: b.before() / 4}}
	var out detached
	_, err = b.beside(ctx, r, func() error {
		out, err = b.detachWith(ctx, reader, d, stay)
		return err
	})
	if err != nil {
		return err
	}
	slowest, blocked, n := out.waits(r, stay)
	t.Add(d.name, out.stayed, out.took, n, slowest, blocked, out.ended)
	return errors.Join(b.discard(ctx, tables(full)), b.forget(ctx, r))
}

// detached is what came of a detach beside a reader.
type detached struct {
	asked        time.Time
	took, stayed time.Duration
	ended        string
}

// detachWith opens the reader's transaction, asks for the detach and lets the
// reader go when its time is over.
func (b *bench) detachWith(ctx context.Context, reader *pgx.Conn, d detachment, stay time.Duration) (detached, error) {
	activities := tables(full)[0]
	if err := postgres.Execute(ctx, reader, "BEGIN", "SELECT count(*) FROM (SELECT FROM "+activities.parent()+" LIMIT 1) r"); err != nil {
		return detached{}, err
	}
	out := detached{asked: time.Now(), ended: "detached"}
	left := make(chan error, 1)
	go func() {
		sleep(ctx, stay)
		out.stayed = time.Since(out.asked)
		left <- postgres.Execute(context.WithoutCancel(ctx), reader, "COMMIT")
	}()
	asked := "ALTER TABLE " + activities.parent() + " DETACH PARTITION " + activities.leaf()
	err := b.session(ctx, func(conn *pgx.Conn) error {
		if d.interrupt {
			return b.interrupted(ctx, conn, asked, d.clause, stay/2, &out)
		}
		return postgres.Execute(ctx, conn, asked+d.clause)
	})
	out.took = time.Since(out.asked)
	err = errors.Join(err, <-left) // out is complete then
	return out, err
}

// interrupted asks for a detach, cancels it while it waits, sees that it is
// half done, and finishes it. FINALIZE waits for the reader as well.
func (b *bench) interrupted(ctx context.Context, conn *pgx.Conn, asked, clause string, after time.Duration, out *detached) error {
	waiting := make(chan error, 1)
	go func() { waiting <- postgres.Execute(ctx, conn, asked+clause) }()
	sleep(ctx, after)
	if err := postgres.Execute(ctx, b.conn, fmt.Sprintf("SELECT pg_cancel_backend(%d)", conn.PgConn().PID())); err != nil {
		return errors.Join(err, <-waiting)
	}
	stopped := <-waiting
	if stopped == nil {
		out.ended = "detached before it could be interrupted"
		return nil
	}
	var pending bool
	err := b.conn.QueryRow(ctx, "SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = $1::regclass", tables(full)[0].leaf()).Scan(&pending)
	if err != nil {
		return errors.Join(fmt.Errorf("asking for a pending detach: %w", err), stopped)
	}
	if !pending {
		return fmt.Errorf("the interrupted detach left nothing pending: %w", stopped)
	}
	out.ended = "interrupted, then detached by FINALIZE"
	return postgres.Execute(ctx, conn, asked+" FINALIZE")
}

// waits are the slowest insert while the detach went on, the share of inserts
// that waited for longer than a tenth of the reader's time, and how many were
// scheduled in that time.
func (d detached) waits(r *retired, stay time.Duration) (slowest float64, percent any, n int) {
	from, to := int64(d.asked.Sub(r.crewBegan)), int64(d.asked.Add(max(d.took, d.stayed)).Sub(r.crewBegan))
	waited := 0
	for _, s := range r.samples {
		if s.done < from || s.scheduled > to {
			continue
		}
		n++
		slowest = max(slowest, s.seconds())
		if s.seconds() > stay.Seconds()/10 {
			waited++
		}
	}
	if n == 0 {
		return 0, runner.NA{Reason: "no insert was scheduled while the detach went on"}, 0
	}
	return slowest, 100 * float64(waited) / float64(n), n
}
