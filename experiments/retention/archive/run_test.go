package archive

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestRunArchivesAndDrops(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			b := newBed(t, version)
			b.months(250, "a", "b")
			for _, method := range []string{MethodCopy, MethodSource} {
				if method == MethodSource {
					b.exec("DROP TABLE a, b")
					uuidMonths(b, 250, "a", "b")
				}
				cfg := b.config("a", "b")
				cfg.Method, cfg.Restore, cfg.Streams = method, method == MethodCopy, 2
				out := b.mustRun(cfg)
				if out.Rows != 500 || len(out.Manifest.Tables[0].Parts) != 3 || out.Resumed {
					t.Errorf("%s: %d rows, %d parts, resumed %v, want 500, 3, false", method, out.Rows, len(out.Manifest.Tables[0].Parts), out.Resumed)
				}
				if b.exists("a_old") || b.exists("b_old") || value[int](b, "SELECT count(*) FROM a") != 50 {
					t.Errorf("%s: the months are still there, or the other month is not", method)
				}
				if again := b.mustRun(cfg); again.Rows != 500 || !again.Resumed {
					t.Errorf("%s: run again: %+v", method, again)
				}
			}
		})
	}
}

func uuidMonths(b *bed, rows int, names ...string) {
	b.t.Helper()
	for _, name := range names {
		b.exec("CREATE TABLE " + name + " (id uuid, at date NOT NULL, body jsonb, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)")
		b.exec("CREATE TABLE " + name + "_old PARTITION OF " + name + " FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')")
		b.exec("CREATE TABLE " + name + "_now PARTITION OF " + name + " FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')")
		b.exec("INSERT INTO "+name+" SELECT md5(g::text)::uuid, '2001-03-05', '{}' FROM generate_series(1, $1::int) g", rows)
		b.exec("INSERT INTO " + name + " SELECT md5(g::text)::uuid, '2026-03-05', '{}' FROM generate_series(1, 50) g")
	}
}

// Killed before and after a step or file operation, the next Run goes on to the
// same end. All of them are tried with DELETECOST_FAULT_STRIDE=1, else each
// twelfth, from one on that DELETECOST_FAULT_SEED draws.
func TestKilledAtEveryPointAndRunAgain(t *testing.T) {
	step, first := environment(t, "DELETECOST_FAULT_STRIDE", 12), environment(t, "DELETECOST_FAULT_SEED", 1234)
	b := newBed(t, "17")
	b.months(150, "a", "b")
	var points []string
	cfg := b.config("a", "b")
	cfg.Fail = func(point string) error {
		points = append(points, point)
		return nil
	}
	b.mustRun(cfg)
	for _, step := range []string{"detach", "lock", "export", "verify", "manifest", "restore", "compare", "recount", "drop", "commit"} {
		if !slices.ContainsFunc(points, func(p string) bool { return strings.HasSuffix(p, " before "+step) }) {
			t.Errorf("no failpoint before %s among %d", step, len(points))
		}
	}
	killed := errors.New("killed")
	killedAt := 0
	for n, point := range points {
		if n%step != first%step {
			continue
		}
		killedAt++
		b.exec("DROP TABLE a, b")
		b.months(150, "a", "b")
		cfg := b.config("a", "b")
		reached := ""
		cfg.Fail = func(p string) error {
			if reached == "" && p >= fmt.Sprintf("%04d", n+1) {
				reached = p
				return killed
			}
			return nil
		}
		if _, err := Run(t.Context(), cfg); !errors.Is(err, killed) || reached[:4] != point[:4] {
			t.Fatalf("point %q: reached %q, error %v", point, reached, err)
		}
		cfg.Fail = nil
		out := b.mustRun(cfg)
		if out.Rows != 300 || b.exists("a_old") || b.exists("b_old") {
			t.Fatalf("point %q: %d rows, want 300", point, out.Rows)
		}
		wantOnce(b, cfg.Dir, 150)
		if left := value[int](b, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'deletecost%'"); left != 0 {
			t.Fatalf("point %q: %d scratch schemas left", point, left)
		}
	}
	t.Logf("killed at %d of %d points", killedAt, len(points))
}

// environment reads a number from 1 on.
func environment(t *testing.T, name string, usually int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usually
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number from 1 on", name, text)
	}
	return n
}

// wantOnce restores what a run archived of months and compares it with what
// months put in.
func wantOnce(b *bed, dir string, rows int) {
	b.t.Helper()
	m, err := ReadManifest(dir)
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range m.Tables {
		b.exec("DROP TABLE IF EXISTS back")
		if err := Restore(b.t.Context(), b.conn, dir, &m.Tables[i], "back"); err != nil {
			b.t.Fatal(err)
		}
		want := "SELECT g, '2001-03-05'::date, 'row ' || g FROM generate_series(1, $1::int) g"
		differ := value[int](b, "SELECT count(*) FROM ((TABLE back EXCEPT ALL "+want+") UNION ALL ("+want+" EXCEPT ALL TABLE back)) d", rows)
		if n := value[int](b, "SELECT count(*) FROM back"); n != rows || differ != 0 {
			b.t.Fatalf("archive of %s: %d rows, %d that differ, want %d and 0", m.Tables[i].Name, n, differ, rows)
		}
	}
}
