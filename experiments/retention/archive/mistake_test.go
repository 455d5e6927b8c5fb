package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each seeded mistake loses or breaks something in a scenario that the right
// pipeline stands: the scenario would show the mistake.
func TestSeededMistakesShow(t *testing.T) {
	b := newBed(t, "17")
	b.exec("CREATE ROLE keeper LOGIN; GRANT CREATE ON DATABASE postgres TO keeper; GRANT ALL ON SCHEMA public TO keeper")
	for _, c := range []struct {
		mistake mistake
		method  string
		point   string
		do      func(cfg Config)
		caught  func(Outcome, error) bool // of the right pipeline
	}{
		{dropEarly, MethodCopy, "after export", func(cfg Config) {
			if err := os.Truncate(filepath.Join(cfg.Dir, "a_old-000002.jsonl.gz"), 30); err != nil {
				t.Fatal(err)
			}
		}, func(_ Outcome, err error) bool { return errors.Is(err, ErrArchive) }},
		{noRecount, MethodCopy, "before exclusive", func(Config) { b.exec("INSERT INTO a_old VALUES (gen_random_uuid(), '2001-03-07', '{}')") },
			func(_ Outcome, err error) bool { return errors.Is(err, ErrChanged) }},
		{rowSecurityOn, MethodCopy, "before lock", func(Config) {
			b.exec("ALTER TABLE a_old FORCE ROW LEVEL SECURITY")
		}, func(_ Outcome, err error) bool {
			return err != nil && strings.Contains(err.Error(), "row-level security")
		}},
	} {
		for _, m := range []mistake{"", c.mistake} {
			b.exec("DROP TABLE IF EXISTS a, a_old")
			uuidMonths(b, 1000, "a")
			b.exec("ALTER TABLE a OWNER TO keeper; ALTER TABLE a_old OWNER TO keeper")
			b.exec("ALTER TABLE a_old ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON a_old USING (id < '20000000-0000-0000-0000-000000000000')")
			cfg := b.asRole(b.config("a"), "keeper")
			cfg.Method, cfg.Restore, cfg.PartRows = c.method, false, 300
			cfg.Seed(m)
			cfg.Fail = at(c.point, func() { c.do(cfg) })
			out, err := Run(t.Context(), cfg)
			if m == "" && (!c.caught(out, err) || !b.exists("a_old")) {
				t.Errorf("%s: not committed, and error %v", c.mistake, err)
			}
			if m != "" && (err != nil || b.exists("a_old")) {
				t.Errorf("%s: committed, and error %v: the scenario does not show it", c.mistake, err)
			}
			if m == rowSecurityOn && out.Rows >= 1000 {
				t.Errorf("%s: all %d rows", m, out.Rows)
			}
		}
	}
}

// Parts that are read one by one, each with a snapshot of its own, hold a row
// twice that moves from the first to the second in between: 2,060 rows of a
// table that always held 2,000.
func TestReadCommittedShows(t *testing.T) {
	b := newBed(t, "17")
	for _, m := range []mistake{"", readCommitted} {
		b.exec("DROP TABLE IF EXISTS a, a_old; SET lock_timeout = '100ms'")
		uuidMonths(b, 2000, "a")
		cfg := b.config("a")
		cfg.Method, cfg.Restore, cfg.PartRows = MethodSource, false, 1000
		cfg.Seed(m)
		var moved error
		cfg.Fail = at("after rename a_old-000001.jsonl.gz", func() {
			_, moved = b.conn.Exec(t.Context(), "UPDATE a_old SET id = ('ffffffff' || substr(id::text, 9))::uuid WHERE id IN (SELECT id FROM a_old ORDER BY id LIMIT 60)")
		})
		out, err := Run(t.Context(), cfg)
		if m == "" && (err != nil || out.Rows != 2000 || moved == nil) {
			t.Errorf("%d rows, error %v, the writer's %v, want 2000 and a writer that waits", out.Rows, err, moved)
		}
		if m != "" && (moved != nil || out.Rows != 2060 || !errors.Is(err, ErrChanged)) {
			t.Errorf("read committed: %d rows, error %v, the writer's %v, want 2060 and the recount's", out.Rows, err, moved)
		}
	}
}

func TestNoFolderSyncShows(t *testing.T) {
	b := newBed(t, "17")
	for m, want := range map[mistake]bool{"": true, noFolderSync: false} {
		b.exec("DROP TABLE IF EXISTS a, a_old")
		b.months(20, "a")
		cfg := b.config("a")
		cfg.Seed(m)
		synced, renamed := 0, 0
		cfg.Fail = func(point string) error {
			if strings.Contains(point, " after rename ") {
				renamed++
			}
			if strings.Contains(point, " after fsync-folder archive") {
				synced++
			}
			return nil
		}
		b.mustRun(cfg)
		if (synced >= renamed) != want || renamed != 3 { // part, sum, manifest
			t.Errorf("%q: %d renames, %d fsyncs of the folder", m, renamed, synced)
		}
	}
}
