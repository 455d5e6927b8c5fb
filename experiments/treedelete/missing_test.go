package treedelete

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// missingKnobs have 10 blocks in tables of 500, 1,000 and 2,000 attributes.
var missingKnobs = runner.Values{"missing_rows": 2000, "missing_blocks": 10, "short_blocks": 12}

func TestCheckMissing(t *testing.T) {
	for _, c := range []struct {
		rows, blocks int64
		fits         bool
	}{{2000, 10, true}, {400, 99, true}, {400, 100, false}, {403, 100, false}, {40, 400, false}} {
		if err := checkMissing(runner.Values{"missing_rows": c.rows, "missing_blocks": c.blocks}); (err == nil) != c.fits {
			t.Errorf("%d blocks in %d / 4 attributes: %v", c.blocks, c.rows, err)
		}
	}
}

func TestMissingIndexOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onBench(t, version, missingKnobs, true, func(ctx context.Context, b *bench) error {
				if err := b.missingIndex(ctx); err != nil {
					return err
				}
				return nestedScans(ctx, b, t)
			})
			if err != nil {
				t.Fatal(err)
			}
			testMissingCounts(t, tables)
			testMissingGrowth(t, tables)
			testMissingPlans(t, outline.Plans)
			if told := answers(t, tables, outline); len(told) != 2 || len(outline.Plans) != 2 || len(outline.Figures) != 2 {
				t.Errorf("%d sentences, %d plans and %d figures, want 2 of each: %q", len(told), len(outline.Plans), len(outline.Figures), told)
			}
		})
	}
}

// testMissingCounts: the trigger is called once a deleted block; without the
// index each call reads every page of attributes, which EXPLAIN does not count. A
// DELETE of a row without an image is a WAL record of 54 bytes.
func testMissingCounts(t *testing.T, tables runner.Tables) {
	for i, row := range tables["missing_index_times"].Rows {
		times := tables["missing_index_times"]
		index, rows := times.Text(i, "index"), times.Text(i, "attribute_rows")
		statement := map[string]string{"statement": index + ", " + rows + " attributes"}
		if calls, deleted := testrun.Number(t, tables["missing_index_trigger"], "calls", statement), testrun.Number(t, tables["missing_index_trigger"], "deleted_rows", statement); calls != 10 || deleted != 10 {
			t.Errorf("%v: %v calls for %v rows, want 10 for 10", row, calls, deleted)
		}
		left := tables["missing_index_left_out"]
		pages := testrun.Number(t, times, "attribute_pages", map[string]string{"index": index, "attribute_rows": rows})
		if trigger := testrun.Number(t, left, "trigger_buffers", statement); index == "without index" && trigger < 10*pages {
			t.Errorf("%v: the trigger used %v buffers, want 10 times %v pages at least", row, trigger, pages)
		}
		explained, all := testrun.Number(t, left, "explain_wal_bytes", statement), testrun.Number(t, left, "all_wal_bytes", statement)
		if explained != 540 || all != 540 {
			t.Errorf("%v: %v of %v bytes of WAL, want 10 records of 54, and none of a check", row, explained, all)
		}
	}
	// 50 blocks with 100 attributes each: EXPLAIN counts 50 records of 5,050.
	cascade := map[string]string{"statement": "ON DELETE CASCADE, 5000 attributes"}
	left := tables["missing_index_left_out"]
	if explained, all, lsn := testrun.Number(t, left, "explain_wal_bytes", cascade), testrun.Number(t, left, "all_wal_bytes", cascade), testrun.Number(t, left, "lsn_low_bytes", cascade); explained != 50*54 || all != 5050*54 || lsn < all {
		t.Errorf("a cascade: %v of %v bytes, %v by LSN; want %d of %d, and no less by LSN", explained, all, lsn, 50*54, 5050*54)
	}
}

