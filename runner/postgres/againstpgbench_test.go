package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
	"deletecost/runner/roundtrip"
	"deletecost/runner/stat"
)

const (
	comparedBlocks  = 40
	comparedUntimed = 100 // executions of a visit before those that count: a new session's caches, and pgbench's PREPARE
	comparedTimed   = 1000
	comparedRows    = 100_000
	readRow         = "SELECT id, payload FROM compared WHERE id = "
)

// A visited arm executes the same statement so many times, each with a key drawn anew, and returns the latencies in
// seconds.
type visited struct {
	name  string
	visit func(ctx context.Context, untimed, timed int, rng *rand.Rand) ([]float64, error)
}

// TestAgainstPgbench reports how long one row by its key takes in the tool's client, in pgbench and in pgx with its
// defaults. It asserts no duration. See docs/client.md.
func TestAgainstPgbench(t *testing.T) {
	if os.Getenv(pgbenchVariable) == "" {
		t.Skip("set " + pgbenchVariable + " to the path of a pgbench, as in docs/client.md, on a quiet machine")
	}
	server := startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{Settings: map[string]string{"autovacuum": "off"}})
	fillCompared(t, server)
	bench := newPgbench(t, server, fmt.Sprintf("\\set key random(1, %d)\n%s:key;\n", comparedRows, readRow))
	version, err := bench.version(t.Context())
	if err != nil {
		t.Fatalf("asking %q for its version: %v", bench.path, err)
	}
	t.Logf("%s -M prepared -c 1, PostgreSQL %s, one row by primary key over a Unix socket; %d blocks, in each of which every arm is visited twice for %d executions",
		version, server.Version, comparedBlocks, comparedTimed)
	t.Run("placed by the scheduler", func(t *testing.T) {
		arms := append(clientArms(t, server, bench), pgxArm(t, "pgx by default", server))
		reportCompared(t, arms, compare(t, arms), [][2]int{{2, 0}, {4, 0}, {4, 2}, {1, 0}, {3, 2}})
	})
	for _, apart := range []bool{true, false} {
		t.Run(map[bool]string{true: "on two processors", false: "on one processor"}[apart], func(t *testing.T) {
			runtime.LockOSThread() // and never unlocked, so that it ends with the subtest
			if err := place(server.Pid(), apart); err != nil {
				t.Skipf("client and server cannot be placed: %v", err)
			}
			arms := clientArms(t, server, bench)
			reportCompared(t, arms, compare(t, arms), [][2]int{{2, 0}, {1, 0}, {3, 2}})
		})
	}
}

// clientArms are pgbench and the tool, each twice.
func clientArms(t *testing.T, server *postgres.Server, bench *pgbench) []visited {
	t.Helper()
	return []visited{pgbenchArm("pgbench", bench), pgbenchArm("pgbench again", bench),
		toolArm(t, "tool", server), toolArm(t, "tool again", server)}
}

func fillCompared(t *testing.T, server *postgres.Server) {
	t.Helper()
	conn := testserver.Connect(t, server)
	for _, sql := range []string{
		"CREATE TABLE compared (id bigint PRIMARY KEY, payload text NOT NULL)",
		fmt.Sprintf("INSERT INTO compared SELECT g, md5(g::text) FROM generate_series(1, %d) AS g", comparedRows),
		"VACUUM (FREEZE, ANALYZE) compared", "CHECKPOINT",
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// compare lets the arms take turns and returns their samples by arm and block.
func compare(t *testing.T, arms []visited) [][][]float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 0))
	samples := make([][][]float64, len(arms))
	for i := range samples {
		samples[i] = make([][]float64, comparedBlocks)
	}
	for block := range comparedBlocks {
		for _, i := range stat.Order(rng, len(arms)) {
			seconds, err := arms[i].visit(t.Context(), comparedUntimed, comparedTimed, rng)
			if err != nil {
				t.Fatalf("%s: %v", arms[i].name, err)
			}
			samples[i][block] = append(samples[i][block], seconds...)
		}
	}
	return samples
}

func pgbenchArm(name string, bench *pgbench) visited {
	return visited{name, func(ctx context.Context, untimed, timed int, rng *rand.Rand) ([]float64, error) {
		return bench.visit(ctx, untimed, timed, rng.Uint64N(1<<31))
	}}
}

// toolArm is a timed arm of an experiment: its connection, its thread, its clock.
func toolArm(t *testing.T, name string, server *postgres.Server) visited {
	t.Helper()
	config := server.ConnConfig()
	config.DialFunc = new(roundtrip.Network).DialFunc(config.DialFunc)
	conn := connectTo(t, config)
	if _, err := conn.PgConn().Prepare(t.Context(), "read_row", readRow+"$1", nil); err != nil {
		t.Fatal(err)
	}
	return visited{name, func(ctx context.Context, untimed, timed int, rng *rand.Rand) ([]float64, error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		return drawn(untimed, timed, rng, func(key int64) (time.Duration, error) {
			parameter := strconv.AppendInt(nil, key, 10)
			start := time.Now()
			rows, err := postgres.ExecPrepared(context.WithoutCancel(ctx), conn, "read_row", parameter)
			took := time.Since(start)
			if err == nil && rows != 1 {
				err = fmt.Errorf("read %d rows of key %d, want 1", rows, key)
			}
			return took, err
		})
	}}
}

// pgxArm is pgx as its manual begins: the standard library's dialer, QueryRow and Scan.
func pgxArm(t *testing.T, name string, server *postgres.Server) visited {
	t.Helper()
	config := server.ConnConfig()
	config.DialFunc = nil
	if usual, err := pgx.ParseConfig("host=" + config.Host); err == nil {
		config.DialFunc = usual.DialFunc
	}
	conn := connectTo(t, config)
	return visited{name, func(ctx context.Context, untimed, timed int, rng *rand.Rand) ([]float64, error) {
		return drawn(untimed, timed, rng, func(key int64) (time.Duration, error) {
			var id int64
			var payload string
			start := time.Now()
			err := conn.QueryRow(ctx, readRow+"$1", key).Scan(&id, &payload)
			return time.Since(start), err
		})
	}}
}

func connectTo(t *testing.T, config *pgx.ConnConfig) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// drawn executes with a key drawn for each execution, before its clock starts.
func drawn(untimed, timed int, rng *rand.Rand, once func(key int64) (time.Duration, error)) ([]float64, error) {
	seconds := make([]float64, 0, untimed+timed)
	var yield postgres.Yield
	for range untimed + timed {
		yield.Between()
		took, err := once(1 + rng.Int64N(comparedRows))
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, took.Seconds())
	}
	return seconds[untimed:], nil
}
