package bulkdelete

import "deletecost/runner"

func (a *asides) passFigure() {
	a.out.Figure(runner.Figure{Name: "index_passes", Title: "Passes of VACUUM over an index, by maintenance_work_mem",
		HowToRead: "Beside what the server reported stands what it would be if each dead row took 6 bytes, as it did up to 16.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "index_passes", X: "maintenance_work_mem", Y: "passes", Label: "reported"},
			{Mark: runner.Bar, Table: "index_passes", X: "maintenance_work_mem", Y: "passes_of_6_bytes", Label: "at 6 bytes a dead row"}}})
}

// concludePasses needs both rows: the least memory first.
func (a *asides) concludePasses(t *runner.Table) {
	a.out.Conclude(runner.Say("Passes of VACUUM over the index with {} dead: {} with 1 MB of maintenance_work_mem, where 6 bytes a dead row make {}, and {} with 64 MB; the first VACUUM took {} and {}, the second {} and {}.",
		t.Ref(0, "dead_rows"), t.Ref(0, "passes"), t.Ref(0, "passes_of_6_bytes"), t.Ref(1, "passes"), t.Ref(0, "seconds"), t.Ref(1, "seconds"), t.Ref(0, "again_s"), t.Ref(1, "again_s")))
}
