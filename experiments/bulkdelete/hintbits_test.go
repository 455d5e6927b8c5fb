package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// TestHintBits: 3,500 rows on 500 pages. What a SELECT's pruning is called is
// from the sources of each version (heapdesc.c).
func TestHintBits(t *testing.T) {
	for version, prune := range map[string]string{"16": "Heap2/PRUNE", "17": "Heap2/PRUNE_ON_ACCESS", "18": "Heap2/PRUNE_ON_ACCESS"} {
		t.Run(version, func(t *testing.T) {
			tables, _, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.hintBits}
			})
			if err != nil {
				t.Fatal(err)
			}
			testHintRecords(t, tables["hint_records"], prune)
			testHintImages(t, tables["hint_records"])
			testHintPhases(t, tables["hint_phases"])
		})
	}
}

// recordsOf is how many records of a type a phase wrote, 0 for none.
func recordsOf(t *testing.T, table *runner.Table, checksums, held, phase, name string) float64 {
	where := map[string]string{"data_checksums": checksums, "xmin_held": held, "phase": phase, "record_type": name}
	if _, ok := table.Find(where); !ok {
		return 0
	}
	return testrun.Number(t, table, "records", where)
}

func testHintRecords(t *testing.T, table *runner.Table, prune string) {
	for _, test := range []struct {
		checksums, held, phase, name string
		want                         float64
	}{
		{"off", "no", deletes, "Heap/DELETE", 3500}, {"on", "yes", deletes, "Heap/DELETE", 3500},
		{"off", "no", firstSelect, prune, 500}, {"on", "no", firstSelect, prune, 500},
		{"off", "yes", firstSelect, prune, 0}, {"on", "yes", firstSelect, prune, 0},
		{"off", "no", firstSelect, "XLOG/FPI_FOR_HINT", 0}, {"off", "yes", firstSelect, "XLOG/FPI_FOR_HINT", 0},
		{"off", "no", secondSelect, prune, 0}, {"off", "yes", vacuums, prune, 0},
	} {
		if got := recordsOf(t, table, test.checksums, test.held, test.phase, test.name); got != test.want {
			t.Errorf("checksums %s, xmin held %s: the %s wrote %v records %s, want %v", test.checksums, test.held, test.phase, got, test.name, test.want)
		}
	}
}

// testHintImages: an image for each page, and for a few pages of catalogs that
// somebody looked at for the first time since the checkpoint.
func testHintImages(t *testing.T, table *runner.Table) {
	if got := recordsOf(t, table, "on", "yes", firstSelect, "XLOG/FPI_FOR_HINT"); got < 500 || got > 510 {
		t.Errorf("hint bits on 500 pages wrote %v images with checksums, want one a page", got)
	}
	if got := recordsOf(t, table, "on", "yes", secondSelect, "XLOG/FPI_FOR_HINT"); got > 10 {
		t.Errorf("the second SELECT wrote %v images for hint bits, want none of the table's", got)
	}
}

func testHintPhases(t *testing.T, table *runner.Table) {
	for _, checksums := range []string{"off", "on"} {
		for _, held := range []string{"no", "yes"} {
			at := func(phase, column string) float64 {
				return testrun.Number(t, table, column, map[string]string{"data_checksums": checksums, "xmin_held": held, "phase": phase})
			}
			if first, second := at(firstSelect, "dirtied_pages"), at(secondSelect, "dirtied_pages"); first != 500 || second != 0 {
				t.Errorf("checksums %s, xmin held %s: the SELECTs dirtied %v and %v pages, want 500 and 0", checksums, held, first, second)
			}
			if row, ok := table.Find(map[string]string{"data_checksums": checksums, "xmin_held": held, "phase": vacuums, "repeat": "2"}); !ok || table.Text(row, "full_page_writes") != "on" {
				t.Errorf("checksums %s, xmin held %s: no second VACUUM with full_page_writes on", checksums, held)
			}
			if got := at(firstSelect, "wal_bytes"); checksums == "off" && held == "yes" && got != 0 {
				t.Errorf("hint bits alone wrote %v bytes without checksums, want 0", got)
			}
			if statement, inspected := at(firstSelect, "wal_bytes"), at(firstSelect, "inspected_bytes"); inspected < statement {
				t.Errorf("checksums %s, xmin held %s: pg_walinspect saw %v bytes, fewer than the %v of the statement", checksums, held, inspected, statement)
			}
		}
	}
}

func TestKindsOfRecords(t *testing.T) {
	for name, want := range map[string]string{
		"Heap/DELETE": kindDelete, "Heap/DELETE+INIT": kindDelete, "Heap2/PRUNE": kindPrune, "Heap2/PRUNE_ON_ACCESS": kindPrune, "Heap2/PRUNE_VACUUM_SCAN": kindPrune,
		"Heap2/VACUUM": kindVacuum, "Heap2/PRUNE_VACUUM_CLEANUP": kindVacuum, "Heap2/VISIBLE": kindVisible, "XLOG/FPI_FOR_HINT": kindHint, "XLOG/FPI": kindOther, "Transaction/COMMIT": kindOther,
	} {
		if got := (walRecord{name: name}).kind(); got != want {
			t.Errorf("%s is of kind %q, want %q", name, got, want)
		}
	}
}
