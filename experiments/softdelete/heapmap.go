package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

const (
	heapStrips    = 20 // into which the longest heap is cut
	heapSnapshots = 5  // over the cycles
)

var heapMapTable = runner.TableSpec{Name: "heap_map", Title: "The heap in strips of pages, before VACUUM",
	Note: "Each row is a strip of neighbouring pages. Shares are of the bytes that rows and line pointers may use: what VACUUM is about to give back is dead, what it has given back is free. A strip beyond the end of the heap is n/a.",
	Columns: []runner.Column{word("table_name", ""), {Name: "cycle", Meaning: "number of the cycle, from 1"}, {Name: "strip", Meaning: "position in the heap, from its start"},
		{Name: "active", Meaning: "active rows"}, {Name: "removed", Meaning: "soft-deleted rows"}, {Name: "dead", Meaning: "dead rows"}, {Name: "free", Meaning: "free space"},
		{Name: "pages", Unit: "pages"}}}

// heapMap churns both tables once more and looks at their pages, after the
// removal and before VACUUM of some cycles.
func (b *bench) heapMap() func(context.Context) error {
	t := b.out.Table(heapMapTable)
	b.out.Figure(runner.Figure{Name: "heap_map", Title: "The heap of both tables, strip by strip",
		HowToRead: "Each line is a cycle after its removal and before VACUUM, each cell a strip of pages from the start of the heap. Both tables hold the same active rows.",
		Layers: []runner.Layer{
			{Mark: runner.Heap, Table: "heap_map", X: "strip", Y: "cycle", Parts: heapParts, Label: hard, Where: map[string]string{"table_name": hard}},
			{Mark: runner.Heap, Table: "heap_map", X: "strip", Y: "cycle", Parts: heapParts, Label: soft, Where: map[string]string{"table_name": soft}}}})
	return func(ctx context.Context) error {
		conn, err := b.newDatabase(ctx, "heap_map", "order")
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		// The removing session may not join by a hash, and the picture must.
		viewer, err := b.connect(ctx, "heap_map")
		if err != nil {
			return err
		}
		defer viewer.Close(ctx)
		if _, err := viewer.Exec(ctx, "CREATE EXTENSION pageinspect"); err != nil {
			return fmt.Errorf("preparing to read pages: %w", err)
		}
		return b.mapChurn(ctx, conn, viewer, t)
	}
}

var heapParts = []string{"active", "removed", "dead", "free"}

// mapChurn runs the first cycles of the corrected arm and looks at the heap in
// those that are spread evenly over them.
func (b *bench) mapChurn(ctx context.Context, conn, viewer *pgx.Conn, t *runner.Table) error {
	cycles, insert := b.lab.Knob("beyond_cycles"), b.lab.Knob("insert")
	victims := insert * b.lab.Knob("remove_percent") / 100
	pages := b.expectedPages(cycles)
	rng := b.lab.Rand("churn/" + corrected)
	for cycle := range cycles {
		seed := rng.Float64()
		first := int64(cycle*insert) + 1
		for _, table := range []string{hard, soft} {
			if _, err := conn.Exec(ctx, "SELECT setseed($1)", seed); err != nil {
				return err
			}
			if _, err := conn.Exec(ctx, statement("insert", table), insert); err != nil {
				return err
			}
			tag, err := conn.Exec(ctx, arm{}.removal(table), first, first+int64(insert)-1, victims)
			if err != nil {
				return err
			}
			if tag.RowsAffected() != int64(victims) {
				return fmt.Errorf("removed %d rows of %s, expected %d", tag.RowsAffected(), table, victims)
			}
			if shown(cycle, cycles) {
				if err := mapHeap(ctx, viewer, table, cycle, pages, t); err != nil {
					return err
				}
			}
			if err := vacuum(ctx, conn, table, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// shown picks the cycles of the picture, the last one included.
func shown(cycle, cycles int) bool {
	n := min(heapSnapshots, cycles)
	return (cycle+1)*n/cycles > cycle*n/cycles
}

// rowsAPage is a little less than what fits a page of this schema, so that the
// strips reach a little beyond the end of the longest heap: a row with
// deleted_at has 168 bytes and a line pointer of 4.
const rowsAPage = 46

// expectedPages is how many pages the soft heap will have at the most: every
// row, and the new versions of one batch.
func (b *bench) expectedPages(cycles int) int {
	insert, percent := b.lab.Knob("insert"), b.lab.Knob("remove_percent")
	rows := cycles*insert + insert*percent/100
	return max(heapStrips, (rows+rowsAPage-1)/rowsAPage)
}
