package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/checker"
	"deletecost/experiments/retention/faults"
	"deletecost/runner/postgres/testserver"
)

// mistakeRows is the number of rows in each of the two months.
const mistakeRows = 150

// Where a seeded mistake loses rows, the checker names them; where the right
// pipeline runs in the same scenario, each row is in exactly one place.
func TestCheckerNamesWhatMistakesLose(t *testing.T) {
	server := testserver.Start(t, "17")
	keeper := func(ctx context.Context) (*pgx.Conn, error) {
		conn, err := server.Connect(ctx)
		if err == nil {
			_, err = conn.Exec(ctx, "SET SESSION AUTHORIZATION keeper")
		}
		return conn, err
	}
	run(t, server.Connect, "CREATE ROLE keeper; GRANT CREATE ON DATABASE postgres TO keeper; GRANT pg_monitor TO keeper")
	for _, test := range []struct {
		name     string
		seed     func(*archive.Config)
		at       string
		scenario func(t *testing.T, trial *faults.Trial)
		stops    error // of the right pipeline; nil: any
		lost     func(n int) bool
	}{
		{"drop early", func(c *archive.Config) { c.Seed(archive.DropEarly) }, "after export", func(t *testing.T, trial *faults.Trial) {
			if err := os.Truncate(filepath.Join(trial.Dir, "activities_2001_03-000001.jsonl.gz"), 30); err != nil {
				t.Error(err)
			}
		}, archive.ErrArchive, func(n int) bool { return n == 2*mistakeRows }}, // an archive with a fault holds nothing
		{"no recount", func(c *archive.Config) { c.Seed(archive.NoRecount) }, "before exclusive", func(t *testing.T, trial *faults.Trial) {
			late(t, server.Connect, trial)
		}, archive.ErrChanged, func(n int) bool { return n == 1 }},
		{"row security left on", func(c *archive.Config) { c.Seed(archive.RowSecurityOn) }, "before lock", func(t *testing.T, _ *faults.Trial) {
			run(t, server.Connect, "ALTER TABLE activities_2001_03 FORCE ROW LEVEL SECURITY")
		}, nil, func(n int) bool { return n > mistakeRows/2 && n < mistakeRows }}, // seven in eight random ids are hidden
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, seed := range []func(*archive.Config){nil, test.seed} {
				trial := mistakeTrial(t, server.Connect)
				cfg := trial.Config()
				cfg.Restore, cfg.Conn = false, keeper
				cfg.Fail = func(point string) error {
					if strings.HasSuffix(point, test.at) {
						test.scenario(t, trial)
					}
					return nil
				}
				if seed != nil {
					seed(&cfg)
				}
				_, err := archive.Run(t.Context(), cfg)
				r, checkErr := trial.End(t.Context())
				if checkErr != nil {
					t.Fatal(checkErr)
				}
				switch {
				case seed == nil && (err == nil || test.stops != nil && !errors.Is(err, test.stops) || len(r.Violations) > 0 || r.Archived > 0):
					t.Errorf("the right pipeline: %v, %v; want it stopped and nothing lost", err, r)
				case seed != nil && (err != nil || !test.lost(lost(r)) || lost(r) != len(r.Violations)):
					t.Errorf("the mistaken pipeline: %v, %d lost, %v; want it to lose rows", err, lost(r), r)
				}
			}
		})
	}
}

// Without the lock a late row gets in while the months are read. Only the
// recount is left to stop it; with the lock the row has to wait.
func TestCheckedWithoutLock(t *testing.T) {
	server := testserver.Start(t, "17")
	for _, mistaken := range []bool{false, true} {
		trial := mistakeTrial(t, server.Connect)
		cfg := trial.Config()
		if mistaken {
			cfg.Seed(archive.NoLock)
		}
		in := false
		cfg.Fail = func(point string) error {
			if strings.HasSuffix(point, "after lock") {
				in = late(t, server.Connect, trial)
			}
			return nil
		}
		_, err := archive.Run(t.Context(), cfg)
		if in != mistaken || errors.Is(err, archive.ErrChanged) != mistaken || !mistaken && err != nil {
			t.Errorf("without the lock %v: the late row got in %v, %v", mistaken, in, err)
		}
		if r, err := trial.End(t.Context()); err != nil || len(r.Violations) > 0 {
			t.Errorf("without the lock %v: %v, %v; want nothing lost", mistaken, r, err)
		}
	}
}

// mistakeTrial is a trial whose months belong to the role keeper, where it is
// there, with row security that hides seven in eight rows where it is forced.
func mistakeTrial(t *testing.T, connect faults.Connect) *faults.Trial {
	t.Helper()
	trial, err := faults.Begin(t.Context(), faults.Setup{Connect: connect, Folder: t.TempDir(), Seed: 1, Rows: mistakeRows, Writers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { trial.Writers.Stop() })
	run(t, connect, `DO $$ BEGIN IF to_regrole('keeper') IS NOT NULL THEN
		GRANT ALL ON SCHEMA public TO keeper; ALTER TABLE activities OWNER TO keeper; ALTER TABLE deliveries OWNER TO keeper;
		ALTER TABLE activities_2001_03 OWNER TO keeper; ALTER TABLE deliveries_2001_03 OWNER TO keeper; END IF; END $$;
		ALTER TABLE activities_2001_03 ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON activities_2001_03 USING (id < '20000000-0000-4000-8000-000000000000')`)
	return trial
}

// late inserts a row into the month, if nobody keeps it out, and tells whether
// it is committed.
func late(t *testing.T, connect faults.Connect, trial *faults.Trial) bool {
	t.Helper()
	conn, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "SET lock_timeout = '100ms'"); err != nil {
		t.Fatal(err)
	}
	done, err := trial.InsertLate(t.Context(), conn)
	if err != nil {
		t.Error(err)
	}
	return done
}

// run executes statements over a connection of their own.
func run(t *testing.T, connect faults.Connect, sql string) {
	t.Helper()
	conn, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// lost counts the rows that are in no place.
func lost(r checker.Report) (n int) {
	for _, v := range r.Violations {
		if v.Kind == checker.Lost {
			n++
		}
	}
	return n
}
