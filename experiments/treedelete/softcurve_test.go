package treedelete

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// Two batches of 5,000 with 4,900 removed leave 200 active rows in both tables,
// and all 10,000 in the soft one.
func TestSoftCurve(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			checked := []time.Duration{0, 100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, incidentDelay}
			if version == "18" { // what nobody checked is checked by the part
				checked = slices.Delete(checked, 2, 3)
			}
			knobs := runner.Values{"curve_blocks": 12, "delay_checks": 1, "curve_batches": 2, "round_trip_us": 2900}
			outline, tables := measurePart(t, version, knobs, checked, func(b *bench, ctx context.Context) error { return b.softCurve(ctx) }, incidentDelay)
			testCurveTables(t, tables)
			testCurveRatios(t, tables["soft_curve"], tables["soft_curve_times"])
			text, err := outline.Answer[0].In(tables)
			if err != nil || !strings.Contains(text, "1.84×") || !strings.Contains(text, "2.9ms missed its mark") {
				t.Errorf("%q, %v: want the published 0.503 over 0.274 = 1.84 in its place, and no ratio at the round trip that missed its mark", text, err)
			}
		})
	}
}

func testCurveTables(t *testing.T, tables runner.Tables) {
	digests := map[string]bool{}
	for table, all := range map[string]float64{curveSoftTable: 10_000, curveHardTable: 200} {
		where := map[string]string{"table_name": table}
		survivors, plans := tables["soft_curve_survivors"], tables["soft_curve_plans"]
		if active, got := testrun.Number(t, survivors, "active_rows", where), testrun.Number(t, survivors, "all_rows", where); active != 200 || got != all {
			t.Errorf("%s: %v active of %v rows, want 200 of %v", table, active, got, all)
		}
		row, _ := survivors.Find(where)
		digests[survivors.Text(row, "digest")] = true
		removed := testrun.Number(t, plans, "rows_removed_by_filter", where)
		if table == curveHardTable && removed != 0 {
			t.Errorf("the filter removed %v rows of the hard table, which holds none", removed)
		}
		// 50 survivors of the newest batch's 100 lie among at most 4,950 rows, and after
		// 50 of them at least one removed row has been passed.
		if table == curveSoftTable && (removed < 1 || removed > 4900) {
			t.Errorf("the filter removed %v rows of the soft table, want 1 to 4,900", removed)
		}
	}
	if len(digests) != 1 {
		t.Error("the tables hold different active rows")
	}
}

// testCurveRatios: six round trips; the model is that of the two medians; the
// source published one ratio.
func testCurveRatios(t *testing.T, ratios, times *runner.Table) {
	if len(ratios.Rows) != 6 || len(times.Rows) != 18 {
		t.Fatalf("%d ratios and %d times, want 6 round trips and 3 arms of each", len(ratios.Rows), len(times.Rows))
	}
	soft := testrun.Number(t, times, "p50_s", map[string]string{"round_trip": "none added", "arm": curveSoft})
	hard := testrun.Number(t, times, "p50_s", map[string]string{"round_trip": "none added", "arm": curveHard})
	if got := ratios.Text(5, "series"); got != "measured, round trip invalid" {
		t.Errorf("the round trip that missed its mark is %q", got)
	}
	published := 0
	for row, added := range []float64{0, 0.0001, 0.00025, 0.0005, 0.001, 0.0029} {
		if got := partNumber(t, ratios.Text(row, "added_s")); got != added {
			t.Errorf("row %d is of %v s, want %v", row, got, added)
		}
		if got, want := partNumber(t, ratios.Text(row, "model")), (soft+added)/(hard+added); math.Abs(got-want) > 1e-9 {
			t.Errorf("the model at %v s is %v, want %v", added, got, want)
		}
		if ratios.Text(row, "published") != runner.NotAvailable {
			published++
		}
	}
	if published != 1 {
		t.Errorf("%d published ratios, want 1", published)
	}
}

// 0.2 and 0.03 ms with 0.25 ms added are 0.45 and 0.28 ms.
func TestCurveModel(t *testing.T) {
	for _, c := range []struct{ soft, hard, added, want float64 }{
		{0.0002, 0.00003, 0.00025, 1.607}, {0.0002, 0.00003, 0, 6.667}, {0.0002, 0.00003, 0.0029, 1.058}, {0.001, 0.001, 0.5, 1},
	} {
		got := curveModel(c.soft, c.hard, c.added)
		if math.Abs(got-c.want) > 0.0005 {
			t.Errorf("%v and %v with %v added: %v, want %v", c.soft, c.hard, c.added, got, c.want)
		}
		if back := curvePlace(c.soft, c.hard, got); c.soft != c.hard && math.Abs(back-c.added) > 1e-12 {
			t.Errorf("the ratio %v lies at %v, want %v", got, back, c.added)
		}
	}
	// Twice is nearer to 1 than three times ever gets with a round trip.
	if at := curvePlace(0.0002, 0.0001, 3); at >= 0 {
		t.Errorf("a ratio of 3 lies at %v, want a negative round trip", at)
	}
}

// The published ratio is 1.84, and the source's hard query took 0.274 ms in all.
func TestPublishedWhy(t *testing.T) {
	for _, c := range []struct {
		needed, low, high float64
		want              string
	}{
		{0.0003, 1.7, 1.9, "holds it"}, {0.000621, 2.7, 2.9, "So much cannot have been added"}, {0.00026, 1.9, 2.1, "added more"}, {0.0001, 1.3, 1.4, "added less"},
	} {
		if got := publishedWhy(c.needed, runner.Measure{Value: (c.low + c.high) / 2, Low: c.low, High: c.high}); !strings.Contains(got, c.want) {
			t.Errorf("%v s needed and %v to %v measured: %q, want %q", c.needed, c.low, c.high, got, c.want)
		}
	}
}
