package softdelete

import "deletecost/runner"

// churnFigures show the tables over the cycles.
func (b *bench) churnFigures() {
	b.out.Figure(runner.Figure{Name: "heap_over_time", Title: "Heap of both tables over the cycles, as published",
		HowToRead: "Each cycle inserts a batch, removes most of it again and runs VACUUM. The hard table reuses the space, the soft one only grows.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "bloat_over_time", X: "cycle", Y: "table_bytes", By: "table_name"}}})
	b.out.Figure(runner.Figure{Name: "index_over_time", Title: "Index on created_at over the cycles, as published",
		HowToRead: "Both grow nearly alike, although VACUUM has removed most entries of the hard one: a leaf page stays as long as one entry is left on it.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "bloat_over_time", X: "cycle", Y: "secondary_index_bytes", By: "table_name"}}})
	b.out.Figure(runner.Figure{Name: "window_slips", Title: "How far the source's window of victims slipped, and the rows it left too many",
		HowToRead: "In a cycle with a bar the window began that many ids too low, so the newest rows of the batch could not be picked. The line counts the rows that were left too many so far; with a correct window both are 0.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "window_slips", X: "cycle", Y: "slip", Label: "slip"},
			{Mark: runner.Line, Table: "window_slips", X: "cycle", Y: "too_many_left", Label: "left too many so far"}}})
}

// drawFigures show the draws against their distribution.
func (b *bench) drawFigures() {
	b.out.Figure(runner.Figure{Name: "removed_by_churn", Title: "Rows Removed by Filter and the share that is removed",
		HowToRead: "Points are medians over the batches with their interval; the line joins the expected means. The work grows with the share of each batch that is removed.",
		Layers: []runner.Layer{
			{Mark: runner.Points, Table: "rows_removed", X: "removed_percent", Y: "median", Low: "median_low", High: "median_high", Label: "median of the draws"},
			{Mark: runner.Line, Table: "rows_removed", X: "removed_percent", Y: "expected_mean", Label: "expected mean"}}})
}

// latencyFigures show what a client sees.
func (b *bench) latencyFigures() {
	b.out.Figure(runner.Figure{Name: "active_rows_latency", Title: "Active rows at p50, by condition",
		HowToRead: "The same queries, asked in three ways. A round trip is added to every bar alike and hides the difference.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "partial_index_fix", X: "condition", Y: "p50_s", By: "variant", Low: "p50_low_s", High: "p50_high_s"}}})
	b.out.Figure(runner.Figure{Name: "latency_ratios", Title: "Ratios of p50, by condition", YLog: true,
		HowToRead: "Above 1 the first named is slower. Whiskers are intervals. The first three rows are the hard table against itself: what is nearer to 1 than they are cannot be told from 1.",
		Layers: []runner.Layer{{Mark: runner.Points, Table: "latency_ratios", X: "comparison", Y: "ratio", By: "condition",
			Low: "ratio_low", High: "ratio_high", Where: map[string]string{"quantile": "p50"}}}})
}
