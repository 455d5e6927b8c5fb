package instrument

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ReplayEvery is the time between two looks at a standby, and so about how
// much too late AwaitReplay may see that it has come.
const ReplayEvery = 2 * time.Millisecond

// Sizes of WAL, in bytes, as built into the servers and chosen by initdb.
const (
	walPage        = 8192
	walSegment     = 16 << 20
	walPageHead    = 24 // of a page's header
	walSegmentHead = 40 // of the header of a segment's first page
)

const replaySQL = `
SELECT coalesce(pg_last_wal_replay_lsn()::text, ''), coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)`

// AwaitReplay waits until a standby has replayed the primary's WAL up to a
// position, as pg_lsn prints it, and returns how long that took from the call
// on, with about 2 ms of error. It is an error when the server is no standby
// and when ctx ends before; the connection may be closed then.
func AwaitReplay(ctx context.Context, standby *pgx.Conn, lsn string) (time.Duration, error) {
	begun := time.Now()
	end, err := recordEnd(lsn)
	if err != nil {
		return 0, err
	}
	poll := time.NewTicker(ReplayEvery)
	defer poll.Stop()
	at := "nowhere"
	for {
		var reached bool
		err := standby.QueryRow(ctx, replaySQL, end).Scan(&at, &reached)
		switch {
		case ctx.Err() != nil:
			return time.Since(begun), fmt.Errorf("waiting for a standby at %s to replay %s: %w", at, lsn, context.Cause(ctx))
		case err != nil:
			return time.Since(begun), fmt.Errorf("reading how far a standby has replayed: %w", err)
		case at == "":
			return time.Since(begun), errors.New("waiting for replay: the server has replayed nothing, so it is no standby")
		case reached:
			return time.Since(begun), nil
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
		}
	}
}

// recordEnd is the end of the last record before a position. Where the next
// record goes, which is what pg_current_wal_insert_lsn says, is the same but
// for a page header when a record ends with its page: the standby stays before
// that header until there is more.
func recordEnd(lsn string) (string, error) {
	var high, low uint32
	if n, err := fmt.Sscanf(lsn+"\n", "%X/%X\n", &high, &low); n != 2 || err != nil {
		return "", fmt.Errorf("reading WAL position %q: want two hexadecimal numbers with a slash between them", lsn)
	}
	switch {
	case low%walSegment == walSegmentHead:
		low -= walSegmentHead
	case low%walPage == walPageHead:
		low -= walPageHead
	}
	return fmt.Sprintf("%X/%X", high, low), nil
}
