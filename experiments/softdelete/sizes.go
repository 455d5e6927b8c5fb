package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// mainArms are the two whose end state is compared in full.
var mainArms = []string{asPublished, corrected}

// sizes compares what churn left behind.
func (b *bench) sizes(ctx context.Context) error {
	ratios := b.out.Table(runner.TableSpec{Name: "size_ratios", Title: "Soft over hard after the last cycle",
		Note: "In the arm as published the two tables do not hold the same active rows (see survivors.csv), so its ratios compare unlike things; they are shown because the source published them.",
		Columns: []runner.Column{
			{Name: "arm", Text: true}, {Name: "measure", Text: true, Meaning: "what is compared"},
			{Name: "soft", Unit: "bytes", Meaning: "soft_delete_orders"}, {Name: "hard", Unit: "bytes", Meaning: "hard_delete_orders"},
			{Name: "ratio", Unit: "x", Meaning: "soft over hard"}}})
	live := b.out.Table(runner.TableSpec{Name: "live_rows", Title: "Live rows after the last cycle, as the statistics say",
		Note: "A soft-deleted row is a live row to PostgreSQL.",
		Columns: []runner.Column{{Name: "arm", Text: true},
			{Name: "soft", Unit: "rows", Meaning: "n_live_tup of soft_delete_orders"}, {Name: "hard", Unit: "rows", Meaning: "n_live_tup of hard_delete_orders"},
			{Name: "ratio", Unit: "x", Meaning: "soft over hard"}}})
	b.survivors = b.out.Table(runner.TableSpec{Name: "survivors", Title: "Active rows after the last cycle",
		Note: "The digest is SHA-256 over all active rows without created_at. Equal digests: both tables hold the same active rows.",
		Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "table_name", Text: true},
			{Name: "active_rows", Unit: "rows", Meaning: "rows that are not removed"}, {Name: "digest", Text: true}}})
	health := b.out.Table(runner.TableSpec{Name: "index_health", Title: "The indexes on created_at as pgstatindex sees them",
		Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "index", Text: true},
			{Name: "index_bytes", Unit: "bytes"}, {Name: "leaf_pages", Unit: "pages"}, {Name: "deleted_pages", Unit: "pages"},
			{Name: "avg_leaf_density", Unit: "%", Meaning: "mean fill of leaf pages"},
			{Name: "leaf_fragmentation", Unit: "%", Meaning: "leaf pages that are not in physical order"}}})
	for _, name := range mainArms {
		if err := b.endState(ctx, name, endTables{ratios, live, health}); err != nil {
			return err
		}
	}
	if err := b.updates(ctx); err != nil {
		return err
	}
	b.repeats()
	b.sizeFindings()
	b.concludeSizes()
	return nil
}

type endTables struct{ ratios, live, health *runner.Table }

func (b *bench) endState(ctx context.Context, name string, to endTables) error {
	conn, err := b.connect(ctx, name)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	digests, err := activeRows(ctx, conn, name, b.survivors)
	if err != nil {
		return err
	}
	if name == corrected && digests[hard] != digests[soft] {
		return fmt.Errorf("the corrected arm's tables hold different active rows (digests %s and %s): no ratio compares the same thing", digests[hard], digests[soft])
	}
	if err := b.compareSizes(ctx, conn, name, to); err != nil {
		return err
	}
	for _, table := range []string{hard, soft} {
		h, err := instrument.ReadIndexHealth(ctx, conn, table+"_created_at_idx")
		if err != nil {
			return err
		}
		row := to.health.Add(name, table+"_created_at_idx", h.Bytes, h.LeafPages, h.DeletedPages, h.LeafDensity, h.Fragmentation)
		b.at.health[name+"/"+table] = cells(to.health, row, "index_bytes", "avg_leaf_density", "leaf_fragmentation")
	}
	return nil
}

// activeRows takes the digest of both tables in one snapshot.
func activeRows(ctx context.Context, conn *pgx.Conn, name string, survivors *runner.Table) (map[string]string, error) {
	digests := map[string]string{}
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(pgx.Tx) error {
		for _, table := range []string{hard, soft} {
			rows, digest, err := instrument.Digest(ctx, conn, statement("survivors", table))
			if err != nil {
				return err
			}
			survivors.Add(name, table, rows, digest)
			digests[table] = digest
		}
		return nil
	})
	return digests, err
}

func (b *bench) compareSizes(ctx context.Context, conn *pgx.Conn, name string, to endTables) error {
	s, err := instrument.ReadSizes(ctx, conn, soft)
	if err != nil {
		return err
	}
	h, err := instrument.ReadSizes(ctx, conn, hard)
	if err != nil {
		return err
	}
	b.at.sizes[name], b.at.soft[name], b.at.hard[name] = map[string]runner.Ref{}, map[string]runner.Ref{}, map[string]runner.Ref{}
	note := func(t *runner.Table, measure string, row int) {
		b.at.sizes[name][measure] = t.Ref(row, "ratio")
		b.at.soft[name][measure] = t.Ref(row, "soft")
		b.at.hard[name][measure] = t.Ref(row, "hard")
	}
	for _, m := range []struct {
		name       string
		soft, hard int64
	}{{"heap", s.Heap, h.Heap}, {"total", s.Total, h.Total}, {"primary key", s.PK, h.PK}, {"index on created_at", s.Secondary, h.Secondary}} {
		note(to.ratios, m.name, to.ratios.Add(name, m.name, m.soft, m.hard, float64(m.soft)/float64(m.hard)))
	}
	note(to.live, "live rows", to.live.Add(name, s.Live, h.Live, float64(s.Live)/float64(h.Live)))
	return nil
}

// cells points at several columns of a row.
func cells(t *runner.Table, row int, columns ...string) map[string]runner.Ref {
	all := map[string]runner.Ref{}
	for _, c := range columns {
		all[c] = t.Ref(row, c)
	}
	return all
}
