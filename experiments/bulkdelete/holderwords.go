package bulkdelete

import "deletecost/runner"

func (a *asides) holderFigure() {
	a.out.Figure(runner.Figure{Name: "holders", Title: "A queue-like table after VACUUM, by who holds xmin",
		HowToRead: "Every row that was queued is deleted by then. Where nobody holds xmin VACUUM gives the table back at once, and where somebody does only after the holder has let go. holder_cycles.csv has the growth cycle by cycle.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "holders", X: "holder", Y: "heap_bytes", Label: "with the holder"},
			{Mark: runner.Bar, Table: "holders", X: "holder", Y: "heap_bytes_after", Label: "after it has let go"}}})
}

// concludeHolders names one who holds and one who is often taken for a holder.
func (a *asides) concludeHolders(t *runner.Table) {
	at := func(holder, column string) runner.Ref {
		return t.RefWhere(column, map[string]string{"holder": holder})
	}
	a.out.Conclude(runner.Say("Of {} deleted VACUUM leaves {} beside an idle REPEATABLE READ transaction, {} beside a prepared one, {} beside a standby with feedback and an open transaction, and {} after that standby is gone and its slot is not; it leaves {} beside a logical slot, which is seen in {}. Without the holder it leaves {}.",
		at(idleSnapshot, "deleted_rows"), at(idleSnapshot, "dead_rows"), at(preparedWriter, "dead_rows"), at(standbySnapshot, "dead_rows"), at(lostStandby, "dead_rows"),
		at(logicalSlot, "dead_rows"), at(logicalSlot, "seen_in"), at(idleSnapshot, "dead_rows_after")))
}
