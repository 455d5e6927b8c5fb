package softdelete

import "deletecost/runner"

var waysTable = runner.TableSpec{Name: "ways", Title: "Four ways to remove a row, with the same active rows at the end",
	Note: "Space of removed rows is told apart only where they have a relation of their own; a soft-deleted row counts on the active side, where readers pass it. WAL is a sum of LSN differences, which are not exact, with the least and the most of one removal; times are of one removal, the median with the range over the cycles, and are not judged.",
	Columns: []runner.Column{word("way", ""),
		{Name: "active_heap_bytes", Unit: "bytes", Meaning: "heap that holds the active rows"}, {Name: "active_index_bytes", Unit: "bytes", Meaning: "its indexes"},
		{Name: "removed_heap_bytes", Unit: "bytes", Meaning: "heap of removed rows alone"}, {Name: "removed_index_bytes", Unit: "bytes", Meaning: "its indexes"},
		{Name: "removed_rows", Unit: "rows", Meaning: "rows in that heap"},
		{Name: "total_bytes", Unit: "bytes", Meaning: "both sides, with all forks"}, {Name: "active_rows", Unit: "rows"},
		word("plan_nodes", "the 50 newest active rows"), {Name: "rows_removed_by_filter", Unit: "rows", Meaning: "by that query"}, {Name: "shared_buffers", Unit: "buffers", Meaning: "hit and read by that query"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "of all removals"}, {Name: "wal_low_bytes", Unit: "bytes", Meaning: "the least of one removal"}, {Name: "wal_high_bytes", Unit: "bytes", Meaning: "the most of one removal"},
		{Name: "removal_s", Unit: "s", Meaning: "median of one removal"}, {Name: "removal_low_s", Unit: "s"}, {Name: "removal_high_s", Unit: "s"}}}

var wayRemovalsTable = runner.TableSpec{Name: "way_removals", Raw: true, Title: "Every removal of the four ways, in the order in which they ran",
	Columns: []runner.Column{word("way", ""), {Name: "cycle", Meaning: "number of the cycle, from 1"}, {Name: "removed", Unit: "rows"}, {Name: "seconds", Unit: "s"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "LSN difference"}, {Name: "total_bytes", Unit: "bytes", Meaning: "both sides with indexes and all forks, after VACUUM"}}}

var waySurvivorsTable = runner.TableSpec{Name: "way_survivors", Title: "Active rows of the four ways and of the corrected arm",
	Note:    "The digest is SHA-256 over the active rows, without created_at, of the cycles that both ran. Equal digests: every way holds the same active rows as the corrected arm. The run fails when they differ.",
	Columns: []runner.Column{word("way", ""), {Name: "cycles", Meaning: "compared"}, {Name: "active_rows", Unit: "rows", Meaning: "of those cycles"}, word("digest", "")}}

func (b *bench) explainWays() {
	b.out.Explain("The four ways to remove a row are churned in turns, cycle by cycle in an order drawn from the seed, by the same code with the batches and victims of the corrected arm: hard and soft delete in one database, the other two in one each. In a cycle every way inserts, then each removes in its turn, alone, in one statement that commits by itself, and then VACUUM (ANALYZE) runs on every table. Only removals are timed, so inserts and VACUUM run in two databases at a time. Moved rows go to a table with the same two indexes in that one statement. The partitioned table has one partition for active and one for removed rows; its soft delete is an UPDATE that moves the row, and its primary key must hold the partition key, so one id in both partitions is no longer refused.")
}

// wayFigures show what the ways take and what they write.
func (b *bench) wayFigures() {
	b.out.Figure(runner.Figure{Name: "way_sizes", Title: "What four ways to remove a row leave on disk",
		HowToRead: "Bars of one way add up to its space. Where there is no bar for removed rows they are gone (hard delete) or in the heap and indexes of the active rows (soft delete).",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "ways", X: "way", Y: "active_heap_bytes", Label: "heap with the active rows"},
			{Mark: runner.Bar, Table: "ways", X: "way", Y: "active_index_bytes", Label: "its indexes"},
			{Mark: runner.Bar, Table: "ways", X: "way", Y: "removed_heap_bytes", Label: "heap of removed rows alone"},
			{Mark: runner.Bar, Table: "ways", X: "way", Y: "removed_index_bytes", Label: "its indexes, removed rows"}}})
	b.out.Figure(runner.Figure{Name: "way_growth", Title: "Space of the four ways over the cycles",
		HowToRead: "Indexes, both sides and all forks, after each VACUUM. All but hard delete keep every row; the lines tell how much room that takes.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "way_removals", X: "cycle", Y: "total_bytes", By: "way"}}})
	b.out.Figure(runner.Figure{Name: "way_wal", Title: "WAL of one removal, by way",
		HowToRead: "A point is one cycle's LSN difference. A row that moves is written whole and gets new index entries; a deleted one only gets its mark.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "way_removals", X: "cycle", Y: "wal_bytes", By: "way"}}})
}
