package bulkdelete

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// lockModes are PostgreSQL's table locks from the weakest, as pg_locks and as
// its documentation call them.
var lockModes = []struct{ view, name string }{
	{"AccessShareLock", "ACCESS SHARE"}, {"RowShareLock", "ROW SHARE"}, {"RowExclusiveLock", "ROW EXCLUSIVE"},
	{"ShareUpdateExclusiveLock", "SHARE UPDATE EXCLUSIVE"}, {"ShareLock", "SHARE"}, {"ShareRowExclusiveLock", "SHARE ROW EXCLUSIVE"},
	{"ExclusiveLock", "EXCLUSIVE"}, {"AccessExclusiveLock", "ACCESS EXCLUSIVE"},
}

// A heldLock is a lock on the table as pg_locks showed it inside the
// transaction.
type heldLock struct {
	mode    int     // place in lockModes
	taken   string  // the first words of the statement that took it
	seconds float64 // from the start of that statement to the end of the commit; of batches, the longest
	times   int     // transactions that held it
}

func (h heldLock) name() string { return lockModes[h.mode].name }

// locksOn reads which locks the session holds on the table.
func locksOn(ctx context.Context, conn *pgx.Conn, table uint32) ([]int, error) {
	rows, err := conn.Query(ctx, ledgerSQL("locks", "table_oid", fmt.Sprint(table))[0], pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return nil, fmt.Errorf("reading the locks: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("reading the locks: %w", err)
	}
	var modes []int
	for i, m := range lockModes {
		if slices.Contains(names, m.view) {
			modes = append(modes, i)
		}
	}
	return modes, nil
}

// A lockBook collects what a way held, by mode.
type lockBook map[int]heldLock

// add enters the locks of one transaction.
func (l lockBook) add(transaction []heldLock) {
	for _, h := range transaction {
		had := l[h.mode]
		h.times = had.times + 1
		if had.seconds > h.seconds {
			h.seconds, h.taken = had.seconds, had.taken
		}
		l[h.mode] = h
	}
}

// strongest is the lock that keeps out most others.
func (l lockBook) strongest() heldLock {
	var s heldLock
	for _, h := range l.sorted() {
		s = h
	}
	return s
}

// longest is the lock that was held longest among those that keep anybody from
// reading or writing the table or changing it; the stronger one of two.
func (l lockBook) longest() heldLock {
	var s heldLock
	for _, h := range l.sorted() {
		if h.seconds >= s.seconds && h.name() != "ACCESS SHARE" {
			s = h
		}
	}
	return s
}

// sorted is from the weakest.
func (l lockBook) sorted() []heldLock {
	var all []heldLock
	for i := range lockModes {
		if h, ok := l[i]; ok {
			all = append(all, h)
		}
	}
	return all
}
