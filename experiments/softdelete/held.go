package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// heldOpen churns the hard table while another session of the same database
// keeps a snapshot, and then lets go.
func (b *bench) heldOpen() func(context.Context) error {
	bloat := b.out.Table(runner.TableSpec{Name: "bloat_over_time_held", Title: "Sizes after each cycle: hard delete with a transaction held open", Columns: bloatColumns})
	after := b.out.Table(runner.TableSpec{Name: "held_open", Title: "Hard delete with a transaction held open",
		Note: "The transaction took its snapshot before the first cycle and did nothing more. Space inside of the heap is free after VACUUM and stays with the table.",
		Columns: []runner.Column{word("moment", ""), {Name: "table_bytes", Unit: "bytes"}, {Name: "total_bytes", Unit: "bytes"},
			{Name: "n_live_tup", Unit: "rows"}, {Name: "n_dead_tup", Unit: "rows", Meaning: "dead rows that VACUUM could not remove"}}})
	return func(ctx context.Context) error {
		conn, err := b.newDatabase(ctx, "held_open", "order")
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		holder, err := b.connect(ctx, "held_open")
		if err != nil {
			return err
		}
		defer holder.Close(ctx)
		if _, err := holder.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM "+hard); err != nil {
			return fmt.Errorf("holding a transaction open: %w", err)
		}
		if err := b.churnAgain(ctx, conn, []string{hard}, bloat); err != nil {
			return err
		}
		if err := addMoment(ctx, conn, after, "held open"); err != nil {
			return err
		}
		if _, err := holder.Exec(ctx, "COMMIT"); err != nil {
			return fmt.Errorf("ending the held transaction: %w", err)
		}
		if err := vacuum(ctx, conn, hard, true); err != nil {
			return err
		}
		return addMoment(ctx, conn, after, "ended, and VACUUM")
	}
}

func addMoment(ctx context.Context, conn *pgx.Conn, t *runner.Table, moment string) error {
	s, err := instrument.ReadSizes(ctx, conn, hard)
	if err != nil {
		return err
	}
	t.Add(moment, s.Heap, s.Total, s.Live, s.Dead)
	return nil
}
