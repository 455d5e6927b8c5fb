package treedelete

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

var plansTable = runner.TableSpec{Name: "plans", Title: "Plans and buffers of the two forms",
	Note: "EXPLAIN counts what the statement itself does; the checks of foreign keys run in triggers and are in no number of its plan but the triggers' time. pg_stat_statements counts both. A DO block has no plan, and neither have the statements in it, as far as EXPLAIN can tell.",
	Columns: []runner.Column{
		{Name: "form", Text: true}, {Name: "plan", Text: true, Meaning: "node types from the root"},
		{Name: "explain_buffers", Unit: "buffers", Meaning: "hit and read, as EXPLAIN counts"},
		{Name: "all_buffers", Unit: "buffers", Meaning: "with triggers, as pg_stat_statements counts"},
		{Name: "trigger_s", Unit: "s", Meaning: "time of triggers under EXPLAIN"}, {Name: "trigger_calls"}}}

// explainSet keeps the plans of the three set-based statements on the document
// under test.
func (b *bench) explainSet(ctx context.Context, s *session) error {
	t := s.forest.tree(b.lab.Knob("blocks"))
	counted, err := b.count(ctx, wayNamed(setSimple), s.forest, t, "auto")
	if err != nil {
		return err
	}
	var literal []string
	for _, file := range setFiles {
		literal = append(literal, statementWith(file, t.document))
	}
	explained, err := s.explain(ctx, literal...)
	if err != nil {
		return err
	}
	b.planRows = b.out.Table(plansTable)
	var plans, texts []string
	var buffers int64
	var calls float64
	for i, x := range explained {
		plans, texts = append(plans, x.Nodes()), append(texts, x.SQL+"\n"+x.Text)
		buffers += x.Root.SharedHit + x.Root.SharedRead
		calls += triggerCalls(x)
		row := b.planRows.Add("set-based, "+[]string{"attributes", "blocks", "document"}[i], x.Nodes(), x.Root.SharedHit+x.Root.SharedRead,
			runner.NA{Reason: "counted for the three statements together"}, x.TriggerTime(), triggerCalls(x))
		if i == 0 {
			b.joinPlan = b.planRows.Ref(row, "plan")
		}
	}
	b.setPlan = b.planRows.Add("set-based, all three", strings.Join(plans, " | "), buffers, counted.buffers, sumTriggers(explained), calls)
	b.out.Plan(runner.Plan{Name: "explain_set_based", Title: fmt.Sprintf("The three set-based statements on %d blocks", t.blocks), SQL: strings.Join(literal, ";\n"), Text: strings.Join(texts, "\n")})
	return nil
}

func triggerCalls(x instrument.Explained) float64 {
	var n float64
	for _, t := range x.Triggers {
		n += t.Calls
	}
	return n
}

// explain executes statements in one transaction under EXPLAIN, each for its
// text and again, after a savepoint, for its numbers, and rolls back.
func (s *session) explain(ctx context.Context, statements ...string) (all []instrument.Explained, err error) {
	if _, err := s.simple(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	for _, sql := range statements {
		var x instrument.Explained
		if x, err = s.explainOne(ctx, sql); err != nil {
			break
		}
		all = append(all, x)
	}
	_, undone := s.simple(ctx, "ROLLBACK")
	return all, errors.Join(err, undone)
}

// executing is the statement that executes a prepared one.
func executing(file string, args ...string) string {
	return fmt.Sprintf("EXECUTE %s(%s)", file, strings.Join(args, ", "))
}

// explainOne executes a statement twice from the same state.
func (s *session) explainOne(ctx context.Context, sql string) (instrument.Explained, error) {
	var text []string
	if _, err := s.simple(ctx, "SAVEPOINT before"); err != nil {
		return instrument.Explained{}, err
	}
	rows, err := s.conn.Query(ctx, "EXPLAIN (ANALYZE, BUFFERS, WAL) "+sql, pgx.QueryExecModeSimpleProtocol)
	if err == nil {
		text, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return instrument.Explained{}, fmt.Errorf("explaining %q: %w", gist(sql), err)
	}
	if _, err := s.simple(ctx, "ROLLBACK TO SAVEPOINT before"); err != nil {
		return instrument.Explained{}, err
	}
	x, err := instrument.ExplainDelete(ctx, s.conn, sql)
	x.Text = strings.Join(text, "\n") + "\n"
	return x, err
}

// syntaxError is what EXPLAIN answers to a DO block.
const syntaxError = "42601"

// noPlan asks for the plan of the loop, which must be refused.
func (b *bench) noPlan(ctx context.Context, s *session) error {
	text := "EXPLAIN " + statement("loop_static", ":document", strconv.Itoa(1))
	_, err := s.simple(ctx, text)
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || refused.Code != syntaxError {
		return fmt.Errorf("EXPLAIN of a DO block: want a syntax error, got %v", err)
	}
	b.refusal = fmt.Sprintf("%s (SQLSTATE %s)", refused.Message, refused.Code)
	none := runner.NA{Reason: "EXPLAIN refuses a DO block: " + b.refusal}
	b.loopPlan = b.planRows.Add("row by row, PL/pgSQL", none, none, none, none, none)
	return nil
}
