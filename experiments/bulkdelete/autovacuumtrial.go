package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A trial is one DELETE and one run of autovacuum after it.
type trial struct {
	*sourceRun
	arm      trialArm
	number   int // within its arm, from 1
	database string
	conn     *pgx.Conn
	text     bool // EXPLAIN the DELETE as text, not for its numbers

	before  int64     // bytes: pg_table_size before the DELETE
	deleted time.Time // end of the DELETE
	files   []fileSize
	answers []answer
	waited  time.Duration // from the DELETE until autovacuum's count moved
	came    bool          // it did, within the limit
	after   int64         // bytes: pg_table_size then
	writes  pageWrites    // from the end of the DELETE until VACUUM had ended

	report   vacuumReport
	reported bool // the report was found
}

func (t *trial) name() string { return fmt.Sprintf("%s, trial %d", t.arm.name, t.number) }

// run runs the trial in its database, which it drops.
func (t *trial) run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, t.drop(ctx, t.database)) }()
	// The messages on truncating are of this level.
	if err := postgres.Execute(ctx, t.admin, "ALTER DATABASE "+t.database+" SET log_min_messages = debug2"); err != nil {
		return err
	}
	if t.conn, err = t.open(ctx, t.database); err != nil {
		return err
	}
	defer t.conn.Close(context.WithoutCancel(ctx))
	if err := t.conn.QueryRow(ctx, "SELECT pg_table_size('t_large')").Scan(&t.before); err != nil {
		return fmt.Errorf("reading the size before: %w", err)
	}
	if err := t.interfered(ctx, t.arm.before, func() error { return t.deleteThenWatch(ctx) }); err != nil {
		return fmt.Errorf("%s: %w", t.name(), err)
	}
	return nil
}

// interfered does something while another session interferes.
func (t *trial) interfered(ctx context.Context, how interference, do func() error) error {
	if how == nil {
		return do()
	}
	end, err := how(ctx, t)
	if err != nil {
		return err
	}
	err = do()
	if end != nil {
		err = errors.Join(err, end())
	}
	return err
}

// deleteThenWatch deletes, waits for autovacuum and reads the size once.
func (t *trial) deleteThenWatch(ctx context.Context) error {
	if err := t.delete(ctx); err != nil {
		return err
	}
	t.deleted = time.Now()
	before, err := t.readWrites(ctx)
	if err != nil {
		return err
	}
	if err := postgres.Execute(ctx, t.conn, "SELECT pg_stat_force_next_flush()"); err != nil {
		return err
	}
	if err := t.interfered(ctx, t.arm.after, func() error { return t.awaitThenLook(ctx) }); err != nil || !t.came {
		return err
	}
	if err := t.wrote(ctx, before); err != nil {
		return err
	}
	return t.readReport(ctx)
}

// awaitThenLook reads the size once, while the other session still interferes:
// when it has ended, the next run of autovacuum may go on.
func (t *trial) awaitThenLook(ctx context.Context) error {
	if err := t.await(ctx); err != nil || !t.came {
		return err
	}
	if err := t.conn.QueryRow(ctx, "SELECT pg_table_size('t_large')").Scan(&t.after); err != nil {
		return fmt.Errorf("reading the size after: %w", err)
	}
	return nil
}

func (t *trial) delete(ctx context.Context) error {
	if t.text {
		return t.explainText(ctx, t.conn, t.name())
	}
	_, err := t.deleteAll(ctx, t.conn, t.name())
	return err
}

const watchEvery = 20 * time.Millisecond

// await waits until autovacuum's count has moved, and notes the size of the
// table's files meanwhile. Neither takes a lock on the table.
func (t *trial) await(ctx context.Context) error {
	file, err := t.relationFile(ctx)
	if err != nil {
		return err
	}
	within := time.Duration(t.lab.Knob("autovacuum_wait_s")) * time.Second
	t.came, err = poll(ctx, watchEvery, within, func() (bool, error) {
		bytes, err := filesSize(file)
		if err != nil {
			return false, err
		}
		var count int64
		if err := t.conn.QueryRow(ctx, "SELECT autovacuum_count FROM pg_stat_user_tables WHERE relname = 't_large'").Scan(&count); err != nil {
			return false, fmt.Errorf("waiting for autovacuum: %w", err)
		}
		t.waited = time.Since(t.deleted)
		t.note(t.waited, bytes)
		return count > 0, nil
	})
	return err
}

// reportWithin is for the report to get from the server's log to the tool; it
// is written right after the count has moved.
const reportWithin = 10 * time.Second

// readReport reads what autovacuum said of the table, if it can be had.
func (t *trial) readReport(ctx context.Context) (err error) {
	t.reported, err = poll(ctx, watchEvery, reportWithin, func() (found bool, _ error) {
		t.report, found = readReport(t.server.LogLines(), t.database+".public."+sourceTable)
		return found, nil
	})
	return err
}
