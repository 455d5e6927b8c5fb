package bulkdelete

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// A snapshot keeps every dead row; a cursor keeps VACUUM off the last page,
// with the one dead row on it, and so every page before it.
func TestInterferences(t *testing.T) {
	knobs := publishedKnobs()
	knobs["trial_arms"] = int64(len(trialArms()))
	_, tables := onSource(t, "18", knobs, func(ctx context.Context, b *bench) error {
		overrides := b.sourceSettings()
		overrides["bgwriter_lru_maxpages"] = "0" // nobody else pins a page
		return b.publishedWith(ctx, overrides)
	})
	trials := tables["autovacuum_trials"]
	expect(t, trials, map[string]string{"arm": "snapshot held"}, map[string]string{"rows_held": "20000", "rows_removed": "0", "pages_removed": "0", "truncation": "not truncated"})
	expect(t, trials, map[string]string{"arm": cursorHeld}, map[string]string{"rows_missed": "1", "pages_missed": "1"})
	expect(t, trials, map[string]string{"arm": writerOff}, map[string]string{"pages_missed": "0", "size_after_bytes": "24576", "writer_buffers": "0"})
	for _, arm := range []string{"checkpoint under way", "SELECT between"} {
		if n := whole(t, trials, map[string]string{"arm": arm}, "pages_removed") + whole(t, trials, map[string]string{"arm": arm}, "pages_remaining"); n != 2858 {
			t.Errorf("%s: %d pages, want 2,858", arm, n)
		}
	}
}

// An autovacuum that never comes takes one claim and nothing else.
func TestAutovacuumNeverComes(t *testing.T) {
	knobs := publishedKnobs()
	knobs["autovacuum_wait_s"] = 1
	f, tables := onSource(t, "17", knobs, func(ctx context.Context, b *bench) error {
		overrides := b.sourceSettings()
		overrides["autovacuum"] = "off"
		return b.publishedWith(ctx, overrides)
	})
	by := verdicts(t, f)
	if o := by["s3.size_after_autovacuum"]; o.Verdict != runner.NotMeasured || o.Why != "autovacuum did not run within 1 s" {
		t.Errorf("%s: %q, want not measured with the limit", o.Verdict, o.Why)
	}
	if o := by["s3.deferred_select"]; o.Verdict != runner.Reproduced {
		t.Errorf("what does not need autovacuum: %s, want reproduced", o.Verdict)
	}
	expect(t, tables["autovacuum_trials"], map[string]string{"arm": undisturbed}, map[string]string{"size_after_bytes": runner.NotAvailable})
	expect(t, tables["size_after_autovacuum"], map[string]string{"arm": undisturbed}, map[string]string{"trials": "0", "median_bytes": runner.NotAvailable})
	expect(t, tables["published_redrock"], map[string]string{"quantity": "size after autovacuum"}, map[string]string{"redrock_published": "24576", "here": runner.NotAvailable})
}

// The DELETE's counts do not depend on data checksums: nothing is left to hint.
func TestDeleteCountsWithChecksums(t *testing.T) {
	server, err := testserver.Host(t, "18").Start(t.Context(), postgres.Options{Checksums: true, Settings: settings(nil)})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connect(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := load(t.Context(), conn, sourceTable, 20_000, sourcePayload); err != nil {
		t.Fatal(err)
	}
	root, _, err := explainDelete(t.Context(), conn)
	if err != nil || root.Records != 20_000 || root.Bytes != 20_000*54 || root.Images != 0 || root.Dirtied != 2859 {
		t.Errorf("%+v, %v; want 20,000 records of 54 bytes, no image and 2,859 pages", root, err)
	}
}

// A table of more than 1 GB has several files.
func TestFilesSize(t *testing.T) {
	first := filepath.Join(t.TempDir(), "16384")
	for name, bytes := range map[string]int{"": 8192, ".1": 4096, ".3": 100, "_fsm": 10} {
		if err := os.WriteFile(first+name, make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := filesSize(first); err != nil || got != 8192+4096 {
		t.Errorf("%d bytes, %v; want those of the first two segments, 12,288", got, err)
	}
	if _, err := filesSize(first + "9"); err == nil {
		t.Error("no error for a table that is not there")
	}
}
