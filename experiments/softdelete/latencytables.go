package softdelete

import "deletecost/runner"

// latencyTables are filled by every condition in turn.
type latencyTables struct {
	samples, noise, queries, fix, ratios, added *runner.Table
}

// summaryColumns are those of one reading's samples.
var summaryColumns = []runner.Column{
	{Name: "iterations"},
	{Name: "p50_s", Unit: "s"}, {Name: "p50_low_s", Unit: "s"}, {Name: "p50_high_s", Unit: "s"},
	{Name: "p95_s", Unit: "s"}, {Name: "p95_low_s", Unit: "s"}, {Name: "p95_high_s", Unit: "s"},
	{Name: "p99_s", Unit: "s"}, {Name: "p99_low_s", Unit: "s"}, {Name: "p99_high_s", Unit: "s"},
	{Name: "mean_s", Unit: "s"}, {Name: "min_s", Unit: "s"}, {Name: "max_s", Unit: "s"},
	{Name: "steady", Text: true, Meaning: "no trend over the blocks (Mann-Kendall, 1 %)"},
}

func (b *bench) latencyTables() latencyTables {
	word := func(name, meaning string) runner.Column {
		return runner.Column{Name: name, Text: true, Meaning: meaning}
	}
	return latencyTables{
		samples: b.out.Table(runner.TableSpec{Name: "latency_samples", Raw: true, Title: "Every timed execution, in order within its arm",
			Columns: []runner.Column{word("condition", ""), word("arm", ""), {Name: "block"}, {Name: "execution"}, {Name: "seconds", Unit: "s"}}}),
		noise: b.out.Table(runner.TableSpec{Name: "latency_noise", Raw: true, Title: "What disturbed each block",
			Columns: []runner.Column{word("condition", ""), {Name: "block"}, {Name: "steal_s", Unit: "s", Meaning: "CPU time that the hypervisor took, all CPUs"},
				{Name: "involuntary_switches", Meaning: "of the timing process"}, word("noisy", "steal above 0")}}),
		queries: b.out.Table(runner.TableSpec{Name: "query_latency", Title: "Latency of both queries on both tables, corrected arm",
			Note:    "Client side, from sending the query to reading its last row. Everything is in shared buffers. Quantile intervals come from resampling whole blocks (95 %).",
			Columns: append([]runner.Column{word("table_name", ""), word("query_type", ""), word("condition", "")}, summaryColumns...)}),
		fix: b.out.Table(runner.TableSpec{Name: "partial_index_fix", Title: "Active rows through the full index, the partial index, and on the hard table",
			Note:    "The full and the partial index were timed in turns on two byte-for-byte copies of the same table.",
			Columns: append([]runner.Column{word("variant", ""), word("condition", "")}, summaryColumns...)}),
		ratios: b.out.Table(runner.TableSpec{Name: "latency_ratios", Title: "Ratios of latencies, with intervals",
			Note: "p50: median over blocks of the ratio of block medians, with its exact order-statistic interval. p99: ratio of the two p99s, resampling whole blocks. A ratio nearer to 1 than the floor (the same table against itself in the same blocks) cannot be told from 1.",
			Columns: []runner.Column{word("condition", ""), word("comparison", ""), word("quantile", ""),
				{Name: "ratio", Unit: "x"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"},
				{Name: "level", Meaning: "coverage of the interval"}, word("method", "of the interval"), {Name: "blocks"},
				{Name: "autocorrelation", Meaning: "lag 1, of the logarithm of the block ratios"}, {Name: "floor", Unit: "x", Meaning: "far end of the interval of the arm against itself"},
				word("told_from_1", "the ratio is further from 1 than the floor")}}),
		added: b.out.Table(runner.TableSpec{Name: "added_round_trip", Title: "The injected round trip, checked with SELECT 1",
			Note:    "Valid when the median of the checks is within 5 µs or 2 % of what was asked for; figures that rest on an invalid one are not quoted.",
			Columns: []runner.Column{word("check", ""), {Name: "asked_s", Unit: "s"}, {Name: "measured_s", Unit: "s", Meaning: "median of SELECT 1 with the delay less the median without, after an equal idle time"}, word("valid", "")}}),
	}
}
