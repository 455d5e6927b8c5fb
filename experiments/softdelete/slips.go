package softdelete

import (
	"fmt"
	"strconv"

	"deletecost/runner"
)

// slips counts, cycle by cycle, the rows of the hard table that the source's
// own choice of victims should have removed and could not pick.
func (b *bench) slips() error {
	t := b.out.Table(runner.TableSpec{Name: "window_slips", Title: "Rows that the window of victims missed, hard table as published",
		Columns: []runner.Column{{Name: "cycle", Meaning: "number of the cycle, from 1"}, {Name: "asked", Unit: "rows", Meaning: "to be removed"},
			{Name: "removed", Unit: "rows"}, {Name: "missed", Unit: "rows"}, {Name: "missed_so_far", Unit: "rows", Meaning: "rows missed so far"}}})
	asked, total := b.lab.Knob("insert")*b.lab.Knob("remove_percent")/100, 0
	for cycle := range b.lab.Knob("cycles") {
		row, ok := b.bloat[asPublished].Find(map[string]string{"cycle": strconv.Itoa(cycle + 1), "table_name": hard})
		if !ok {
			return fmt.Errorf("counting slips: no sizes of cycle %d", cycle+1)
		}
		removed, err := b.out.Number(b.bloat[asPublished].Ref(row, "removed"))
		if err != nil {
			return err
		}
		missed := asked - int(removed.Value)
		total += missed
		t.Add(cycle+1, asked, int(removed.Value), missed, total)
	}
	return nil
}
