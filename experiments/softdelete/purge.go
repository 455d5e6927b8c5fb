package softdelete

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"deletecost/runner/instrument"
)

// purgeBatch is the rows of one batch by ctid, as purge_batch.sql has it.
const purgeBatch = 1000

// A purgeWay is one way of deleting the oldest soft-deleted rows for good.
type purgeWay struct {
	name    string // as in purge.csv
	file    string // of its statement and of its plan
	index   bool   // it needs an index of its own
	batches bool
}

var purgeWays = []purgeWay{
	{name: "by created_at", file: "purge_created"},
	{name: "by a partial index on deleted_at", file: "purge_deleted", index: true},
	{name: "by ctid, 1,000 rows a statement", file: "purge_batch", batches: true},
}

// A purgeLimit says which rows are to go.
type purgeLimit struct {
	created, deleted string // both cover the same rows
	rows             int64
}

// sql is the way's statement, with the limit in it.
func (l purgeLimit) sql(file string) string {
	return strings.NewReplacer("limit_created", l.created, "limit_deleted", l.deleted).Replace(statement(file, soft))
}

// statements is how often the way's statement must run.
func (l purgeLimit) statements(w purgeWay) int {
	if w.batches {
		return int((l.rows + purgeBatch - 1) / purgeBatch)
	}
	return 1
}

// A purged is what one way did on its two copies.
type purged struct {
	counted counted // under EXPLAIN
	seconds float64 // of all statements, each with its commit
	longest float64 // s: of one statement with its commit
	wal     int64   // bytes: LSN difference
	vacuum  float64 // s
	before  instrument.Sizes
	after   instrument.Sizes // after VACUUM
	index   int64            // bytes of the index of its own
	rows    int64            // survivors
	digest  string           // of the survivors
}

// purge deletes the oldest half of the soft-deleted rows in three ways, each on
// copies of the corrected arm: one to count under EXPLAIN and one to time.
func (b *bench) purge(ctx context.Context) error {
	step := b.lab.Step("purging soft-deleted rows", 2*len(purgeWays))
	defer step.Done()
	b.explainPurge()
	limit, err := b.purgeLimit(ctx)
	if err != nil {
		return err
	}
	done := make([]purged, len(purgeWays))
	for _, run := range []struct {
		suffix string
		one    func(context.Context, *pgx.Conn, purgeWay, purgeLimit, *purged) error
	}{{"counted", b.countPurge}, {"timed", b.timePurge}} {
		err := b.onPurgeCopies(ctx, run.suffix, func(i int, conn *pgx.Conn) error {
			defer step.Advance(1)
			return run.one(ctx, conn, purgeWays[i], limit, &done[i])
		})
		if err != nil {
			return err
		}
	}
	if err := b.comparePurges(limit, done); err != nil {
		return err
	}
	b.purgeFigures()
	return nil
}

// purgeLimit finds the limit that ends the oldest half of the batches, and
// proves that it covers exactly their removed rows.
func (b *bench) purgeLimit(ctx context.Context) (purgeLimit, error) {
	insert, percent := b.lab.Knob("insert"), b.lab.Knob("remove_percent")
	old := b.lab.Knob("cycles") / 2
	l := purgeLimit{rows: int64(old * (insert * percent / 100))}
	conn, err := b.connect(ctx, corrected)
	if err != nil {
		return l, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := conn.QueryRow(ctx, statement("purge_limit", soft), old*insert).Scan(&l.created, &l.deleted); err != nil {
		return l, fmt.Errorf("finding the limit of the purge: %w", err)
	}
	var created, deleted, both int64
	if err := conn.QueryRow(ctx, l.sql("purge_counts")).Scan(&created, &deleted, &both); err != nil {
		return l, fmt.Errorf("counting the rows to purge: %w", err)
	}
	if created != l.rows || deleted != l.rows || both != l.rows {
		return l, fmt.Errorf("created_at covers %d rows, deleted_at %d, both %d, expected %d: the ways would not purge the same rows", created, deleted, both, l.rows)
	}
	return l, nil
}

// onPurgeCopies makes a page-by-page copy of the corrected arm for each way and
// runs one way after another in an order drawn from the seed. The copies go with
// the server: dropping one ends in a checkpoint, after which the others would
// write full-page images. Ways never run together: what a batch still passes
// depends on which transactions are known to be over.
func (b *bench) onPurgeCopies(ctx context.Context, suffix string, run func(way int, conn *pgx.Conn) error) error {
	if err := b.copyForPurge(ctx, suffix); err != nil {
		return err
	}
	for _, i := range b.lab.Rand("purge/" + suffix).Perm(len(purgeWays)) {
		if err := b.onPurgeCopy(ctx, purgeWays[i], suffix, func(conn *pgx.Conn) error { return run(i, conn) }); err != nil {
			return fmt.Errorf("purging %s, %s: %w", purgeWays[i].name, suffix, err)
		}
	}
	return nil
}

// copyForPurge copies the corrected arm's database for each way, two at a time.
func (b *bench) copyForPurge(ctx context.Context, suffix string) error {
	together, ctx := errgroup.WithContext(ctx)
	together.SetLimit(2)
	for _, w := range purgeWays {
		together.Go(func() error {
			sql := fmt.Sprintf("CREATE DATABASE %s_%s TEMPLATE %s", w.file, suffix, corrected)
			conn, err := b.server.Connect(ctx)
			if err != nil {
				return err
			}
			defer conn.Close(context.WithoutCancel(ctx))
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("executing %q: %w", sql, err)
			}
			return nil
		})
	}
	return together.Wait()
}

