package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// Items of the ledger, in the order in which they are paid.
const (
	itemForeground = "foreground"
	itemBetween    = "VACUUM between batches"
	itemFirst      = "first SELECT"
	itemSecond     = "second SELECT"
	itemVacuum     = "VACUUM"
	itemCheckpoint = "checkpoint"
)

// ledgerItems are all of them. The first two are the job itself; what comes
// after them is deferred.
var (
	ledgerItems   = []string{itemForeground, itemBetween, itemFirst, itemSecond, itemVacuum, itemCheckpoint}
	deferredItems = ledgerItems[2:]
)

// A diskPoint is the space that is taken at one moment.
type diskPoint struct {
	moment  string
	elapsed float64 // s: what was measured up to here
	files   int64   // bytes of the table, its indexes and its copy
	wal     int64   // bytes written since the start, as LSNs differ
}

// A ledgerRun is one execution of a way on a table of its own.
type ledgerRun struct {
	way    ledgerWay
	repeat int
	conn   *pgx.Conn
	table  uint32
	empty  int64
	costs  map[string]cost
	locks  lockBook
	disk   []diskPoint
	left   survivors
}

// execute pays one item after the other.
func (r *ledgerRun) execute(ctx context.Context, gone string, rows int, stay survivors) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.remove(ctx, gone, rows); err != nil {
		return err
	}
	for _, item := range []struct {
		name string
		pay  func(context.Context) (cost, error)
	}{
		{itemFirst, func(ctx context.Context) (cost, error) { return r.read(ctx, stay.rows) }},
		{itemSecond, func(ctx context.Context) (cost, error) { return r.read(ctx, stay.rows) }},
		{itemVacuum, func(ctx context.Context) (cost, error) { return measure(ctx, r.conn, r.way.vacuum()) }},
		{itemCheckpoint, func(ctx context.Context) (cost, error) { return checkpointed(ctx, r.conn) }},
	} {
		c, err := item.pay(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", item.name, err)
		}
		r.costs[item.name] = c
		if err := r.weigh(ctx, item.name); err != nil {
			return err
		}
	}
	return r.prove(ctx, stay)
}

// begin finds the table and starts from a checkpoint.
func (r *ledgerRun) begin(ctx context.Context) error {
	if err := r.conn.QueryRow(ctx, "SELECT 't_large'::regclass::oid").Scan(&r.table); err != nil {
		return fmt.Errorf("finding the table: %w", err)
	}
	if err := postgres.Execute(ctx, r.conn, "CHECKPOINT"); err != nil {
		return err
	}
	return r.weigh(ctx, "before")
}

// remove executes the way's transactions, and VACUUM between them where it has
// that.
func (r *ledgerRun) remove(ctx context.Context, gone string, rows int) error {
	target := int64(r.way.share.rows(rows))
	size := r.way.batch
	if size == 0 {
		size = int(target)
	}
	var removed int64
	for first := 1; first <= int(target); first += size {
		n, err := r.transact(ctx, r.way.sql(gone, first, min(first+size-1, int(target))))
		if err != nil {
			return err
		}
		removed += n
		if r.way.between {
			c, err := measure(ctx, r.conn, "VACUUM t_large")
			if err != nil {
				return err
			}
			r.charge(itemBetween, c)
		}
	}
	if r.way.counted && removed != target {
		return fmt.Errorf("%d rows were deleted, expected %d", removed, target)
	}
	return r.weigh(ctx, itemForeground)
}

// transact measures one transaction and weighs the disk before its commit.
func (r *ledgerRun) transact(ctx context.Context, statements []string) (int64, error) {
	t := ledgerTransaction{conn: r.conn, table: r.table}
	c, err := metered(ctx, r.conn, statements[0], func(ctx context.Context) (float64, error) {
		err := t.run(ctx, statements)
		return t.seconds, err
	})
	if err != nil {
		return 0, err
	}
	if r.way.batch == 0 {
		r.disk = append(r.disk, diskPoint{moment: "before the commit", elapsed: t.worked, files: t.files - r.empty, wal: t.position - c.from})
	}
	r.charge(itemForeground, c)
	r.locks.add(t.locks)
	return t.rows, nil
}

// read counts the rows by reading them all; count(data) has no shorter way by
// an index.
func (r *ledgerRun) read(ctx context.Context, want int64) (cost, error) {
	var got int64
	c, err := metered(ctx, r.conn, "SELECT", func(ctx context.Context) (float64, error) {
		start := time.Now()
		results, err := r.conn.PgConn().Exec(ctx, "SELECT count(data) FROM t_large").ReadAll()
		took := time.Since(start).Seconds()
		if err == nil {
			got, err = strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64)
		}
		return took, err
	})
	if err == nil && got != want {
		err = fmt.Errorf("%d rows are left, expected %d", got, want)
	}
	return c, err
}

// prove holds what is left against what must be.
func (r *ledgerRun) prove(ctx context.Context, stay survivors) (err error) {
	if r.left, err = readSurvivors(ctx, r.conn, "false"); err == nil && r.left != stay {
		err = fmt.Errorf("%d rows with the hash %s are left, expected %d with %s: the ways cannot be compared", r.left.rows, r.left.hash, stay.rows, stay.hash)
	}
	return err
}

// charge adds to an item.
func (r *ledgerRun) charge(item string, c cost) {
	had := r.costs[item]
	had.seconds, had.difference = had.seconds+c.seconds, had.difference+c.difference
	had.walRecords, had.walImages, had.walBytes = had.walRecords+c.walRecords, had.walImages+c.walImages, had.walBytes+c.walBytes
	had.dirtied, had.written = had.dirtied+c.dirtied, had.written+c.written
	r.costs[item] = had
}
