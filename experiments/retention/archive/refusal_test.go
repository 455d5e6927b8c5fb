package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wantRefused runs and wants an error of a kind that says something, with the
// table where it was.
func wantRefused(b *bed, cfg Config, table string, kind error, says string) {
	b.t.Helper()
	_, err := Run(b.t.Context(), cfg)
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), says) {
		b.t.Errorf("error %v, want %q with %q", err, kind, says)
	}
	if !value[bool](b, "SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1) AND NOT inhdetachpending)", table) {
		b.t.Errorf("after %q: the partition is not attached", says)
	}
}

func TestPreflightRefusesBeforeTheDetach(t *testing.T) {
	b := newBed(t, "17")
	for _, c := range []struct{ name, set, says, undo string }{
		{"default partition", "CREATE TABLE a_rest PARTITION OF a DEFAULT", `default partition ("a_rest")`, "DROP TABLE a_rest"},
		{"view", "CREATE VIEW looks AS SELECT * FROM a_old", "view public.looks", "DROP VIEW looks"},
		{"column of the row type", "CREATE TABLE holds (r a_old)", "table public.holds", "DROP TABLE holds"},
		{"foreign key", "CREATE TABLE refers (id int, at date, FOREIGN KEY (id, at) REFERENCES a_old)", "foreign key", "DROP TABLE refers"},
		{"referring rows", "CREATE TABLE refers (id int, at date, FOREIGN KEY (id, at) REFERENCES a); INSERT INTO refers VALUES (7, '2001-03-05')", "rows of public.refers refer", "DROP TABLE refers"},
	} {
		b.exec("DROP TABLE IF EXISTS a CASCADE")
		b.months(20, "a")
		b.exec(c.set)
		wantRefused(b, b.config("a"), "a_old", ErrPreflight, c.says)
		b.exec(c.undo)
	}
	b.exec("CREATE TABLE refers (id int, at date, FOREIGN KEY (id, at) REFERENCES a); INSERT INTO refers VALUES (7, '2026-03-05')")
	b.mustRun(b.config("a")) // rows that refer to other months are in nobody's way
}

// The owner of a table under FORCE ROW LEVEL SECURITY sees 100 of 1,000 rows,
// unless row_security is off: then it is an error.
func TestRowSecurityIsAnError(t *testing.T) {
	b := newBed(t, "17")
	b.months(1000, "a")
	b.exec("CREATE ROLE keeper LOGIN; GRANT CREATE ON DATABASE postgres TO keeper; GRANT ALL ON SCHEMA public TO keeper")
	b.exec("ALTER TABLE a OWNER TO keeper; ALTER TABLE a_old OWNER TO keeper")
	b.exec("ALTER TABLE a_old ENABLE ROW LEVEL SECURITY; ALTER TABLE a_old FORCE ROW LEVEL SECURITY; CREATE POLICY few ON a_old USING (id <= 100)")
	cfg := b.asRole(b.config("a"), "keeper")
	wantRefused(b, cfg, "a_old", ErrPreflight, "row security")

	b.exec("ALTER TABLE a_old NO FORCE ROW LEVEL SECURITY")
	cfg.Fail = func(point string) error { // after the preflight has seen nothing
		if strings.HasSuffix(point, " before lock") {
			b.exec("ALTER TABLE a_old FORCE ROW LEVEL SECURITY")
		}
		return nil
	}
	_, err := Run(t.Context(), cfg)
	if err == nil || !strings.Contains(err.Error(), "row-level security") || !b.exists("a_old") {
		t.Errorf("error %v, want row-level security", err)
	}
	cfg.Seed(rowSecurityOn)
	cfg.Restore = false
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrPreflight) {
		t.Errorf("error %v, want the preflight's", err)
	}
}

func TestBadConfigurations(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a")
	foreign := b.config("a")
	if err := os.Mkdir(foreign.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, foreign.Dir, "holiday.jpg", []byte("x"))
	wantRefused(b, foreign, "a_old", ErrForeign, "holiday.jpg")
	if content := files(t, foreign.Dir); len(content) != 1 {
		t.Errorf("the foreign folder holds %d files now", len(content))
	}

	for says, change := range map[string]func(*Config){
		"0 rows a part":                       func(c *Config) { c.PartRows = 0 },
		"-1 rows a second":                    func(c *Config) { c.RowsPerSecond = -1 },
		"keeps to no pace":                    func(c *Config) { c.RowsPerSecond, c.Method = 1, MethodSource },
		"gzip level 0":                        func(c *Config) { c.Level = 0 },
		`method "tar"`:                        func(c *Config) { c.Method = "tar" },
		"no folder":                           func(c *Config) { c.Dir = "" },
		"1 tables and 0 parents":              func(c *Config) { c.Parents = nil },
		"choose a folder that can be written": func(c *Config) { c.Dir = filepath.Join(c.Dir, "deep", "er") },
		"is no partition of":                  func(c *Config) { c.Parents = []string{"a_now"} },
		"does not exist":                      func(c *Config) { c.Tables = []string{"nowhere"} },
		"is no ordinary table":                func(c *Config) { c.Tables, c.Parents = []string{"a"}, []string{"a"} },
		"named twice":                         func(c *Config) { c.Tables, c.Parents = []string{"a_old", "public.a_old"}, []string{"a", "a"} },
	} {
		cfg := b.config("a")
		change(&cfg)
		wantRefused(b, cfg, "a_old", ErrPreflight, says)
	}
}

func TestFolderOfAnotherRun(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a", "b")
	first := b.config("a")
	b.mustRun(first)
	second := b.config("b")
	second.Dir = first.Dir
	wantRefused(b, second, "b_old", ErrForeign, `"public"."a_old"`)

	third := b.config("b")
	stop := errors.New("stop")
	third.Fail = func(point string) error {
		if strings.HasSuffix(point, " before detach") {
			return stop
		}
		return nil
	}
	if _, err := Run(t.Context(), third); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	third.Fail = nil
	put(t, third.Dir, "a_old-000001.jsonl.gz", []byte("of another run"))
	wantRefused(b, third, "b_old", ErrForeign, "a_old-000001.jsonl.gz")
	if err := os.Remove(filepath.Join(third.Dir, "a_old-000001.jsonl.gz")); err != nil {
		t.Fatal(err)
	}
	b.exec("CREATE TABLE other (LIKE b_old); DROP TABLE b_old; CREATE TABLE b_old PARTITION OF b FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')")
	wantRefused(b, third, "b_old", ErrForeign, "another one")
}
