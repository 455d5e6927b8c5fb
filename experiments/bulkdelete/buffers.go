package bulkdelete

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// dropBlocks compare arms of less than 10 ms.
const dropBlocks = 40

// smallBuffers is the default of shared_buffers, in MB.
const smallBuffers = 128

var dropBuffersTable = runner.TableSpec{Name: "drop_buffers", Title: "DROP of an empty table, by shared_buffers",
	Note: "DROP looks for pages of the table in all of shared_buffers, whatever its size and theirs. fsync is off here, so that the flush of its commit does not stand before it. A DROP and its commit are timed, CREATE is not.", Columns: armColumns("shared_buffers")}

// dropBuffers times DROP on two servers in turns. The large one is left out
// when the knob is 0.
func (a *asides) dropBuffers(ctx context.Context) error {
	large := a.lab.Knob("drop_large_mb")
	if large == 0 {
		a.out.NotShown("DROP against shared_buffers: drop_large_mb is 0")
		return nil
	}
	name := func(mb int) string { return strconv.Itoa(mb) + " MB" }
	var arms []runner.Arm
	var sessions []*pgx.Conn
	for _, s := range []struct {
		mb  int
		arm string
	}{{smallBuffers, name(smallBuffers)}, {smallBuffers, againstItself(name(smallBuffers))}, {large, name(large)}} {
		conn, err := a.on(ctx, asideServer{name: fmt.Sprintf("shared_buffers_%d", s.mb), overrides: map[string]string{"shared_buffers": fmt.Sprintf("%dMB", s.mb), "fsync": "off"}})
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx))
		sessions = append(sessions, conn)
		arms = append(arms, runner.Arm{Name: s.arm, Once: func(ctx context.Context) (time.Duration, error) { return dropOnce(ctx, conn) }})
	}
	t := a.out.Table(dropBuffersTable)
	if err := a.compareArms(ctx, runner.Turns{Name: "drop_buffers", Arms: arms, Blocks: dropBlocks, Sessions: sessions}, t); err != nil {
		return err
	}
	a.out.Figure(runner.Figure{Name: "drop_buffers", Title: "Time of DROP, by shared_buffers",
		HowToRead: "The table is empty each time. The second line is the first once more: what lies between the two is noise.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "drop_buffers", X: "shared_buffers", Y: "seconds", Low: "seconds_low", High: "seconds_high"}}})
	a.out.Conclude(runner.Say("DROP of an empty table takes {} with "+name(smallBuffers)+" of shared_buffers and {} with "+name(large)+", which is {} of the time.",
		t.Ref(0, "seconds"), t.Ref(2, "seconds"), t.RefRatio(2, "ratio", "ratio_low", "ratio_high", "noise_floor")))
	return nil
}

// dropOnce makes a table and times its DROP, after which it must be gone.
func dropOnce(ctx context.Context, conn *pgx.Conn) (time.Duration, error) {
	ctx = context.WithoutCancel(ctx)
	if err := postgres.Execute(ctx, conn, "CREATE TABLE t_drop (id integer)"); err != nil {
		return 0, err
	}
	start := time.Now()
	results, err := conn.PgConn().Exec(ctx, "DROP TABLE t_drop").ReadAll()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("dropping: %w", err)
	}
	if tag := results[0].CommandTag.String(); tag != "DROP TABLE" {
		return 0, fmt.Errorf("dropping: the server answers %q", tag)
	}
	return took, nil
}
