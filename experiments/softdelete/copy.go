package softdelete

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// copyWithPartial copies the corrected arm's database page by page and builds
// the partial index in the copy only, so that the full index and the partial
// one are timed on the same heap in turns.
func (b *bench) copyWithPartial(ctx context.Context) error {
	step := b.lab.Setup("copy of the corrected arm with the partial index")
	defer step.Done()
	conn, err := b.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+withPartial+" TEMPLATE "+corrected); err != nil {
		return fmt.Errorf("copying database %q: %w", corrected, err)
	}
	there, err := b.connect(ctx, withPartial)
	if err != nil {
		return err
	}
	defer there.Close(ctx)
	if err := b.checkCopy(ctx, there); err != nil {
		return err
	}
	if _, err := there.Exec(ctx, statement("partial_index", "")); err != nil {
		return fmt.Errorf("building the partial index: %w", err)
	}
	if _, err := conn.Exec(ctx, "CHECKPOINT"); err != nil {
		return fmt.Errorf("writing a checkpoint before timing: %w", err)
	}
	return nil
}

// checkCopy holds the copy's active rows against those of the corrected arm.
func (b *bench) checkCopy(ctx context.Context, there *pgx.Conn) error {
	digests, err := activeRows(ctx, there, withPartial, b.survivors)
	if err != nil {
		return err
	}
	for _, table := range []string{hard, soft} {
		if _, ok := b.survivors.Find(map[string]string{"arm": corrected, "table_name": table, "digest": digests[table]}); !ok {
			return fmt.Errorf("the copy of %s has the digest %s and the corrected arm another: they cannot be compared", table, digests[table])
		}
	}
	return nil
}

// prewarm reads both tables and their indexes into shared buffers.
func prewarm(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT pg_prewarm(indrelid::regclass) FROM pg_index WHERE indrelid IN ($1::regclass, $2::regclass) AND indisprimary", hard, soft)
	if err == nil {
		_, err = conn.Exec(ctx, "SELECT pg_prewarm(indexrelid::regclass) FROM pg_index WHERE indrelid IN ($1::regclass, $2::regclass)", hard, soft)
	}
	if err != nil {
		return fmt.Errorf("reading the tables into shared buffers: %w", err)
	}
	return nil
}

var timedPlansTable = runner.TableSpec{Name: "timed_plans", Title: "Plans of the timed readings",
	Columns: []runner.Column{{Name: "reading", Text: true}, {Name: "database", Text: true}, {Name: "plan_nodes", Text: true}, {Name: "index_used", Text: true},
		{Name: "index_bytes", Unit: "bytes"}, {Name: "rows_removed_by_filter", Unit: "rows"}, {Name: "shared_hit_blocks", Unit: "buffers"}}}

// explainReadings proves that each reading will use the index that it is
// there for.
func (b *bench) explainReadings(ctx context.Context, conns map[string]*pgx.Conn, t *runner.Table) error {
	var id string
	if err := conns[corrected].QueryRow(ctx, "SELECT min(id)::text FROM "+hard).Scan(&id); err != nil {
		return fmt.Errorf("choosing a row to look up: %w", err)
	}
	for _, r := range readings {
		sql := strings.ReplaceAll(statement(r.query, r.table), "$1", id)
		e, err := instrument.Explain(ctx, conns[r.database], sql)
		if err != nil {
			return err
		}
		used, size := e.Scan().Index, int64(0)
		if b.out.AsPublished() && used != r.index {
			return fmt.Errorf("reading %q uses %q and not %q: %s", r.name, used, r.index, e.Nodes())
		}
		if used != "" {
			if size, err = instrument.RelationSize(ctx, conns[r.database], used); err != nil {
				return err
			}
		}
		row := t.Add(r.name, r.database, e.Nodes(), used, size, e.RowsRemoved(), e.Root.SharedHit)
		b.at.timed[r.name] = cells(t, row, "index_used", "index_bytes", "rows_removed_by_filter", "shared_hit_blocks")
	}
	return nil
}
