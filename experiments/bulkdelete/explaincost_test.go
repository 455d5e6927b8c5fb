package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner/testrun"
	"time"
)

// TestExplainCost: each form runs two executions a block, 40 blocks or 12 by what
// the plain DELETE takes, which is the machine's. Where the wrong number of rows
// went, the part fails.
func TestExplainCost(t *testing.T) {
	for _, version := range []string{"16", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.explainCost}
			})
			if err != nil {
				t.Fatal(err)
			}
			blocks := testrun.Number(t, tables["explain_cost"], "blocks", map[string]string{"form": plainForm})
			if n := len(tables["turns"].Rows); n != int(blocks)*2*len(explainForms) || blocks != 40 && blocks != 12 {
				t.Errorf("%d samples in %v blocks, want 40 or 12 and %d in each", n, blocks, 2*len(explainForms))
			}
			for _, form := range explainForms {
				row, _ := tables["explain_cost"].Find(map[string]string{"form": form.name})
				if got := tables["explain_cost"].Text(row, "steady"); got != "yes" && got != "no" {
					t.Errorf("%s: steady is %q, want yes or no", form.name, got)
				}
			}
			for _, form := range explainForms[1:] {
				where := map[string]string{"form": form.name}
				low, ratio, high := testrun.Number(t, tables["explain_cost"], "ratio_low", where), testrun.Number(t, tables["explain_cost"], "ratio", where), testrun.Number(t, tables["explain_cost"], "ratio_high", where)
				if low > ratio || ratio > high {
					t.Errorf("%s: ratio %v outside of its interval, %v to %v", form.name, ratio, low, high)
				}
			}
			if text, err := outline.Answer[0].In(tables); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// 40 blocks below 10 ms and 12 from there on; at least 6 executions of warm-up,
// or until steady.
func TestPaceOf(t *testing.T) {
	for took, want := range map[time.Duration][2]int{
		400 * time.Microsecond: {40, 0}, 9300 * time.Microsecond: {40, 6}, 10 * time.Millisecond: {12, 6}, time.Second: {12, 6},
	} {
		if blocks, warmup := paceOf(took); blocks != want[0] || warmup != want[1] {
			t.Errorf("%v: %d blocks after a warm-up of %d, want %v", took, blocks, warmup, want)
		}
	}
}

func TestExplainedRows(t *testing.T) {
	for _, test := range []struct {
		plan string
		want int64
		ok   bool
	}{
		{"  ->  Seq Scan on t_explain (actual time=0.004..1.371 rows=10000 loops=1)", 10000, true},
		{"  ->  Seq Scan on t_explain (actual rows=10000.00 loops=1)", 10000, true},
		{"  ->  Seq Scan on t_explain (actual time=0.004..1.371 rows=10000.00 loops=1)", 10000, true},
		{"Delete on t_explain (actual time=3.1..3.2 rows=0.00 loops=1)", 0, false},
	} {
		got, err := explainedRows([][][]byte{{[]byte("Delete on t_explain (actual rows=0 loops=1)")}, {[]byte(test.plan)}})
		if got != test.want || (err == nil) != test.ok {
			t.Errorf("%q: %d rows, error %v; want %d", test.plan, got, err, test.want)
		}
	}
}
