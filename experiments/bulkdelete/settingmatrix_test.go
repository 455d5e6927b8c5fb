package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/testrun"
)

// asideKnobs are small, and are those of every part of asides.
func asideKnobs() runner.Values {
	return runner.Values{"aside_rows": 3500, "every_setting": 1, "queue_rows": 500, "identity_rows": 1000, "payload_rows": 1400, "pass_rows": 200_000, "explain_rows": 2000, "drop_large_mb": 512, "replica_rows": 5000, "replica_batch": 1000}
}

// onAsides runs parts alone on a real server and returns their tables, their
// record and their error.
func onAsides(t *testing.T, version string, knobs runner.Values, parts func(*asides) []func(context.Context) error) (runner.Tables, runner.Outline, error) {
	t.Helper()
	e := &runner.Experiment{Name: "part", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		for _, part := range parts(&asides{bench: &bench{lab: lab, out: out}, running: map[string]*postgres.Server{}}) {
			if err := part(ctx); err != nil {
				return err
			}
		}
		return nil
	}}
	f, err := testrun.Run(t, e, version, knobs)
	return f.Tables(e.Name), f.Record.Experiments[0], err
}

// TestSettingsMatrix: 3,500 rows of the source's fill 500 pages, as 1,000,000
// fill 142,858 (7 a page). A deleted row is a record of 54 bytes (the source:
// 54,000,000 for 1,000,000); an image of a page is under 8,192 bytes and, full
// as these are, above 7,000.
func TestSettingsMatrix(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.settingsMatrix}
			})
			if err != nil {
				t.Fatal(err)
			}
			testSettings(t, tables["settings_matrix"])
			if n := len(outline.Answer); n != 1 {
				t.Errorf("%d sentences, want 1", n)
			}
		})
	}
}

func testSettings(t *testing.T, m *runner.Table) {
	for _, cell := range settingCells {
		for _, between := range []string{"no", "yes"} {
			at := func(statement, column string) float64 {
				return testrun.Number(t, m, column, map[string]string{"page_protection": cell.protection, "full_page_writes": cell.images, "checkpoint_between": between, "statement": statement})
			}
			if got := at(deletes, "wal_records"); got != 3500 {
				t.Errorf("%v: the DELETE wrote %v records, want 3500", cell, got)
			}
			if got := at(deletes, "wal_bytes"); cell.images == "off" && got != 3500*54 || cell.images == "on" && (got < 500*7000 || got > 500*8192+3500*64) {
				t.Errorf("%v: the DELETE wrote %v bytes", cell, got)
			}
			records := 500.0 // a page is pruned
			if between == "yes" && cell.protection != noProtection {
				records = 1000 // and before that a hint bit is set in it
			}
			if first, second := at(firstSelect, "wal_records"), at(secondSelect, "wal_records"); first != records || second != 0 {
				t.Errorf("%v, checkpoint between %s: the SELECTs wrote %v and %v records, want %v and 0", cell, between, first, second, records)
			}
			clean := map[string]float64{"yes": 500}[between] // else they are dirty from the DELETE
			if first, second := at(firstSelect, "dirtied_pages"), at(secondSelect, "dirtied_pages"); first != clean || second != 0 {
				t.Errorf("%v, checkpoint between %s: the SELECTs dirtied %v and %v pages, want %v and 0", cell, between, first, second, clean)
			}
			images := at(firstSelect, "full_page_images")
			if want := map[bool]float64{true: 500}[cell.images == "on" && between == "yes"]; images != want {
				t.Errorf("%v, checkpoint between %s: the first SELECT wrote %v images, want %v", cell, between, images, want)
			}
		}
	}
}

func TestSettingsLeftOut(t *testing.T) {
	knobs := asideKnobs()
	knobs["every_setting"] = 0
	tables, outline, err := onAsides(t, "18", knobs, func(a *asides) []func(context.Context) error {
		return []func(context.Context) error{a.settingsMatrix}
	})
	if err != nil {
		t.Fatal(err)
	}
	m := tables["settings_matrix"]
	row, ok := m.Find(map[string]string{"page_protection": byHints, "full_page_writes": "on", "statement": deletes})
	if !ok || m.Text(row, "wal_bytes") != runner.NotAvailable {
		t.Errorf("what was not run is %q, want n/a", m.Text(row, "wal_bytes"))
	}
	if len(m.Reasons) != 1 || len(outline.Servers) != 2 {
		t.Errorf("reasons %q and %d servers, want one and 2", m.Reasons, len(outline.Servers))
	}
}
