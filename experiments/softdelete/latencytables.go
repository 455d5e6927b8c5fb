package softdelete

import "deletecost/runner"

// latencyTables are filled by every condition in turn.
type latencyTables struct {
	samples, queries, fix, ratios, added, plans, disturbances *runner.Table
}

// summaryColumns are those of one reading's samples.
var summaryColumns = []runner.Column{
	{Name: "iterations", Meaning: "timed executions"},
	{Name: "p50_s", Unit: "s"}, {Name: "p50_low_s", Unit: "s"}, {Name: "p50_high_s", Unit: "s"},
	{Name: "p95_s", Unit: "s"}, {Name: "p95_low_s", Unit: "s"}, {Name: "p95_high_s", Unit: "s"},
	{Name: "p99_s", Unit: "s"}, {Name: "p99_low_s", Unit: "s"}, {Name: "p99_high_s", Unit: "s"},
	{Name: "mean_s", Unit: "s"}, {Name: "min_s", Unit: "s"}, {Name: "max_s", Unit: "s"},
	{Name: "steady", Text: true, Meaning: "no trend over the blocks (Mann-Kendall, 1 %)"},
}

func word(name, meaning string) runner.Column {
	return runner.Column{Name: name, Text: true, Meaning: meaning}
}

// where is the column that names the condition.
var where = word("condition", "how the client asks")

func (b *bench) latencyTables() latencyTables {
	return latencyTables{
		samples: b.out.Table(runner.TableSpec{Name: "latency_samples", Raw: true, Title: "Every timed execution, in order within its reading",
			Columns: []runner.Column{where, word("reading", "query and table"), {Name: "block", Meaning: "from 0, as in noise.csv"}, {Name: "execution", Meaning: "within the block, from 0"}, {Name: "seconds", Unit: "s"}, word("noisy", "somebody else disturbed the block")}}),
		queries: b.out.Table(runner.TableSpec{Name: "query_latency", Title: "Latency of both queries on both tables, corrected arm",
			Note:    "Client side, from sending the query to reading its last row. Quantile intervals come from resampling whole blocks (95 %).",
			Columns: append([]runner.Column{word("table_name", ""), word("query_type", ""), where}, summaryColumns...)}),
		fix: b.out.Table(runner.TableSpec{Name: "partial_index_fix", Title: "Active rows through the full index, the partial index, and on the hard table",
			Note: "The full and the partial index were timed in turns on two byte-for-byte copies of the same table.",
			Columns: append([]runner.Column{word("variant", ""), where, word("index_used", ""), {Name: "index_size_bytes", Unit: "bytes"},
				{Name: "rows_removed_by_filter", Unit: "rows"}}, summaryColumns...)}),
		ratios:       b.out.Table(ratiosTable),
		added:        b.out.Table(addedTable),
		plans:        b.out.Table(timedPlansTable),
		disturbances: b.out.Table(disturbancesTable),
	}
}

var ratiosTable = runner.TableSpec{Name: "latency_ratios", Title: "Ratios of latencies, with intervals",
	Note: "p50: median over blocks of the ratio of block medians, with its exact order-statistic interval, or from resampled runs of blocks when neighbouring blocks depend on each other. p99: ratio of the two p99s, resampling whole blocks. The floor is the far end of the interval of the same comparison of the hard table with itself; a ratio nearer to 1, or with 1 in its interval, cannot be told from 1.",
	Columns: []runner.Column{where, word("comparison", ""), word("quantile", ""),
		{Name: "ratio", Unit: "x"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"},
		{Name: "level", Meaning: "coverage of the interval"}, word("method", "of the interval"), {Name: "blocks"},
		{Name: "autocorrelation", Meaning: "lag 1, of the logarithms of the block ratios"}, {Name: "autocorrelation_of_scores", Meaning: "lag 1, of their normal scores"},
		{Name: "autocorrelation_limit", Meaning: "5 % limit of independent blocks, for both"},
		{Name: "floor", Unit: "x"}, word("told_from_1", "the interval leaves out 1, and the ratio is further from it than the floor")}}
