package softdelete

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// A question is one query to explain, and the file that keeps its plan.
type question struct {
	file, table, query, title string
}

// before and after are the plans that the source kept, by the names it gave.
var (
	before = []question{
		{"explain_pk_lookup_hard", hard, "pk_lookup", "primary key lookup, hard delete"},
		{"explain_active_rows_hard", hard, "active_rows", "active rows, hard delete"},
		{"explain_pk_lookup_soft", soft, "pk_lookup", "primary key lookup, soft delete"},
		{"explain_active_rows_soft", soft, "active_rows", "active rows, soft delete"},
		{"explain_active_rows_soft_before_partial", soft, "active_rows", "active rows, soft delete, just before the partial index"},
	}
	after = []question{
		{"explain_active_rows_soft_partial", soft, "active_rows", "active rows, soft delete, with the partial index"},
	}
)

// plans explains each query on the arm as published, builds the partial index
// and explains again.
func (b *bench) plans(ctx context.Context) error {
	step := b.lab.Step("plans and the partial index", 0)
	defer step.Done()
	conn, err := b.connect(ctx, asPublished)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var id int64
	if err := conn.QueryRow(ctx, "SELECT min(id) FROM "+soft+" WHERE deleted_at IS NULL AND id IN (SELECT id FROM "+hard+")").Scan(&id); err != nil {
		return fmt.Errorf("choosing a row that both tables hold: %w", err)
	}
	b.explained = map[string]instrument.Explained{}
	summary := b.out.Table(explainTable)
	for _, q := range before {
		if err := b.explain(ctx, conn, q, id, summary); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, statement("partial_index", "")); err != nil {
		return fmt.Errorf("building the partial index: %w", err)
	}
	for _, q := range after {
		if err := b.explain(ctx, conn, q, id, summary); err != nil {
			return err
		}
	}
	b.checkShape()
	if err := b.fix(ctx, conn); err != nil {
		return err
	}
	b.fixFindings()
	b.planFindings()
	return nil
}

// checkShape writes down whether the filter goes away with the partial index.
func (b *bench) checkShape() {
	full, partial := b.explained["explain_active_rows_soft_before_partial"], b.explained["explain_active_rows_soft_partial"]
	const want = "Limit > Index Scan"
	holds := full.Nodes() == want && full.Scan().Filter != "" && partial.Nodes() == want && partial.Scan().Filter == "" &&
		full.Scan().Index != partial.Scan().Index
	t := b.out.Table(runner.TableSpec{Name: "plan_checks", Title: "What the partial index changes in the plan",
		Columns: []runner.Column{{Name: "check", Text: true}, {Name: "holds", Text: true}}})
	b.at.checks["plan shape"] = t.Ref(t.Add("Index Scan with Filter on the full index becomes Index Scan without Filter on the partial one", holds), "holds")
}

var explainTable = runner.TableSpec{Name: "explain_summary", Title: "Plans, arm as published",
	Note: "Times are the median of all executions under EXPLAIN (ANALYZE, BUFFERS) with their range; the text in the file is one more execution. Rows and buffers are exact and were the same in every execution unless a warning says otherwise.",
	Columns: []runner.Column{
		{Name: "table_name", Text: true}, {Name: "query_type", Text: true}, {Name: "file", Text: true},
		{Name: "plan_top_line", Text: true}, {Name: "plan_nodes", Text: true, Meaning: "node types from the root down"},
		{Name: "index_used", Text: true},
		{Name: "execution_time_s", Unit: "s", Meaning: "median"}, {Name: "execution_low_s", Unit: "s"}, {Name: "execution_high_s", Unit: "s"},
		{Name: "rows_removed_by_filter", Unit: "rows"},
		{Name: "shared_hit_blocks", Unit: "buffers"}, {Name: "shared_read_blocks", Unit: "buffers"},
		{Name: "hit_beyond_removed", Unit: "buffers", Meaning: "shared hit less rows removed: what is left when each removed row costs one heap page"},
		{Name: "executions"},
	}}

// explain executes a query until its figures are warm, then as often as the
// knob says, and keeps the plan's text.
func (b *bench) explain(ctx context.Context, conn *pgx.Conn, q question, id int64, summary *runner.Table) error {
	sql := strings.ReplaceAll(statement(q.query, q.table), "$1", fmt.Sprint(id))
	if _, err := instrument.Explain(ctx, conn, sql); err != nil { // reads every page into shared buffers
		return err
	}
	defer b.lab.Watch(q.file)()
	first, err := instrument.Explain(ctx, conn, sql)
	if err != nil {
		return err
	}
	seconds := []float64{first.Execution}
	for range b.lab.Knob("explains") - 1 {
		next, err := first.Again(ctx, conn)
		if err != nil {
			return err
		}
		if next.RowsRemoved() != first.RowsRemoved() || next.Root.SharedHit != first.Root.SharedHit {
			b.out.Warn("%s: repeats differ: %d and %d rows removed, %d and %d buffers hit", q.file,
				first.RowsRemoved(), next.RowsRemoved(), first.Root.SharedHit, next.Root.SharedHit)
		}
		if next.Nodes() != first.Nodes() {
			b.out.Warn("%s: repeats differ: the plan is %s and %s", q.file, first.Nodes(), next.Nodes())
		}
		seconds = append(seconds, next.Execution)
	}
	took := stat.Extremes(seconds)
	row := summary.Add(q.table, q.query, q.file+".txt", first.TopLine(), first.Nodes(), first.Scan().Index,
		took.Median, took.Low, took.High, first.RowsRemoved(), first.Root.SharedHit, first.Root.SharedRead,
		first.Root.SharedHit-first.RowsRemoved(), len(seconds))
	at := cells(summary, row, "rows_removed_by_filter", "shared_hit_blocks", "hit_beyond_removed", "plan_nodes", "index_used")
	at["execution_time_s"] = summary.RefRange(row, "execution_time_s", "execution_low_s", "execution_high_s")
	b.at.explain[q.file], b.explained[q.file] = at, first
	b.out.Plan(runner.Plan{Name: q.file, Title: q.title, SQL: sql, Text: first.Text})
	return nil
}
