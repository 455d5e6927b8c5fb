// Package faults breaks the archive pipeline on purpose, with writers on, and
// lets the checker say whether anything was lost. Only tests import it.
package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/checker"
)

// A Trial is one data set, its writers, and the folder that it is archived to.
type Trial struct {
	// Writers run from the beginning to End.
	Writers *Writers
	// Dir is the folder of the archive, in Folder.
	Dir string
	// Folder holds everything of the trial that is in files.
	Folder string

	connect Connect
	tables  []checker.Table
}

// Setup says how a Trial is made.
type Setup struct {
	Connect Connect // as a superuser; everything in its database is removed
	Folder  string  // for ledgers and archive; it exists
	Seed    uint64  // of all ids and of the writers
	Rows    int     // in each month
	Writers int     // how many
}

// Begin loads the data set and starts the writers.
func Begin(ctx context.Context, s Setup) (*Trial, error) {
	random := rand.New(rand.NewPCG(s.Seed, 0))
	folder, err := os.MkdirTemp(s.Folder, "trial-")
	if err != nil {
		return nil, err
	}
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	t := &Trial{Dir: filepath.Join(folder, "archive"), Folder: folder, connect: s.Connect}
	if t.tables, err = load(ctx, conn, random, s.Rows); err != nil {
		return nil, err
	}
	t.Writers, err = startWriters(ctx, s.Connect, folder, s.Writers, random)
	return t, err
}

// Config is what the pipeline is asked for: both months, in parts of 100 rows.
func (t *Trial) Config() archive.Config {
	cfg := archive.Config{Conn: t.connect, Dir: t.Dir, PartRows: 100, Level: 1, Streams: 1, Restore: true, LockTimeout: 5 * time.Second}
	for _, table := range tables {
		cfg.Tables = append(cfg.Tables, monthOf(table))
		cfg.Parents = append(cfg.Parents, "public."+table)
	}
	return cfg
}

// Check lets the checker look, whatever state the pipeline is in; it must have
// stopped.
func (t *Trial) Check(ctx context.Context) (checker.Report, error) {
	conn, err := t.connect(ctx)
	if err != nil {
		return checker.Report{}, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return checker.Check(ctx, conn, checker.Places{Ledgers: t.Writers.Ledgers, Tables: t.tables, Archives: []string{t.Dir}})
}

// Finish runs the pipeline again until the months are dropped. A backend that
// a killed run left behind may hold it up, and late rows that came meanwhile
// may; neither for ever.
func (t *Trial) Finish(ctx context.Context) (runs int, err error) {
	t.Writers.Late.Store(false)
	const most = 8
	for runs = 1; runs <= most; runs++ {
		var got archive.Outcome
		got, err = archive.Run(ctx, t.Config())
		if err == nil && got.State == archive.StateDropped {
			return runs, nil
		}
		if err == nil {
			err = fmt.Errorf("the pipeline ended with state %q and no error", got.State)
		}
		time.Sleep(time.Duration(runs) * 50 * time.Millisecond)
	}
	return most, fmt.Errorf("running again %d times: %w", most, err)
}

// End stops the writers and says where each row is at last.
func (t *Trial) End(ctx context.Context) (checker.Report, error) {
	if err := t.Writers.Stop(); err != nil {
		return checker.Report{}, err
	}
	return t.Check(ctx)
}

// Compare compares the values in the archive with the copies that were kept at
// the beginning: every loaded row must be as it was.
func (t *Trial) Compare(ctx context.Context) error {
	conn, err := t.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, table := range tables {
		_, lacks, err := checker.Compare(ctx, conn, t.Dir, monthOf(table), keptOf(table))
		if err != nil {
			return err
		}
		if lacks > 0 {
			return fmt.Errorf("the archive of %s lacks %d rows as they were loaded", table, lacks)
		}
	}
	return nil
}

// InsertLate inserts one row into the activities' month itself over a
// connection, with a ledger of its own, and tells whether it was acknowledged.
func (t *Trial) InsertLate(ctx context.Context, conn *pgx.Conn) (done bool, err error) {
	path := filepath.Join(t.Folder, fmt.Sprintf("ledger-late-%d", len(t.Writers.Ledgers)))
	ledger, err := checker.OpenLedger(path)
	if err != nil {
		return false, err
	}
	t.Writers.Ledgers = append(t.Writers.Ledgers, path)
	w := &writer{ledger: ledger, conn: conn, random: rand.New(rand.NewPCG(uint64(len(t.Writers.Ledgers)), 1))}
	done, err = w.write(ctx, "activities", true)
	return done, errors.Join(err, ledger.Close())
}

// Remove removes the files of the trial.
func (t *Trial) Remove() error { return os.RemoveAll(t.Folder) }

// sqlState is the SQLSTATE of a server's answer; empty for other errors.
func sqlState(err error) string {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}
