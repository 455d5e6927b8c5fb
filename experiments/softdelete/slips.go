package softdelete

import (
	"fmt"
	"strconv"

	"deletecost/runner"
)

var slipsTable = runner.TableSpec{Name: "window_slips", Title: "How far the source's window of victims slipped, hard table",
	Note: "The window begins slip ids too low, so the newest slip rows of the batch cannot be picked in that cycle. As long as enough other rows are left the full number is removed all the same, from fewer candidates: the survivors are then clustered at the end of the batch. Only a longer slip leaves more rows than it should.",
	Columns: []runner.Column{{Name: "cycle", Meaning: "number of the cycle, from 1"},
		{Name: "slip", Unit: "rows", Meaning: "first id of the batch less first id of the window"},
		{Name: "asked", Unit: "rows", Meaning: "to be removed"}, {Name: "removed", Unit: "rows"},
		{Name: "too_many_left", Unit: "rows", Meaning: "asked less removed, all cycles so far"}}}

// slips notes how far the source's own choice of victims missed each batch.
func (b *bench) slips() error {
	t := b.out.Table(slipsTable)
	insert := b.lab.Knob("insert")
	asked, left, slipped := insert*b.lab.Knob("remove_percent")/100, 0, 0
	for cycle := range b.lab.Knob("cycles") {
		row, ok := b.bloat[asPublished].Find(map[string]string{"cycle": strconv.Itoa(cycle + 1), "table_name": hard})
		if !ok {
			return fmt.Errorf("counting slips: no sizes of cycle %d", cycle+1)
		}
		removed, err := b.out.Number(b.bloat[asPublished].Ref(row, "removed"))
		if err != nil {
			return err
		}
		slip := int64(cycle*insert) + 1 - b.first[cycle]
		if slip > 0 {
			slipped++
		}
		left += asked - int(removed.Value)
		t.Add(cycle+1, slip, asked, int(removed.Value), left)
	}
	summary := b.out.Table(runner.TableSpec{Name: "window_slips_summary", Title: "Slips of the window, all cycles",
		Columns: []runner.Column{{Name: "cycles"}, {Name: "slipped", Meaning: "cycles in which the window began too low"}, {Name: "too_many_left", Unit: "rows"}}})
	row := summary.Add(b.lab.Knob("cycles"), slipped, left)
	b.at.slips = cells(summary, row, "cycles", "slipped", "too_many_left")
	return nil
}