// testMissingGrowth: 12 blocks of 3 sizes; what was timed is not judged here.
func testMissingGrowth(t *testing.T, tables runner.Tables) {
	for _, index := range []string{"with index", "without index"} {
		growth := map[string]string{"index": index}
		points, from, to := testrun.Number(t, tables["missing_index_growth"], "points", growth), testrun.Number(t, tables["missing_index_growth"], "from_rows", growth), testrun.Number(t, tables["missing_index_growth"], "to_rows", growth)
		if slope := testrun.Number(t, tables["missing_index_growth"], "slope", growth); points != 36 || from != 500 || to != 2000 || math.IsNaN(slope) {
			t.Errorf("%s: growth %v of %v points from %v to %v rows, want 36 from 500 to 2,000", index, slope, points, from, to)
		}
	}
}

// testMissingPlans: a generic plan shows its parameter where one that was planned
// for a value shows the value, and EXPLAIN names the trigger of the foreign key.
func testMissingPlans(t *testing.T, plans []runner.Plan) {
	for _, p := range plans {
		if !strings.Contains(p.Text, "(document_id = $1)") || strings.Contains(p.Text, "document_id = 1") {
			t.Errorf("%s is not the generic plan that was timed:\n%s", p.Name, p.Text)
		}
		if !strings.Contains(p.Text, "attributes_block_id_fkey") || !strings.Contains(p.Text, "calls=10") {
			t.Errorf("%s has no line of the trigger with 10 calls:\n%s", p.Name, p.Text)
		}
	}
}

// nestedScans asks the server for the trigger's own query: once a block, and of
// each page of attributes once.
func nestedScans(ctx context.Context, b *bench, t *testing.T) error {
	conn, err := b.connect(ctx, "size_3_bare")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, set := range []string{"SET compute_query_id = on", "SET pg_stat_statements.track = 'all'", "SELECT pg_stat_statements_reset()"} {
		if _, err := conn.Exec(ctx, set); err != nil {
			return err
		}
	}
	transaction := strings.Join([]string{"BEGIN", statementWith("set_attributes", 1), statementWith("set_blocks", 1), "ROLLBACK"}, "; ")
	if _, err := conn.Exec(ctx, transaction, pgx.QueryExecModeSimpleProtocol); err != nil {
		return err
	}
	var calls, buffers, pages int64
	err = conn.QueryRow(ctx, `SELECT calls, shared_blks_hit + shared_blks_read, pg_relation_size('attributes') / 8192
		FROM pg_stat_statements WHERE NOT toplevel AND query LIKE 'SELECT%FROM ONLY%attributes%FOR KEY SHARE%'`).Scan(&calls, &buffers, &pages)
	if err == nil && (calls != 10 || buffers != 10*pages) {
		t.Errorf("the trigger's query ran %d times and used %d buffers, want 10 times %d pages", calls, buffers, pages)
	}
	return err
}

// TestMissingRefusesASurvivor: a row trigger that takes an attribute of another
// document along is caught before anything is timed, and the id is named.
func TestMissingRefusesASurvivor(t *testing.T) {
	_, _, err := onBench(t, "17", missingKnobs, true, func(ctx context.Context, b *bench) error {
		m := &missingRun{bench: b}
		if err := m.plant(ctx); err != nil {
			return err
		}
		defer m.close(context.WithoutCancel(ctx))
		for _, c := range m.cases {
			if err := b.openMissing(ctx, c); err != nil {
				return err
			}
		}
		_, err := m.cases[len(m.cases)-1].session.simple(ctx, "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM attributes WHERE id = 77; RETURN OLD; END'; "+
			"CREATE TRIGGER more AFTER DELETE ON documents FOR EACH ROW EXECUTE FUNCTION more()")
		if err != nil {
			return err
		}
		_, err = b.timeMissing(ctx, m.cases)
		return err
	})
	if !errors.Is(err, errSurvivors) || !strings.Contains(err.Error(), "1 of attributes should be left (id 77)") {
		t.Errorf("error %v, want that attribute 77 should be left", err)
	}
}
