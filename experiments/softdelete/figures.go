package softdelete

import "deletecost/runner"

// figures draws what the tables hold.
func (b *bench) figures() {
	b.out.Figure(runner.Figure{Name: "heap_over_time", Title: "Heap of both tables over the cycles, as published",
		HowToRead: "Each cycle inserts a batch, removes most of it again and runs VACUUM. The hard table reuses the space, the soft one only grows.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "bloat_over_time", X: "cycle", Y: "table_bytes", By: "table_name"}}})
	b.out.Figure(runner.Figure{Name: "index_over_time", Title: "Index on created_at over the cycles, as published",
		HowToRead: "The two indexes grow nearly alike although one holds 50 times the rows: VACUUM does not merge the nearly empty leaf pages that deleted rows leave.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "bloat_over_time", X: "cycle", Y: "secondary_index_bytes", By: "table_name"}}})
	b.out.Figure(runner.Figure{Name: "window_slips", Title: "Rows of the hard table that the source's window of victims missed",
		HowToRead: "A step is a batch whose newest rows could not be picked, because rows with the highest ids had been deleted before it. With a correct window the line would stay at 0.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "window_slips", X: "cycle", Y: "missed_so_far", Label: "missed so far"}}})
	b.out.Figure(runner.Figure{Name: "removed_by_churn", Title: "Rows Removed by Filter and the share that is removed",
		HowToRead: "Points are medians over the batches with their interval; the line is the expected mean. The cost of skipping grows with the share of removed rows, not with the size of the table.",
		Layers: []runner.Layer{
			{Mark: runner.Points, Table: "rows_removed", X: "removed_percent", Y: "median", Low: "median_low", High: "median_high", Label: "median of the draws"},
			{Mark: runner.Line, Table: "rows_removed", X: "removed_percent", Y: "expected_mean", Label: "expected mean"}}})
	b.out.Figure(runner.Figure{Name: "active_rows_latency", Title: "Active rows at p50, by condition",
		HowToRead: "The same queries, asked in three ways. The nearer the client, the more of the difference shows; a round trip hides it.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "partial_index_fix", X: "condition", Y: "p50_s", By: "variant", Low: "p50_low_s", High: "p50_high_s"}}})
	b.out.Figure(runner.Figure{Name: "latency_ratios", Title: "Ratios of p50, by condition", YLog: true,
		HowToRead: "Above 1 the first named is slower. Whiskers are intervals; what is nearer to 1 than the arm against itself cannot be told from 1.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "latency_ratios", X: "comparison", Y: "ratio", By: "condition", Low: "ratio_low", High: "ratio_high", Where: map[string]string{"quantile": "p50"}}}})
}
