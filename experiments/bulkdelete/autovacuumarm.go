package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// An interference is what another session does to a trial. It returns how to
// end it; what was asked meanwhile is in the trial then.
type interference func(context.Context, *trial) (end func() error, err error)

// A trialArm is one way in which autovacuum comes upon the table.
type trialArm struct {
	name   string
	before interference // begins before the DELETE; nil for none
	after  interference // begins after it; nil for none
}

const (
	undisturbed = "undisturbed"
	sizeAsked   = "size asked every 50 ms"
	writerOff   = "background writer off"
	cursorHeld  = "live row on the last page, cursor on it"
)

// trialArms are all of them; smaller scales have the first ones.
func trialArms() []trialArm {
	return []trialArm{
		{name: undisturbed},
		{name: sizeAsked, after: askSize},
		{name: writerOff, before: stopWriter},
		{name: "checkpoint under way", after: keepCheckpointing},
		{name: "SELECT between", before: spareTable, after: selectBetween},
		{name: cursorHeld, after: holdPin},
		{name: "snapshot held", before: holdTrialSnapshot},
	}
}

const askEvery = 50 * time.Millisecond

// An answer is what a session was told of the table's size.
type answer struct {
	after, waited time.Duration // since the DELETE, and for the answer
	bytes         int64
}

// askSize asks for the table's size, again and again.
func askSize(ctx context.Context, t *trial) (func() error, error) {
	return repeatedly(ctx, t, askEvery, func(ctx context.Context, conn *pgx.Conn) error {
		asked := time.Now()
		var a answer
		if err := conn.QueryRow(ctx, "SELECT pg_table_size('t_large')").Scan(&a.bytes); err != nil {
			return fmt.Errorf("asking for the table's size: %w", err)
		}
		a.waited, a.after = time.Since(asked), time.Since(t.deleted)
		t.answers = append(t.answers, a)
		return nil
	})
}

// checkpointEvery leaves a pause between two checkpoints.
const checkpointEvery = 20 * time.Millisecond

// keepCheckpointing asks for one checkpoint after another: the checkpointer pins
// each page that it writes.
func keepCheckpointing(ctx context.Context, t *trial) (func() error, error) {
	return repeatedly(ctx, t, checkpointEvery, func(ctx context.Context, conn *pgx.Conn) error { return postgres.Execute(ctx, conn, "CHECKPOINT") })
}

// repeatedly does something in a session of its own until it is ended.
func repeatedly(ctx context.Context, t *trial, every time.Duration, do func(context.Context, *pgx.Conn) error) (func() error, error) {
	conn, err := t.open(ctx, t.database)
	if err != nil {
		return nil, err
	}
	stop, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if err := do(ctx, conn); err != nil {
				failed <- err
				return
			}
			select {
			case <-stop:
				failed <- nil
				return
			case <-tick.C:
			}
		}
	}()
	return func() error {
		close(stop)
		return errors.Join(<-failed, conn.Close(context.WithoutCancel(ctx)))
	}, nil
}

// spareTable keeps autovacuum from the table, which comes within naptime after the
// DELETE and would run beside the SELECT.
func spareTable(ctx context.Context, t *trial) (func() error, error) {
	return nil, postgres.Execute(ctx, t.conn, "ALTER TABLE t_large SET (autovacuum_enabled = off)")
}

// selectBetween reads the whole table once before autovacuum may come.
func selectBetween(ctx context.Context, t *trial) (func() error, error) {
	return nil, postgres.Execute(ctx, t.conn, "SELECT * FROM t_large", "ALTER TABLE t_large RESET (autovacuum_enabled)")
}

// holdPin keeps a cursor open on one row that was put on the last page, the only
// one with room for it as long as nobody has vacuumed. The snapshot of the cursor
// is younger than the DELETE and keeps no dead row; its pin keeps VACUUM from
// cleaning the page. The row and the cursor's lock on the table keep it from
// truncating, pin or no pin.
func holdPin(ctx context.Context, t *trial) (func() error, error) {
	var ctid string
	if err := t.conn.QueryRow(ctx, "INSERT INTO t_large VALUES (0, "+sourcePayload+") RETURNING ctid::text").Scan(&ctid); err != nil {
		return nil, fmt.Errorf("putting a row on the last page: %w", err)
	}
	return t.inTransaction(ctx, "BEGIN", "DECLARE held CURSOR FOR SELECT * FROM t_large WHERE ctid = '"+ctid+"'", "FETCH held")
}

// holdTrialSnapshot keeps a snapshot that is older than the DELETE, and no lock
// on the table, which would keep VACUUM from truncating.
func holdTrialSnapshot(ctx context.Context, t *trial) (func() error, error) {
	return t.inTransaction(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1")
}

// inTransaction leaves a transaction open in a session of its own.
func (t *trial) inTransaction(ctx context.Context, statements ...string) (func() error, error) {
	conn, err := t.open(ctx, t.database)
	if err != nil {
		return nil, err
	}
	end := func() error { return conn.Close(context.WithoutCancel(ctx)) }
	if err := postgres.Execute(ctx, conn, statements...); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}
