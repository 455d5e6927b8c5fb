package retention

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

var refusalsTable = runner.TableSpec{Name: "refusals", Title: "What refuses to be detached, and how",
	Note:    "On tables of a few rows. The answer is the server's own.",
	Columns: []runner.Column{{Name: "what", Text: true}, {Name: "statement", Text: true}, {Name: "refused", Text: true}, {Name: "sqlstate", Text: true}, {Name: "answer", Text: true}}}

// A refusal is something that a statement meets. What it needs is made in a
// schema of its own, which goes when it has answered.
type refusal struct {
	what  string
	needs []string
	asked string // one statement, outside of a transaction unless it begins one
}

// refusalTable is a partitioned table with one month, for all of them.
const refusalTable = `CREATE TABLE refusing.log (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE refusing.log_march PARTITION OF refusing.log FOR VALUES FROM ('2001-03-01') TO ('2001-04-01');
INSERT INTO refusing.log VALUES (1, '2001-03-05')`

const (
	detachConcurrently = "ALTER TABLE refusing.log DETACH PARTITION refusing.log_march CONCURRENTLY"
	detachPlain        = "ALTER TABLE refusing.log DETACH PARTITION refusing.log_march"
	defaultPartition   = "CREATE TABLE refusing.log_rest PARTITION OF refusing.log DEFAULT"
	reference          = "CREATE TABLE refusing.note (log_id int, log_at date, FOREIGN KEY (log_id, log_at) REFERENCES refusing.log)"
	referencingRow     = "INSERT INTO refusing.note VALUES (1, '2001-03-05')"
)

var refusals = []refusal{
	{"a default partition", []string{defaultPartition}, detachConcurrently},
	{"a default partition, plain", []string{defaultPartition}, detachPlain},
	{"a foreign key with a row that references the month", []string{reference, referencingRow}, detachConcurrently},
	{"the same, plain", []string{reference, referencingRow}, detachPlain},
	{"a foreign key without such a row", []string{reference}, detachConcurrently},
	{"inside a transaction", nil, "BEGIN; " + detachConcurrently},
	{"the same reference, DROP of the attached partition", []string{reference, referencingRow}, "DROP TABLE refusing.log_march"},
}

// refusals asks for each of them.
func (b *bench) refusals(ctx context.Context) error {
	t := b.out.Table(refusalsTable)
	for _, r := range refusals {
		if err := b.refuse(ctx, t, r); err != nil {
			return fmt.Errorf("asking with %s: %w", r.what, err)
		}
	}
	b.concludeRefusals(t)
	return nil
}

// concludeRefusals says what the server answered to the first and the third.
func (b *bench) concludeRefusals(t *runner.Table) {
	var refs []runner.Ref
	answer := func(row int) string {
		if t.Text(row, "refused") != "yes" {
			return "is accepted"
		}
		refs = append(refs, t.Ref(row, "sqlstate"))
		return "is refused ({})"
	}
	text := "DETACH CONCURRENTLY beside a default partition " + answer(0) + "; while rows reference the month it " + answer(2) + "."
	b.out.Conclude(runner.Say(text, refs...))
}

// refuse makes what is needed, asks, and takes down the answer.
func (b *bench) refuse(ctx context.Context, t *runner.Table, r refusal) error {
	if err := postgres.Execute(ctx, b.conn, append([]string{"CREATE SCHEMA refusing", refusalTable}, r.needs...)...); err != nil {
		return err
	}
	answer := b.session(ctx, func(conn *pgx.Conn) error { return ask(ctx, conn, r.asked) })
	said, isAnswer := errors.AsType[*pgconn.PgError](answer)
	switch {
	case answer == nil:
		t.Add(r.what, r.asked, false, runner.NA{Reason: "the statement was accepted"}, "accepted")
	case isAnswer:
		t.Add(r.what, r.asked, true, "SQLSTATE "+said.Code, said.Message)
	default:
		return answer
	}
	return postgres.Execute(ctx, b.conn, "DROP SCHEMA refusing CASCADE")
}

// ask runs a statement by itself: two of them in one message would be in a
// transaction.
func ask(ctx context.Context, conn *pgx.Conn, sql string) error {
	if rest, ok := strings.CutPrefix(sql, "BEGIN; "); ok {
		return errors.Join(postgres.Execute(ctx, conn, "BEGIN"), postgres.Execute(ctx, conn, rest))
	}
	return postgres.Execute(ctx, conn, sql)
}
