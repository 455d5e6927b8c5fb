package treedelete

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// The two tables, and what one batch of source s1 is.
const (
	curveSoftTable = "soft_orders"
	curveHardTable = "hard_orders"
	curveBatch     = 5000 // rows
	curveRemoved   = 4900 // rows of them, 98 %
)

// loadCurve makes both tables: batches are inserted, most of each is removed
// again at random, and VACUUM runs, as in the source.
func (b *bench) loadCurve(ctx context.Context) error {
	batches := b.lab.Knob("curve_batches")
	step := b.lab.Setup("load " + curveSchema.schema)
	defer step.Done()
	conn, err := b.newSchema(ctx, curveSchema.schema)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	// The victims are then looked up one by one in random order, as in the source:
	// each removed row of the soft table comes to lie on another page.
	sql := []string{"SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET enable_seqscan = off", "SET synchronous_commit = off", statement("curve_schema")}
	for batch := range batches {
		for _, table := range []string{curveHardTable, curveSoftTable} {
			sql = append(sql, b.curveBatch(batch, table)...)
		}
	}
	for _, s := range append(sql, "ANALYZE "+curveHardTable, "ANALYZE "+curveSoftTable) {
		if _, err := conn.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("loading schema %q with %q: %w", curveSchema.schema, gist(s), err)
		}
	}
	return b.sameActive(ctx, conn, batches)
}

// curveBatch is the statements of one batch of a table.
func (b *bench) curveBatch(batch int, table string) []string {
	words := []string{":table", table, ":seed", strconv.FormatInt(int64(b.lab.Seed), 10), ":remove", strconv.Itoa(curveRemoved),
		":first", strconv.Itoa(batch*curveBatch + 1), ":last", strconv.Itoa((batch + 1) * curveBatch)}
	remove := "curve_remove_hard"
	if table == curveSoftTable {
		remove = "curve_remove_soft"
	}
	return []string{statement("curve_insert", words...), statement(remove, ":victims", statement("curve_victims", words...)), "VACUUM " + table}
}

var curveSurvivorsTable = runner.TableSpec{Name: "soft_curve_survivors", Title: "Active rows of the tables of source s1",
	Note:    "The digest is over every column of every active row.",
	Columns: []runner.Column{{Name: "table_name", Text: true}, {Name: "active_rows", Unit: "rows"}, {Name: "all_rows", Unit: "rows"}, {Name: "digest", Text: true}}}

// sameActive proves that both tables have the same active rows, as many as they
// should.
func (b *bench) sameActive(ctx context.Context, conn *pgx.Conn, batches int) error {
	t := b.out.Table(curveSurvivorsTable)
	digests := map[string]bool{}
	for _, table := range []string{curveSoftTable, curveHardTable} {
		rows, digest, err := instrument.Digest(ctx, conn, statement("curve_survivors", ":table", table))
		if err != nil {
			return err
		}
		var all int64
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&all); err != nil {
			return fmt.Errorf("counting the rows of %q: %w", table, err)
		}
		t.Add(table, rows, all, digest)
		digests[digest] = true
		if want := int64(batches * (curveBatch - curveRemoved)); rows != want {
			return fmt.Errorf("%s holds %d active rows, not %d: it is not what the source had", table, rows, want)
		}
	}
	if len(digests) != 1 {
		return fmt.Errorf("%s and %s hold different active rows (soft_curve_survivors.csv): they cannot be compared", curveSoftTable, curveHardTable)
	}
	return nil
}

var curvePlansTable = runner.TableSpec{Name: "soft_curve_plans", Title: "Plans of the query for active rows",
	Note: "Rows and buffers are exact; the second of two executions, from shared buffers. No delay changes them. The session has enable_sort off: with few batches the planner would sort the hard table instead, which at the source's size it does not.",
	Columns: []runner.Column{{Name: "table_name", Text: true}, {Name: "plan_nodes", Text: true}, {Name: "index_used", Text: true},
		{Name: "rows_removed_by_filter", Unit: "rows"}, {Name: "shared_hit", Unit: "buffers"}, {Name: "shared_read", Unit: "buffers"}}}

// explain shows both plans, which must read the index on created_at.
func (c *curveRun) explain(ctx context.Context) error {
	t := c.out.Table(curvePlansTable)
	for _, table := range []string{curveSoftTable, curveHardTable} {
		sql := statement("curve_active", ":table", table)
		e, err := instrument.Explain(ctx, c.session.conn, sql)
		if err != nil {
			return err
		}
		again, err := e.Again(ctx, c.session.conn)
		if err != nil {
			return err
		}
		if e.Nodes() != "Limit > Index Scan" || e.Scan().Index != table+"_created_at_idx" {
			return fmt.Errorf("the plan on %s is %s on %q, not an Index Scan on created_at, which the source timed", table, e.Nodes(), e.Scan().Index)
		}
		if e.RowsRemoved() != again.RowsRemoved() || e.Root.SharedHit+e.Root.SharedRead != again.Root.SharedHit+again.Root.SharedRead {
			c.out.Warn("%s: repeats differ: %d and %d rows removed, %d and %d buffers", table, e.RowsRemoved(), again.RowsRemoved(),
				e.Root.SharedHit+e.Root.SharedRead, again.Root.SharedHit+again.Root.SharedRead)
		}
		row := t.Add(table, again.Nodes(), again.Scan().Index, again.RowsRemoved(), again.Root.SharedHit, again.Root.SharedRead)
		if table == curveSoftTable {
			c.removed = t.Ref(row, "rows_removed_by_filter")
		}
		c.out.Plan(runner.Plan{Name: "explain_curve_" + table, Title: "active rows, " + table, SQL: sql, Text: e.Text})
	}
	return nil
}
