package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/experiments/retention/checker"
)

// Connect opens a connection to the server, whichever process that is by now.
type Connect func(ctx context.Context) (*pgx.Conn, error)

// Writers insert rows one after another, each its own transaction, until they
// are stopped, and keep ledgers. They come back after each loss of the server.
type Writers struct {
	// Ledgers are the paths of their ledgers.
	Ledgers []string
	// Late is whether every fourth row goes into the month that is archived:
	// through its parent, and where that has no place for it any more, directly.
	Late atomic.Bool

	connect Connect
	stop    context.CancelFunc
	running sync.WaitGroup
	mu      sync.Mutex
	err     error
}

// startWriters starts a number of writers, with ledgers in a folder.
func startWriters(ctx context.Context, connect Connect, folder string, number int, random *rand.Rand) (*Writers, error) {
	ctx, stop := context.WithCancel(ctx)
	w := &Writers{connect: connect, stop: stop}
	for n := range number {
		path := filepath.Join(folder, fmt.Sprintf("ledger-%d", n+1))
		ledger, err := checker.OpenLedger(path)
		if err != nil {
			return nil, errors.Join(err, w.Stop())
		}
		w.Ledgers = append(w.Ledgers, path)
		one := &writer{Writers: w, ledger: ledger, random: rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))}
		w.running.Go(func() { w.fail(one.run(ctx)) })
	}
	return w, nil
}

// Stop lets each writer end its row and returns what went wrong with ledgers.
func (w *Writers) Stop() error {
	w.stop()
	w.running.Wait()
	return w.err
}

func (w *Writers) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = errors.Join(w.err, err)
}

// writer is one of the writers.
type writer struct {
	*Writers
	ledger *checker.Ledger
	random *rand.Rand
	conn   *pgx.Conn
}

// run inserts until ctx ends. Only what is wrong with the ledger is an error:
// what the server refuses, or does not answer, is not acknowledged.
func (w *writer) run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, w.ledger.Close()) }()
	whole := context.WithoutCancel(ctx)
	for ctx.Err() == nil {
		if w.conn == nil || w.conn.IsClosed() {
			if w.conn, err = w.connect(whole); err != nil {
				w.conn = nil
				time.Sleep(20 * time.Millisecond) // until the server is back
				continue
			}
		}
		if err := w.one(whole); err != nil {
			return err
		}
		time.Sleep(time.Duration(w.random.Int64N(int64(4 * time.Millisecond)))) // leaves the processor to the pipeline
	}
	if w.conn != nil {
		w.conn.Close(whole)
	}
	return nil
}

// one inserts one row.
func (w *writer) one(ctx context.Context) error {
	table := tables[w.random.IntN(len(tables))]
	late := w.random.IntN(4) == 0 && w.Late.Load()
	_, err := w.write(ctx, table, late)
	return err
}

// write inserts one row between its two lines in the ledger.
func (w *writer) write(ctx context.Context, table string, late bool) (done bool, err error) {
	id := newID(w.random)
	if err := w.ledger.Intent(table, id, time.Now()); err != nil {
		return false, err
	}
	if w.insert(ctx, table, id, late) != nil {
		return false, nil
	}
	return true, w.ledger.Ack(table, id, time.Now())
}

// insert commits one row. A second try is made only when the server has
// answered that the first was refused.
func (w *writer) insert(ctx context.Context, table, id string, late bool) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	at := "2026-11-15Z"
	if late {
		at = "2001-03-20Z"
	}
	const sql = "INSERT INTO %s (id, inserted_at) VALUES ('%s', '%s')"
	_, err := w.conn.Exec(ctx, fmt.Sprintf(sql, "public."+table, id, at))
	if late && sqlState(err) == "23514" { // no partition takes it
		_, err = w.conn.Exec(ctx, fmt.Sprintf(sql, monthOf(table), id, at))
	}
	return err
}
