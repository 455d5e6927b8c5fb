package softdelete

import (
	"context"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

var driftTable = runner.TableSpec{Name: "drift", Title: "VACUUM without ANALYZE at 80 % removed, cycle by cycle",
	Note: "What the planner believes of each table, and the plan that it makes of the query for active rows.",
	Columns: []runner.Column{{Name: "cycle", Meaning: "number of the cycle, from 1"}, word("table_name", ""),
		{Name: "reltuples", Unit: "rows", Meaning: "the planner's count of rows"}, {Name: "rows", Unit: "rows", Meaning: "counted"},
		{Name: "estimated_active", Unit: "rows", Meaning: "the planner's estimate for the scan"}, word("plan_nodes", "")}}

// noteDrift adds what the planner believes after a cycle.
func noteDrift(ctx context.Context, conn *pgx.Conn, table string, cycle int, t *runner.Table) error {
	reltuples, err := instrument.ReltuplesOf(ctx, conn, table)
	if err != nil {
		return err
	}
	var rows int64
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&rows); err != nil {
		return err
	}
	e, err := instrument.Estimate(ctx, conn, statement("active_rows", table))
	if err != nil {
		return err
	}
	t.Add(cycle+1, table, reltuples, rows, e.Scan().PlanRows, e.Nodes())
	return nil
}
