package softdelete

import (
	"fmt"

	"deletecost/runner"
)

// findings points every claim of the source at its measured value.
func (b *bench) findings() {
	if k := b.smaller(); k != "" {
		b.out.BelowPublished(k)
	}
	b.sizeFindings()
	b.indexFindings()
	b.planFindings()
	b.latencyFindings()
	b.confoundFindings()
}

// smaller says in what the run is below the published size, "" if in nothing.
func (b *bench) smaller() string {
	cycles, insert, percent, iterations := b.lab.Knob("cycles"), b.lab.Knob("insert"), b.lab.Knob("remove_percent"), b.lab.Knob("iterations")
	if cycles == 50 && insert == 5000 && percent == 98 && iterations >= 1000 {
		return ""
	}
	return fmt.Sprintf("%d cycles of %d rows with %d %% removed and %d iterations, where the source had 50 cycles of 5,000 with 98 %% and 1,000", cycles, insert, percent, iterations)
}

const slip = "the source looks for victims in max(id)+1 and the 4,999 ids above; when the newest rows of the hard table were deleted, that window starts too low and the end of the batch can never be picked"

func (b *bench) sizeFindings() {
	p, c := b.at.sizes[asPublished], b.at.sizes[corrected]
	s, h := b.at.soft[asPublished], b.at.hard[asPublished]
	out := b.out
	out.Measured("s1.heap_ratio", runner.Say("VACUUM gives the space of deleted rows back to later inserts and finds nothing to give back among soft-deleted ones; with the same active rows in both tables (corrected arm) it is {}", c["heap"]), p["heap"])
	out.Measured("s1.total_ratio", runner.Say("the indexes of the hard table stay large (see s1.leaf_density), so the total differs less than the heap; corrected arm {}", c["total"]), p["total"])
	out.Measured("s1.index_ratio", runner.Say("inserts always go to the right end of a rising key and VACUUM does not merge the nearly empty pages that they leave, so the hard index is nearly as large as the soft one; corrected arm {}", c["index on created_at"]), p["index on created_at"])
	out.Measured("s1.live_ratio", runner.Say("a soft-deleted row is a live row to PostgreSQL; with a correct window of victims the ratio is {}", c["live rows"]), p["live rows"])
	out.Measured("s1.soft_heap", runner.Say("the same number of rows of the same width fills the same pages"), s["heap"])
	out.Measured("s1.hard_heap", runner.Say("one batch and what has survived before it; how much survives depends on how often the window slips; corrected arm {}", b.at.hard[corrected]["heap"]), h["heap"])
	out.Measured("s1.soft_total", runner.Say("heap {} and the index on created_at {} are equal in every run; the primary key moves by a few pages", s["heap"], s["index on created_at"]), s["total"])
	out.Measured("s1.hard_total", runner.Say("of which the index on created_at is {} and the heap {}", h["index on created_at"], h["heap"]), h["total"])
	out.Measured("s1.soft_live", runner.Say("every row ever inserted is still there"), s["live rows"])
	out.Measured("s1.hard_live", runner.Say("a true count that the source's own harness made: "+slip+". Corrected: {}", b.at.hard[corrected]["live rows"]),
		h["live rows"].Named("as published"), b.at.hard[corrected]["live rows"].Named("corrected"))
	out.Measured("s1.pk_sizes", runner.Say("both keys rise, so both indexes keep the pages of removed rows until a whole page is empty"),
		h["primary key"].Named("hard"), s["primary key"].Named("soft"))
}

