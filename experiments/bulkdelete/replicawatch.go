package bulkdelete

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

// lagEvery is the time between two looks.
const lagEvery = 2 * time.Millisecond

// toldWithin is how long the last look waits for the standby to tell that it has
// replayed everything, which it does by itself every second; and pageHead what
// it stays behind at the end of a page, since a position there is told before the
// header of the next: 40 bytes at the most.
const (
	toldWithin = 2 * time.Second
	pageHead   = 40
)

// lagSQL is how far the one standby is behind what the primary has flushed, in
// bytes: nothing else is sent. What a SELECT prunes waits for that up to
// wal_writer_delay, and would be taken for lag.
const lagSQL = `
SELECT greatest(0, pg_wal_lsn_diff(here, sent_lsn))::bigint, greatest(0, pg_wal_lsn_diff(here, flush_lsn))::bigint, greatest(0, pg_wal_lsn_diff(here, replay_lsn))::bigint
FROM pg_stat_replication, pg_current_wal_flush_lsn() AS here`

// A lag is one look.
type lag struct {
	at                            time.Time
	seconds                       float64 // since the statements began
	running                       bool    // the statements were running
	unsent, unflushed, unreplayed int64   // bytes
}

// A lagWatch looks from a session of its own until it is stopped. When the
// statements began and ended is set by who executes them.
type lagWatch struct {
	began, ended time.Time
	cancel       context.CancelFunc
	done         chan struct{}
	looks        []lag
	err          error
}

// watchLag begins to look; the caller stops it.
func (a *asides) watchLag(ctx context.Context) (*lagWatch, error) {
	conn, err := a.running[primaryServer.name].Connect(ctx)
	if err != nil {
		return nil, err
	}
	// The first look of a session takes some ms more.
	if _, err := lookOnce(ctx, conn); err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &lagWatch{cancel: cancel, done: make(chan struct{})}
	go w.look(ctx, conn)
	return w, nil
}

// lookOnce is one look.
func lookOnce(ctx context.Context, conn *pgx.Conn) (lag, error) {
	l := lag{at: time.Now()}
	if err := conn.QueryRow(ctx, lagSQL, pgx.QueryExecModeSimpleProtocol).Scan(&l.unsent, &l.unflushed, &l.unreplayed); err != nil {
		return l, fmt.Errorf("looking at the standby's lag: %w", err)
	}
	return l, nil
}

// look goes on after the watch was stopped until a look shows nothing that is
// not replayed, so that a line ends where the lag does.
func (w *lagWatch) look(ctx context.Context, conn *pgx.Conn) {
	// What it asks must not be interrupted half-way, nor its session left open.
	plain := context.WithoutCancel(ctx)
	defer close(w.done)
	defer conn.Close(plain)
	tick := time.NewTicker(lagEvery)
	defer tick.Stop()
	var stopped time.Time
	for {
		if stopped.IsZero() && ctx.Err() != nil {
			stopped = time.Now()
		}
		l, err := lookOnce(plain, conn)
		if err != nil {
			w.err = err
			return
		}
		w.looks = append(w.looks, l)
		if !stopped.IsZero() && (l.unreplayed <= pageHead || time.Since(stopped) > toldWithin) {
			return
		}
		<-tick.C
	}
}

// stop ends the watch and returns what it saw from the begin of the statements.
func (w *lagWatch) stop() ([]lag, error) {
	w.cancel()
	<-w.done
	return timed(w.looks, w.began, w.ended), w.err
}

// timed are the looks since the statements began, with their times from there.
func timed(looks []lag, began, ended time.Time) (since []lag) {
	for _, l := range looks {
		if l.at.Before(began) {
			continue
		}
		l.seconds, l.running = l.at.Sub(began).Seconds(), l.at.Before(ended)
		since = append(since, l)
	}
	return since
}

// looksRunning is how many looks there were while the statements ran.
func looksRunning(looks []lag) (n int) {
	for _, l := range looks {
		if l.running {
			n++
		}
	}
	return n
}

// lagCells are the greatest distances and that at the end, which too few looks
// do not tell.
func lagCells(looks []lag) []any {
	if looksRunning(looks) < fewestLooks {
		none := runner.NA{Reason: fmt.Sprintf("fewer than %d looks while the statements ran, %d ms apart", fewestLooks, lagEvery.Milliseconds())}
		return []any{none, none, none, none}
	}
	worst := worstLag(looks)
	return []any{worst.unsent, worst.unflushed, worst.unreplayed, atEnd(looks)}
}

// worstLag is the greatest of each distance.
func worstLag(looks []lag) (worst lag) {
	for _, l := range looks {
		worst.unsent, worst.unflushed, worst.unreplayed = max(worst.unsent, l.unsent), max(worst.unflushed, l.unflushed), max(worst.unreplayed, l.unreplayed)
	}
	return worst
}

// atEnd is what was not replayed in the last look while the statements ran.
func atEnd(looks []lag) (unreplayed int64) {
	for _, l := range looks {
		if l.running {
			unreplayed = l.unreplayed
		}
	}
	return unreplayed
}
