package softdelete

import (
	"context"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/testrun"
)

// wayNumber reads a cell of a way's row.
func wayNumber(t *testing.T, table *runner.Table, column, way string) float64 {
	t.Helper()
	return testrun.Number(t, table, column, map[string]string{"way": way})
}

func TestPurgeOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			var want string
			tables, err := onCorrected(t, version, func(ctx context.Context, b *bench) (err error) {
				if want, err = withoutOldest(ctx, b); err != nil {
					return err
				}
				return b.purge(ctx)
			})
			if err != nil {
				t.Fatal(err)
			}
			testPurge(t, tables, want)
		})
	}
}

// withoutOldest digests what must be left: all but the removed rows of the
// first 2 of 4 batches of 1,000.
func withoutOldest(ctx context.Context, b *bench) (string, error) {
	conn, err := b.connect(ctx, corrected)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	_, digest, err := instrument.Digest(ctx, conn, "SELECT * FROM "+soft+" WHERE deleted_at IS NULL OR id > 2000")
	return digest, err
}

// testPurge: 80 % of 2 batches of 1,000 are 1,600 rows, two batches by ctid;
// 2,400 of 4,000 rows are left.
func testPurge(t *testing.T, tables runner.Tables, digest string) {
	purge := tables["purge"]
	for _, w := range purgeWays {
		if got := wayNumber(t, purge, "rows", w.name); got != 1600 {
			t.Errorf("%s purged %v rows, want 1600", w.name, got)
		}
		if got := wayNumber(t, tables["purge_survivors"], "rows", w.name); got != 2400 {
			t.Errorf("%s left %v rows, want 2400", w.name, got)
		}
		if got := testrun.Text(t, tables["purge_survivors"], "digest", map[string]string{"way": w.name}); got != digest {
			t.Errorf("%s left other rows than all but the oldest removed ones", w.name)
		}
		// One WAL record a deleted row, of at least 54 bytes (a record without
		// an image, as a DELETE of a row writes it); the copy's pages are newer
		// than the last checkpoint, so there are no images.
		if records, bytes := wayNumber(t, purge, "wal_records", w.name), wayNumber(t, purge, "wal_bytes", w.name); records < 1600 || bytes < 54*1600 {
			t.Errorf("%s wrote %v records of %v bytes, want one of 54 bytes a row at least", w.name, records, bytes)
		}
		if got := wayNumber(t, purge, "full_page_images", w.name); got != 0 {
			t.Errorf("%s wrote %v full-page images, want 0", w.name, got)
		}
		if got := testrun.Text(t, purge, "plan_nodes", map[string]string{"way": w.name}); !strings.HasPrefix(got, "ModifyTable > ") {
			t.Errorf("%s has the plan %q", w.name, got)
		}
	}
	for way, want := range map[string]float64{purgeWays[0].name: 1, purgeWays[1].name: 1, purgeWays[2].name: 2} {
		if got := wayNumber(t, purge, "statements", way); got != want {
			t.Errorf("%s took %v statements, want %v", way, got, want)
		}
	}
	if got := testrun.Text(t, purge, "own_index_bytes", map[string]string{"way": purgeWays[0].name}); got != runner.NotAvailable {
		t.Errorf("the way without an index of its own has one of %s bytes", got)
	}
	if n := len(tables["purge_batches"].Rows); n != 2 {
		t.Errorf("%d batches, want 2", n)
	}
}

// TestPurgeRefusesOtherRows: a row of an old batch that claims to be new is
// covered by deleted_at and not by created_at.
func TestPurgeRefusesOtherRows(t *testing.T) {
	_, err := onCorrected(t, "17", func(ctx context.Context, b *bench) error {
		if err := onDatabase(ctx, b, corrected, "UPDATE "+soft+" SET created_at = now() + interval '1 day' WHERE id = (SELECT min(id) FROM "+soft+" WHERE deleted_at IS NOT NULL)"); err != nil {
			return err
		}
		return b.purge(ctx)
	})
	if err == nil || !strings.Contains(err.Error(), "created_at covers 1599 rows, deleted_at 1600") {
		t.Errorf("the two limits cover different rows: error %v", err)
	}
}
