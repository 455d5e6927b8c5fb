package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// A ledgerBook is what the ways of the ledger share.
type ledgerBook struct {
	*bench
	conn  *pgx.Conn
	rows  int
	gone  map[share]string    // the condition of the rows that go
	stay  map[share]survivors // what must be left, as the whole table has it
	lines ledgerTables
	setup time.Duration // making and dropping the tables, between the executions
}

// survivors are the rows of a table as their hash tells them.
type survivors struct {
	rows int64
	hash string
}

// readSurvivors reads those rows that a condition does not take away.
func readSurvivors(ctx context.Context, conn *pgx.Conn, gone string) (s survivors, err error) {
	if err = conn.QueryRow(ctx, ledgerSQL("survivors", "gone", gone)[0]).Scan(&s.rows, &s.hash); err != nil {
		err = fmt.Errorf("reading the rows that are left: %w", err)
	}
	return s, err
}

// prepare reads from a table that no way has touched what each of them must
// leave.
func (l *ledgerBook) prepare(ctx context.Context) error {
	step := l.lab.Setup("the ledger's rows")
	defer step.Done()
	// Of the catalogs too, so that no way has anything to mend there.
	if err := postgres.Execute(ctx, l.conn, "VACUUM (FREEZE)"); err != nil {
		return fmt.Errorf("freezing the catalogs: %w", err)
	}
	if err := l.plant(ctx, false); err != nil {
		return err
	}
	if err := l.choose(ctx, l.conn); err != nil {
		return err
	}
	return l.clear(ctx)
}

// plant makes the table, alike each time, and freezes it, as old rows are.
func (l *ledgerBook) plant(ctx context.Context, parts bool) error {
	file := "plain"
	if parts {
		file = "parts"
	}
	statements := ledgerSQL(file, "all_rows", strconv.Itoa(l.rows), "last_old", strconv.Itoa(mostOfIt.rows(l.rows)), "payload", sourcePayload)
	return postgres.Execute(ctx, l.conn, append(statements, "VACUUM (FREEZE, ANALYZE) t_large")...)
}

// clear drops the table.
func (l *ledgerBook) clear(ctx context.Context) error {
	return postgres.Execute(ctx, l.conn, "DROP TABLE IF EXISTS t_large")
}

// choose decides which rows go for every share, and reads which must be left.
func (l *ledgerBook) choose(ctx context.Context, conn *pgx.Conn) error {
	seed := l.lab.Rand("ledger/scattered").Int64()
	for _, w := range ledgerWays(l.rows) {
		if _, known := l.gone[w.share]; known {
			continue
		}
		condition, err := l.condition(ctx, conn, w.share, seed)
		if err != nil {
			return err
		}
		left, err := readSurvivors(ctx, conn, condition)
		if err != nil {
			return err
		}
		if want := int64(l.rows - w.share.rows(l.rows)); left.rows != want {
			return fmt.Errorf("removing %s would leave %d rows, expected %d", w.share, left.rows, want)
		}
		l.gone[w.share], l.stay[w.share] = condition, left
	}
	return nil
}

// condition says in SQL which rows go. When all of them go it is true, which
// the planner leaves out of the plan.
func (l *ledgerBook) condition(ctx context.Context, conn *pgx.Conn, s share, seed int64) (string, error) {
	gone := s.rows(l.rows)
	if s == everything {
		return "true", nil
	}
	if !s.scattered {
		return fmt.Sprintf("id <= %d", gone), nil
	}
	var threshold int64
	sql := ledgerSQL("threshold", "seed", strconv.FormatInt(seed, 10), "rows_gone", strconv.Itoa(gone))[0]
	if err := conn.QueryRow(ctx, sql).Scan(&threshold); err != nil {
		return "", fmt.Errorf("scattering %d rows: %w", gone, err)
	}
	return fmt.Sprintf("hashint8extended(id, %d) <= %d", seed, threshold), nil
}
