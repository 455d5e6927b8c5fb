package softdelete

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/roundtrip"
)

// connectThrough opens a session whose packets pay a network's round trip.
func (b *bench) connectThrough(ctx context.Context, database string, network *roundtrip.Network) (*pgx.Conn, error) {
	config := b.server.ConnConfig()
	config.Database = database
	config.DialFunc = network.DialFunc(config.DialFunc)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to database %q: %w", database, err)
	}
	return conn, nil
}

// timedArm makes the timed execution of one reading. The key is drawn and the
// text is made before the clock starts.
func (b *bench) timedArm(ctx context.Context, conn *pgx.Conn, r reading, c condition, keys []string) (runner.Arm, error) {
	arm := runner.Arm{Name: r.name}
	sql, rows := statement(r.query, r.table), limit
	if r.query == "pk_lookup" {
		rows = 1
	}
	next := 0
	key := func() string {
		next++
		return keys[next%len(keys)]
	}
	if !c.prepared {
		arm.Once = func(ctx context.Context) (time.Duration, error) {
			return simple(context.WithoutCancel(ctx), conn, strings.ReplaceAll(sql, "$1", key()), rows)
		}
		return arm, nil
	}
	if _, err := conn.PgConn().Prepare(ctx, r.name, sql, nil); err != nil {
		return arm, fmt.Errorf("preparing %q: %w", r.name, err)
	}
	arm.Once = func(ctx context.Context) (time.Duration, error) {
		var parameters [][]byte
		if r.query == "pk_lookup" {
			parameters = [][]byte{[]byte(key())}
		}
		return prepared(context.WithoutCancel(ctx), conn, r.name, parameters, rows)
	}
	return arm, nil
}

// prepared times one prepared execution until its last row is read.
func prepared(ctx context.Context, conn *pgx.Conn, name string, parameters [][]byte, rows int) (time.Duration, error) {
	start := time.Now()
	n, err := postgres.ExecPrepared(ctx, conn, name, parameters...)
	took := time.Since(start)
	return took, enough(n, rows, err)
}

// simple times one execution by the simple protocol until its last row is read.
func simple(ctx context.Context, conn *pgx.Conn, sql string, rows int) (time.Duration, error) {
	start := time.Now()
	n, err := postgres.ExecSimple(ctx, conn, sql)
	took := time.Since(start)
	return took, enough(n, rows, err)
}

// enough is the proof that the timed query did its work.
func enough(got, want int, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("read %d rows, expected %d", got, want)
	}
	return err
}

// keysFor returns the ids to look up in random order, the same for every
// reading: active rows, which both tables hold.
func (b *bench) keysFor(ctx context.Context, conn *pgx.Conn, c condition) ([]string, error) {
	rows, err := conn.Query(ctx, "SELECT id FROM "+hard+" ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	keys := make([]string, len(ids))
	for i, at := range b.lab.Rand("sample/" + c.name).Perm(len(ids)) {
		keys[i] = strconv.FormatInt(ids[at], 10)
	}
	if !c.fresh && len(keys) > sampledKeys {
		keys = keys[:sampledKeys]
	}
	return keys, nil
}
