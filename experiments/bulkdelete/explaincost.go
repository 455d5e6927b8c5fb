package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// paceOf is how arms of a length take turns: 12 blocks where an execution takes
// 10 ms or more, and 40 below. What takes a few ms can be warmed up until it is
// steady, and the rest has 6 executions, after which a plan no longer changes.
func paceOf(took time.Duration) (blocks, warmup int) {
	switch {
	case took < 2*time.Millisecond:
		return 40, 0
	case took < 10*time.Millisecond:
		return 40, 6
	}
	return 12, 6
}

// shortest executes an arm some times and takes the shortest, so that what only
// the first time costs does not decide.
func shortest(ctx context.Context, arm runner.Arm) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range 3 {
		took, err := arm.Once(ctx)
		if err != nil {
			return 0, fmt.Errorf("trying %q: %w", arm.Name, err)
		}
		least = min(least, took)
	}
	return least, nil
}

// The forms in which the same DELETE is sent.
const (
	plainForm     = "plain"
	untimedForm   = "EXPLAIN (ANALYZE, TIMING OFF)"
	timedForm     = "EXPLAIN (ANALYZE)"
	publishedForm = "EXPLAIN (ANALYZE, BUFFERS, WAL), as the source"
)

// explainForms are the words before DELETE. BUFFERS is on by itself from 18 on.
var explainForms = []struct{ name, words string }{
	{plainForm, ""}, {againstItself(plainForm), ""},
	{untimedForm, "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, COSTS OFF) "},
	{timedForm, "EXPLAIN (ANALYZE, BUFFERS OFF, COSTS OFF) "},
	{publishedForm, "EXPLAIN (ANALYZE, BUFFERS, WAL, COSTS OFF) "},
}

var explainCostTable = runner.TableSpec{Name: "explain_cost", Title: "What EXPLAIN itself takes: the same DELETE in each form",
	Note: "Every execution deletes all rows in a transaction that is then rolled back; BEGIN and ROLLBACK are not timed, full_page_writes is off. There are 40 blocks where the plain DELETE took less than 10 ms when it was tried, and 12 where it took more. So all but the first find pages that an aborted transaction has been at, the same for every form.", Columns: armColumns("form")}

// explainCost times the same DELETE with and without EXPLAIN.
func (a *asides) explainCost(ctx context.Context) error {
	conn, err := a.on(ctx, plainServer)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows := a.lab.Knob("explain_rows")
	if err := setFullPageWrites(ctx, conn, "off"); err != nil {
		return err
	}
	if err := load(ctx, conn, "t_explain", rows, sourcePayload); err != nil {
		return err
	}
	var arms []runner.Arm
	for _, form := range explainForms {
		arms = append(arms, runner.Arm{Name: form.name, Once: func(ctx context.Context) (time.Duration, error) {
			return deleteRolledBack(ctx, conn, form.words, rows)
		}})
	}
	took, err := shortest(ctx, arms[0])
	if err != nil {
		return err
	}
	blocks, warmup := paceOf(took)
	t := a.out.Table(explainCostTable)
	if err := a.compareArms(ctx, runner.Turns{Name: "explain_cost", Arms: arms, Blocks: blocks, Warmup: warmup}, t); err != nil {
		return err
	}
	a.explainFigure()
	a.concludeExplain(t)
	return postgres.Execute(ctx, conn, "DROP TABLE t_explain")
}

// deleteRolledBack times one DELETE of all rows and undoes it.
func deleteRolledBack(ctx context.Context, conn *pgx.Conn, words string, rows int) (time.Duration, error) {
	ctx = context.WithoutCancel(ctx)
	if err := postgres.Execute(ctx, conn, "BEGIN"); err != nil {
		return 0, err
	}
	start := time.Now()
	results, err := conn.PgConn().Exec(ctx, words+"DELETE FROM t_explain").ReadAll()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("executing %q: %w", words+"DELETE", err)
	}
	deleted := results[0].CommandTag.RowsAffected()
	if words != "" {
		if deleted, err = explainedRows(results[0].Rows); err != nil {
			return 0, err
		}
	}
	if deleted != int64(rows) {
		return 0, fmt.Errorf("executing %q: %d rows deleted, expected %d", words+"DELETE", deleted, rows)
	}
	return took, postgres.Execute(ctx, conn, "ROLLBACK")
}

// actualRows is what the scan below a DELETE found; 18 prints a fraction.
var actualRows = regexp.MustCompile(`-> +Seq Scan on t_explain \(actual (?:time=\S+ )?rows=(\d+)(?:\.\d+)? loops=1\)`)

// explainedRows reads from a plan how many rows were deleted.
func explainedRows(plan [][][]byte) (int64, error) {
	for _, line := range plan {
		if found := actualRows.FindSubmatch(line[0]); found != nil {
			return strconv.ParseInt(string(found[1]), 10, 64)
		}
	}
	return 0, errors.New("reading a plan: it has no sequential scan that ran once")
}