func (b *bench) indexFindings() {
	g, ch := b.at.health, b.at.change
	out := b.out
	out.Measured("s1.partial_index_size", runner.Say("a new B-tree over the active rows only"), ch["partial bytes"])
	out.Measured("s1.full_index_size", runner.Say("one entry a row version that VACUUM has left, over every row ever inserted"), ch["full bytes"])
	out.Measured("s1.hard_index_size", runner.Say("the clustered survivors of the slipped window keep fewer pages alive; with a correct window the same index has {}", g[corrected]["index_bytes"]),
		g[asPublished]["index_bytes"].Named("as published"), g[corrected]["index_bytes"].Named("corrected"))
	out.Measured("s1.partial_size_ratio", runner.Say("{} against {}: most of it is the predicate, a part is that the partial index is new and the full one has grown through every cycle", ch["full bytes"], ch["partial bytes"]), ch["bytes ratio"])
	out.Measured("s1.leaf_density", runner.Say("each batch fills new pages at the right end and leaves two rows in a hundred on them; VACUUM removes only pages that are entirely empty"),
		g[asPublished]["avg_leaf_density"].Named("as published"), g[corrected]["avg_leaf_density"].Named("corrected"))
	out.Measured("s1.leaf_fragmentation", runner.Say("the index is descending and the key rises, so each new leaf page goes to the left of the one before; corrected arm {}", g[corrected]["leaf_fragmentation"]), g[asPublished]["leaf_fragmentation"])
}

func (b *bench) planFindings() {
	x, ch, out := b.at.explain, b.at.change, b.out
	full, partial := x["explain_active_rows_soft_before_partial"], x["explain_active_rows_soft_partial"]
	r := b.at.removed[asPublished]
	out.Measured("s1.rows_removed_soft", runner.Say("the published 1,948 is one draw of a random quantity: it lies at {} of the expected distribution, whose mean is {} and which holds 95 % between {} and {}; {} of the {} draws of this run lie inside, and the newest batch gave {}",
		r["published_percentile"], r["expected_mean"], r["expected_low"], r["expected_high"], r["inside"], r["draws"], r["newest"]), r["median"].Named("median of the draws"))
	out.Measured("s1.rows_removed_hard", runner.Say("no row of the hard table has deleted_at set"), x["explain_active_rows_hard"]["rows_removed_by_filter"])
	out.Measured("s1.partial_rows_removed", runner.Say("the index holds active rows only, and the plan has no filter: {}", partial["plan_nodes"]), partial["rows_removed_by_filter"])
	out.Measured("s1.buffers_full", runner.Say("rows were removed in random physical order, so nearly every removed row that the scan passes costs one heap page: {} hit for {} removed", full["shared_hit_blocks"], full["rows_removed_by_filter"]),
		full["shared_hit_blocks"].Named("hit"), full["hit_beyond_removed"].Named("hit beyond rows removed"))
	out.Measured("s1.buffers_partial", runner.Say("the pages of the 50 active rows and of a small index"), partial["shared_hit_blocks"])
	out.Measured("s1.buffers_ratio", runner.Say("{} against {}", full["shared_hit_blocks"], partial["shared_hit_blocks"]), ch["buffers ratio"])
	out.Measured("s1.exec_ratio", runner.Say("{} against {} under EXPLAIN", full["execution_time_s"], partial["execution_time_s"]), ch["execution ratio"])
	out.Measured("s1.plan_shape", runner.Say("from {} on {} to {} on {}", full["plan_nodes"], full["index_used"], partial["plan_nodes"], partial["index_used"]), b.at.checks["plan shape"])
}

func (b *bench) confoundFindings() {
	r := b.at.removed[notAnalyzed]
	b.out.Measured("s1.confound_no_analyze", runner.Say("the planner has no figure for deleted_at IS NULL and falls back on a default; the hard table then costs {} of the soft one, and {} after ANALYZE", b.at.checks["missing analyze ratio"], b.at.checks["after analyze ratio"]), b.at.checks["missing analyze"])
	b.out.Measured("s1.confound_gentle_churn", runner.Say("expected {}, 95 % between {} and {}; {} of {} draws lie inside", r["expected_mean"], r["expected_low"], r["expected_high"], r["inside"], r["draws"]), r["median"].Named("median of the draws"))
}
