package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// bloatColumns are named as in the source's bloat_over_time.csv.
var bloatColumns = []runner.Column{
	{Name: "table_bytes", Unit: "bytes", Meaning: "heap, main fork"},
	{Name: "total_bytes", Unit: "bytes", Meaning: "heap, indexes and all forks"},
	{Name: "pk_index_bytes", Unit: "bytes", Meaning: "primary key's index"},
	{Name: "secondary_index_bytes", Unit: "bytes", Meaning: "index on created_at"},
	{Name: "n_live_tup", Unit: "rows", Meaning: "live rows as the statistics say"},
	{Name: "n_dead_tup", Unit: "rows", Meaning: "dead rows as the statistics say"},
	{Name: "index_count", Meaning: "number of indexes"},
	{Name: "cycle", Meaning: "number of the cycle, from 1"},
	{Name: "table_name", Text: true, Meaning: "table"},
	{Name: "inserted", Unit: "rows", Meaning: "inserted in the cycle"},
	{Name: "removed", Unit: "rows", Meaning: "removed in the cycle, as the server counted them"},
}

// churn runs every arm in a database of its own, two at a time: what VACUUM
// may remove depends on transactions of its own database only, and nothing
// here is timed.
func (b *bench) churn(ctx context.Context) error {
	all := arms(b.lab.Knob("remove_percent"))
	cycles := b.lab.Knob("cycles")
	step := b.lab.Step("churn", len(all)*cycles)
	defer step.Done()
	b.drift = b.out.Table(driftTable)
	b.bloat, b.first = map[string]*runner.Table{}, map[int]int64{}
	if err := b.createDatabases(ctx, all); err != nil {
		return err
	}
	together, ctx := errgroup.WithContext(ctx)
	together.SetLimit(2)
	for _, a := range all {
		bloat := b.out.Table(runner.TableSpec{Name: a.bloat, Title: "Sizes after each cycle: " + a.title, Columns: bloatColumns})
		b.bloat[a.database] = bloat
		together.Go(func() error {
			if err := b.churnArm(ctx, a, bloat, step); err != nil {
				return fmt.Errorf("churning %q: %w", a.title, err)
			}
			return nil
		})
	}
	if err := together.Wait(); err != nil {
		return err
	}
	if err := b.slips(); err != nil {
		return err
	}
	b.churnFigures()
	return nil
}

func (b *bench) createDatabases(ctx context.Context, all []arm) error {
	conn, err := b.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, a := range all {
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+a.database); err != nil {
			return fmt.Errorf("creating database %q: %w", a.database, err)
		}
	}
	return nil
}

func (b *bench) churnArm(ctx context.Context, a arm, bloat *runner.Table, step *runner.Step) error {
	conn, err := b.connect(ctx, a.database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement("schema", "")); err != nil {
		return fmt.Errorf("creating the tables: %w", err)
	}
	if _, err := conn.Exec(ctx, statement("order", "")); err != nil {
		return fmt.Errorf("fixing the order of removal: %w", err)
	}
	// One seed for both tables makes their batches and victims the same.
	rng := b.lab.Rand("churn/" + a.database)
	for cycle := range b.lab.Knob("cycles") {
		seed := rng.Float64()
		for _, table := range []string{hard, soft} {
			if err := b.churnTable(ctx, conn, a, table, cycle, seed, bloat); err != nil {
				return fmt.Errorf("cycle %d of %s: %w", cycle+1, table, err)
			}
		}
		step.Advance(1)
	}
	return nil
}

// churnTable runs one cycle on one table and notes the sizes.
func (b *bench) churnTable(ctx context.Context, conn *pgx.Conn, a arm, table string, cycle int, seed float64, bloat *runner.Table) error {
	insert := b.lab.Knob("insert")
	first := int64(cycle*insert) + 1
	if a.slips {
		if err := conn.QueryRow(ctx, "SELECT coalesce(max(id), 0) + 1 FROM "+table).Scan(&first); err != nil {
			return err
		}
	}
	if a.slips && table == hard {
		b.first[cycle] = first // no other arm writes here
	}
	if _, err := conn.Exec(ctx, "SELECT setseed($1)", seed); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, statement("insert", table), insert); err != nil {
		return err
	}
	victims := insert * a.percent / 100
	tag, err := conn.Exec(ctx, a.removal(table), first, first+int64(insert)-1, victims)
	if err != nil {
		return err
	}
	// Only the source's own choice of victims may fall short, and only there.
	if removed := tag.RowsAffected(); removed != int64(victims) && !(a.slips && table == hard && removed < int64(victims)) {
		return fmt.Errorf("removed %d rows, expected %d", removed, victims)
	}
	if err := vacuum(ctx, conn, table, a.analyze); err != nil {
		return err
	}
	s, err := instrument.ReadSizes(ctx, conn, table)
	if err != nil {
		return err
	}
	bloat.Add(s.Heap, s.Total, s.PK, s.Secondary, s.Live, s.Dead, s.Indexes, cycle+1, table, insert, tag.RowsAffected())
	if !a.analyze {
		return noteDrift(ctx, conn, table, cycle, b.drift)
	}
	return nil
}

// vacuum flushes the session's pending statistics first: added after VACUUM
// has reported, they would count the removed rows a second time.
func vacuum(ctx context.Context, conn *pgx.Conn, table string, analyze bool) error {
	if _, err := conn.Exec(ctx, "SELECT pg_stat_force_next_flush()"); err != nil {
		return err
	}
	sql := "VACUUM " + table
	if analyze {
		sql = "VACUUM (ANALYZE) " + table
	}
	_, err := conn.Exec(ctx, sql)
	return err
}

// connect opens a session in one of the experiment's databases.
func (b *bench) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	config := b.server.ConnConfig()
	config.Database = database
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to database %q: %w", database, err)
	}
	return conn, nil
}