func (b *bench) onPurgeCopy(ctx context.Context, w purgeWay, suffix string, run func(*pgx.Conn) error) error {
	conn, err := b.connect(ctx, w.file+"_"+suffix)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if w.index {
		if _, err := conn.Exec(ctx, statement("purge_index", soft)); err != nil {
			return fmt.Errorf("building the index: %w", err)
		}
	}
	if err := prewarm(ctx, conn); err != nil {
		return err
	}
	return run(conn)
}

// timePurge times the way with no EXPLAIN around it, then VACUUM.
func (b *bench) timePurge(ctx context.Context, conn *pgx.Conn, w purgeWay, limit purgeLimit, p *purged) (err error) {
	if p.before, err = instrument.ReadSizes(ctx, conn, soft); err != nil {
		return err
	}
	if w.index {
		if p.index, err = instrument.RelationSize(ctx, conn, "soft_delete_orders_removed_idx"); err != nil {
			return err
		}
	}
	defer b.lab.Watch("purge: " + w.name)()
	if w.batches {
		err = b.purgeInBatches(ctx, conn, limit, p)
	} else {
		err = b.purgeAtOnce(ctx, conn, limit.sql(w.file), limit.rows, p)
	}
	if err != nil {
		return err
	}
	start := time.Now()
	if err := vacuum(ctx, conn, soft, false); err != nil {
		return err
	}
	p.vacuum = time.Since(start).Seconds()
	if p.after, err = instrument.ReadSizes(ctx, conn, soft); err == nil && p.after.Dead != 0 {
		err = fmt.Errorf("VACUUM left %d dead rows, expected 0", p.after.Dead)
	}
	return err
}

// purgeAtOnce times the statement and its commit, and leaves out the digest
// between them. After an error the caller closes the session, which rolls back.
func (b *bench) purgeAtOnce(ctx context.Context, conn *pgx.Conn, sql string, rows int64, p *purged) error {
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	statement, err := timedPurge(ctx, conn, sql, rows)
	if err != nil {
		return err
	}
	if err := p.survivors(ctx, conn); err != nil {
		return err
	}
	commit, err := timedPurge(ctx, conn, "COMMIT", 0)
	if err != nil {
		return err
	}
	p.seconds, p.wal = statement.seconds+commit.seconds, statement.wal+commit.wal
	p.longest = p.seconds
	return nil
}

// purgeInBatches commits each batch; the digest has a transaction of its own
// after the last.
func (b *bench) purgeInBatches(ctx context.Context, conn *pgx.Conn, limit purgeLimit, p *purged) error {
	t := b.out.Table(purgeBatchesTable)
	sql := limit.sql("purge_batch")
	for left := limit.rows; left > 0; left -= purgeBatch {
		s, err := timedPurge(ctx, conn, sql, min(left, purgeBatch))
		if err != nil {
			return err
		}
		t.Add(len(t.Rows)+1, min(left, purgeBatch), s.seconds, s.wal)
		p.seconds, p.wal, p.longest = p.seconds+s.seconds, p.wal+s.wal, max(p.longest, s.seconds)
	}
	return p.survivors(ctx, conn)
}

// A timedStatement is one execution.
type timedStatement struct {
	seconds float64
	wal     int64 // bytes: LSN difference
}

// timedPurge times one statement, which must affect the given rows.
func timedPurge(ctx context.Context, conn *pgx.Conn, sql string, rows int64) (timedStatement, error) {
	before, err := instrument.WALPosition(ctx, conn)
	if err != nil {
		return timedStatement{}, err
	}
	start := time.Now()
	tag, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	s := timedStatement{seconds: time.Since(start).Seconds()}
	if err != nil {
		return s, err
	}
	if tag.RowsAffected() != rows {
		return s, fmt.Errorf("%d rows affected, expected %d", tag.RowsAffected(), rows)
	}
	after, err := instrument.WALPosition(ctx, conn)
	s.wal = after - before
	return s, err
}

// survivors digests every row that is left: the copies are equal page by page,
// so with created_at.
func (p *purged) survivors(ctx context.Context, conn *pgx.Conn) (err error) {
	p.rows, p.digest, err = instrument.Digest(ctx, conn, "SELECT * FROM "+soft)
	return err
}
