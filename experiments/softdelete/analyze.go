package softdelete

import (
	"context"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// missingAnalyze shows the source's first run: VACUUM without ANALYZE leaves
// the planner without a figure for deleted_at IS NULL. It ends with ANALYZE
// and shows what that changes.
func (b *bench) missingAnalyze(ctx context.Context) error {
	step := b.lab.Step("VACUUM without ANALYZE", 0)
	defer step.Done()
	conn, err := b.connect(ctx, notAnalyzed)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	t := b.out.Table(runner.TableSpec{Name: "missing_analyze", Title: "Active rows at 80 % removed, before and after the first ANALYZE",
		Note: "Execution times are the median of all executions under EXPLAIN with their range.",
		Columns: []runner.Column{{Name: "statistics", Text: true}, {Name: "table_name", Text: true}, {Name: "plan_nodes", Text: true},
			{Name: "reltuples", Unit: "rows", Meaning: "the planner's count of rows"}, {Name: "estimated_active", Unit: "rows", Meaning: "the planner's estimate for the scan"},
			{Name: "execution_time_s", Unit: "s"}, {Name: "execution_low_s", Unit: "s"}, {Name: "execution_high_s", Unit: "s"}}})
	nodes, times := map[string]string{}, map[string]stat.Spread{}
	for _, statistics := range []string{"none", "after ANALYZE"} {
		for _, table := range []string{hard, soft} {
			if statistics != "none" {
				if _, err := conn.Exec(ctx, "ANALYZE "+table); err != nil {
					return err
				}
			}
			if nodes[statistics+table], times[statistics+table], err = b.explainActive(ctx, conn, table, statistics, t); err != nil {
				return err
			}
		}
	}
	b.judgeMissingAnalyze(nodes, times)
	return nil
}

func (b *bench) explainActive(ctx context.Context, conn *pgx.Conn, table, statistics string, t *runner.Table) (string, stat.Spread, error) {
	sql := statement("active_rows", table)
	e, err := instrument.Explain(ctx, conn, sql)
	if err != nil {
		return "", stat.Spread{}, err
	}
	if statistics == "none" {
		name := map[string]string{hard: "explain_active_rows_hard_not_analyzed", soft: "explain_active_rows_soft_not_analyzed"}[table]
		b.out.Plan(runner.Plan{Name: name, Title: "active rows at 80 % removed, VACUUM without ANALYZE, " + table, SQL: sql, Text: e.Text})
	}
	var seconds []float64
	defer b.lab.Watch("without ANALYZE: " + table + ", statistics " + statistics)()
	for range max(5, b.lab.Knob("explains")) {
		nodes := e.Nodes()
		if e, err = e.Again(ctx, conn); err != nil {
			return "", stat.Spread{}, err
		}
		if e.Nodes() != nodes {
			b.out.Warn("%s, statistics %s: repeats differ: the plan is %s and %s", table, statistics, nodes, e.Nodes())
		}
		seconds = append(seconds, e.Execution)
	}
	spread, err := stat.Repeats(seconds)
	if err != nil {
		return "", spread, err
	}
	reltuples, err := instrument.ReltuplesOf(ctx, conn, table)
	if err != nil {
		return "", spread, err
	}
	t.Add(statistics, table, e.Nodes(), reltuples, e.Scan().PlanRows, spread.Median, spread.Low, spread.High)
	return e.Nodes(), spread, nil
}

// judgeMissingAnalyze writes down what the claim asks for.
func (b *bench) judgeMissingAnalyze(nodes map[string]string, times map[string]stat.Spread) {
	t := b.out.Table(runner.TableSpec{Name: "missing_analyze_checks", Title: "What the missing ANALYZE changes",
		Note:    "Medians of all executions under EXPLAIN, their ranges in missing_analyze.csv. The tables did not take turns and neither ran against itself: there is no floor, and the check asks that the ranges do not overlap.",
		Columns: []runner.Column{{Name: "check", Text: true}, {Name: "holds", Text: true}, {Name: "ratio", Unit: "x", Meaning: "median execution time of hard over soft"}}})
	of := func(statistics string) float64 { return times[statistics+hard].Median / times[statistics+soft].Median }
	holds := nodes["none"+hard] == "Limit > Sort > Seq Scan" && nodes["none"+soft] == "Limit > Index Scan" &&
		times["none"+hard].Low > times["none"+soft].High
	row := t.Add("without ANALYZE hard gets Seq Scan + Sort, soft an Index Scan, and every hard time is above every soft time", holds, of("none"))
	b.at.checks["missing analyze"] = t.Ref(row, "holds")
	without := t.Ref(row, "ratio")
	row = t.Add("after ANALYZE both get an Index Scan", nodes["after ANALYZE"+hard] == "Limit > Index Scan" && nodes["after ANALYZE"+soft] == "Limit > Index Scan", of("after ANALYZE"))
	b.out.Measured("s1.confound_no_analyze", runner.Say("without ANALYZE the planner has no figure for deleted_at IS NULL and falls back on a default: hard gets "+nodes["none"+hard]+" and takes {} the time of soft, which gets "+nodes["none"+soft]+"; after ANALYZE hard gets "+nodes["after ANALYZE"+hard]+" and takes {}", without, t.Ref(row, "ratio")),
		b.at.checks["missing analyze"])
}
