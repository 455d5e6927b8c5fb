package postgres_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"deletecost/runner/postgres"
)

// pgbenchVariable is the path of a pgbench; with it the tool's client is compared with that.
const pgbenchVariable = "DELETECOST_PGBENCH"

// A pgbench executes one script against a server, one process a visit.
type pgbench struct {
	path, script string
	folder       string // for its logs
	environment  []string
}

// newPgbench asks for the program: a comparison that was not asked for does not run.
func newPgbench(t *testing.T, server *postgres.Server, script string) *pgbench {
	t.Helper()
	config := server.ConnConfig()
	p := &pgbench{path: os.Getenv(pgbenchVariable), folder: t.TempDir()}
	p.script = filepath.Join(p.folder, "script.sql")
	if err := os.WriteFile(p.script, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p.environment = append(os.Environ(), "PGHOST="+config.Host, "PGPORT="+strconv.Itoa(int(config.Port)),
		"PGUSER="+config.User, "PGPASSWORD="+config.Password, "PGDATABASE="+config.Database)
	return p
}

// version is what the program says about itself.
func (p *pgbench) version(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, p.path, "--version").Output()
	return strings.TrimSpace(string(out)), err
}

// visit executes the script, the first executions untimed, and returns the latencies in seconds in the order in which
// they were measured.
func (p *pgbench) visit(ctx context.Context, untimed, timed int, seed uint64) ([]float64, error) {
	prefix := filepath.Join(p.folder, "log")
	c := exec.CommandContext(ctx, p.path, "-n", "-M", "prepared", "-c", "1", "-j", "1", "-t", strconv.Itoa(untimed+timed),
		"-l", "--log-prefix="+prefix, "--random-seed="+strconv.FormatUint(seed, 10), "-f", p.script)
	c.Env = p.environment
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	logs, err := filepath.Glob(prefix + ".*")
	if err != nil || len(logs) != 1 {
		return nil, fmt.Errorf("pgbench left %d logs, %v, want 1", len(logs), err)
	}
	defer os.Remove(logs[0])
	text, err := os.ReadFile(logs[0])
	if err != nil {
		return nil, err
	}
	micros, err := logged(string(text))
	if err != nil || len(micros) != untimed+timed {
		return nil, fmt.Errorf("pgbench logged %d transactions, %w, want %d", len(micros), err, untimed+timed)
	}
	return spread(micros[untimed:]), nil
}

// logged reads the third column of a log, the time of a transaction in whole microseconds.
func logged(log string) ([]int, error) {
	var micros []int
	for lines := bufio.NewScanner(strings.NewReader(log)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 {
			return nil, fmt.Errorf("a log line of %d columns: %q", len(fields), lines.Text())
		}
		µs, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("a log line: %w", err)
		}
		micros = append(micros, µs)
	}
	return micros, nil
}

// spread makes seconds of whole microseconds. Those that are equal are spread evenly over the microsecond around their
// value, as quantiles of grouped data are taken, or a quantile could only be a whole one: 2 % of what is compared.
func spread(micros []int) []float64 {
	order := make([]int, len(micros))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(micros[a], micros[b]) })
	seconds := make([]float64, len(micros))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && micros[order[to]] == micros[order[from]] {
			to++
		}
		for k := from; k < to; k++ {
			within := (float64(k-from)+0.5)/float64(to-from) - 0.5
			seconds[order[k]] = (float64(micros[order[k]]) + within) * 1e-6
		}
		from = to
	}
	return seconds
}

func TestSpread(t *testing.T) {
	log := "0 1 45 0 1700000000 1\n0 2 44 0 1700000000 46\n0 3 45 0 1700000000 91\n"
	micros, err := logged(log)
	if err != nil || !slices.Equal(micros, []int{45, 44, 45}) {
		t.Fatalf("got %v, %v, want 45 44 45", micros, err)
	}
	for i, want := range []float64{44.75e-6, 44e-6, 45.25e-6} {
		if got := spread(micros)[i]; got < want-1e-12 || got > want+1e-12 {
			t.Errorf("execution %d: %v s, want %v", i, got, want)
		}
	}
	if _, err := logged("0 1 skipped 0 1700000000 1\n"); err == nil {
		t.Error("a transaction without a time is to be an error")
	}
	if _, err := logged("tps = 5\n"); err == nil {
		t.Error("what is no log is to be an error")
	}
}
