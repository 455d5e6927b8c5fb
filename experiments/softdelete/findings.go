package softdelete

import (
	"fmt"

	"deletecost/runner"
)

// minBlocks is the fewest blocks behind a ratio that is judged.
const minBlocks = 40

// differs says what is not as the source had it, "" when nothing is.
func (b *bench) differs() string {
	cycles, insert, percent := b.lab.Knob("cycles"), b.lab.Knob("insert"), b.lab.Knob("remove_percent")
	iterations, blocks := b.lab.Knob("iterations"), b.lab.Knob("blocks")
	if cycles == 50 && insert == 5000 && percent == 98 && iterations >= 1000 && blocks >= minBlocks {
		return ""
	}
	return fmt.Sprintf("%d cycles of %d rows with %d %% removed, %d iterations in %d blocks; the source had 50 cycles of 5,000 with 98 %% and 1,000 iterations, and a ratio needs %d blocks",
		cycles, insert, percent, iterations, blocks, minBlocks)
}

// sizeFindings are the claims on what churn leaves behind.
func (b *bench) sizeFindings() {
	p, c := b.at.sizes[asPublished], b.at.sizes[corrected]
	s, h := b.at.soft[asPublished], b.at.hard[asPublished]
	u, out := b.at.updates, b.out
	out.Measured("s1.heap_ratio", runner.Say("VACUUM gives the space of deleted rows back to later inserts; a soft-deleted row is not dead and keeps its space. With the same active rows in both tables (corrected arm) it is {}", c["heap"]), p["heap"])
	out.Measured("s1.total_ratio", runner.Say("the indexes of the hard table stay large (see s1.index_ratio), so the total differs less than the heap; corrected arm {}", c["total"]), p["total"])
	out.Measured("s1.index_ratio", runner.Say("the index is descending and the key rises, so new entries go to the leftmost page, which splits in half; only the rightmost page is packed. Its half-empty pages take the second entry that each soft delete writes without growing. The primary key rises to the right, its pages are packed, and there the ratio is {}. Corrected arm {}", p["primary key"], c["index on created_at"]), p["index on created_at"])
	out.Measured("s1.live_ratio", runner.Say("a soft-deleted row is a live row to PostgreSQL; with a correct window of victims the ratio is {}", c["live rows"]), p["live rows"])
	out.Measured("s1.soft_heap", runner.Say("the same number of rows of the same width fills the same pages; corrected arm {}", b.at.soft[corrected]["heap"]), s["heap"])
	out.Measured("s1.hard_heap", runner.Say("room for one batch and for what survived before it; how much survives depends on how often the window slips; corrected arm {}", b.at.hard[corrected]["heap"]), h["heap"])
	out.Measured("s1.soft_total", runner.Say("of which the heap {}, the primary key {} and the index on created_at {}", s["heap"], s["primary key"], s["index on created_at"]), s["total"])
	out.Measured("s1.hard_total", runner.Say("of which the heap {}, the primary key {} and the index on created_at {}", h["heap"], h["primary key"], h["index on created_at"]), h["total"])
	out.Measured("s1.soft_live", runner.Say("every row ever inserted is still there"), s["live rows"])
	out.Measured("s1.hard_live", runner.Say("a true count that the source's own harness made: it looks for victims from max(id)+1 upwards, read before the insert, and when the newest rows were deleted that window starts too low, so that the end of the batch cannot be picked. It slipped in {} of {} cycles and left {} too many. Corrected: {}",
		b.at.slips["slipped"], b.at.slips["cycles"], b.at.slips["too_many_left"], b.at.hard[corrected]["live rows"]),
		h["live rows"].Named("as published"), b.at.hard[corrected]["live rows"].Named("corrected"))
	out.Measured("s1.pk_sizes", runner.Say("a soft delete is an UPDATE, and only {} of {} found room on the row's own page (HOT); each of the others writes a second entry, which splits the packed pages of the rising key. VACUUM removes the entries and leaves the pages", u["hot_updates"], u["updates"]),
		h["primary key"].Named("hard"), s["primary key"].Named("soft"))
	b.healthFindings()
}

// healthFindings are the claims that pgstatindex answers.
func (b *bench) healthFindings() {
	g, out := b.at.health, b.out
	p, c, h := g[asPublished+"/"+hard], g[corrected+"/"+hard], b.at.hard[asPublished]
	out.Measured("s1.hard_index_size", runner.Say("VACUUM frees a leaf page when no entry is left on it. The slipped window leaves survivors in clusters at the end of a batch, so more pages become empty; with a correct window the same index has {}", c["index_bytes"]),
		p["index_bytes"].Named("as published"), c["index_bytes"].Named("corrected"))
	out.Measured("s1.leaf_density", runner.Say("VACUUM frees a leaf page when no entry is left on it and does not merge pages: {} of the index are kept for {}", p["index_bytes"], h["live rows"]),
		p["avg_leaf_density"].Named("as published"), c["avg_leaf_density"].Named("corrected"))
	out.Measured("s1.leaf_fragmentation", runner.Say("the index is descending and the key rises, so each new leaf page comes before its neighbour in key order and after it on disk; corrected arm {}", c["leaf_fragmentation"]), p["leaf_fragmentation"])
}

// fixFindings are the claims on the sizes of the two indexes.
func (b *bench) fixFindings() {
	ch, out := b.at.change, b.out
	out.Measured("s1.partial_index_size", runner.Say("a new B-tree over the active rows only: freshly built, the full index has {}", ch["rebuilt bytes"]), ch["partial bytes"])
	out.Measured("s1.full_index_size", runner.Say("its leaf pages are {} full: half-split pages that took the second entries of the soft deletes and lost the first ones to VACUUM", b.at.health[asPublished+"/"+soft]["avg_leaf_density"]), ch["full bytes"])
	out.Measured("s1.partial_size_ratio", runner.Say("{} against {}. Part of it is that the partial index is new: after REINDEX CONCURRENTLY the full index of the same rows has {}, which makes {} for the predicate and {} for freshness", ch["full bytes"], ch["partial bytes"], ch["rebuilt bytes"], ch["predicate ratio"], ch["freshness ratio"]), ch["bytes ratio"])
}

// planFindings are the claims on the plans of the arm as published.
func (b *bench) planFindings() {
	x, ch, out := b.at.explain, b.at.change, b.out
	full, partial := x["explain_active_rows_soft_before_partial"], x["explain_active_rows_soft_partial"]
	out.Measured("s1.rows_removed_hard", runner.Say("no row of the hard table has deleted_at set"), x["explain_active_rows_hard"]["rows_removed_by_filter"])
	out.Measured("s1.partial_rows_removed", runner.Say("the index holds active rows only and the plan needs no filter: {}", partial["plan_nodes"]), partial["rows_removed_by_filter"])
	out.Measured("s1.buffers_full", runner.Say("rows were removed in random physical order, so nearly every removed row that the scan passes is on a page of its own: {} hit for {} removed", full["shared_hit_blocks"], full["rows_removed_by_filter"]),
		full["shared_hit_blocks"].Named("hit"), full["hit_beyond_removed"].Named("hit beyond rows removed"))
	out.Measured("s1.buffers_partial", runner.Say("the pages of the 50 active rows and of a small index"), partial["shared_hit_blocks"])
	out.Measured("s1.buffers_ratio", runner.Say("{} against {}", full["shared_hit_blocks"], partial["shared_hit_blocks"]), ch["buffers ratio"])
	out.Measured("s1.exec_ratio", runner.Say("{} against {} under EXPLAIN", full["execution_time_s"], partial["execution_time_s"]), ch["execution ratio"])
	out.Measured("s1.plan_shape", runner.Say("from {} on {} to {} on {}", full["plan_nodes"], full["index_used"], partial["plan_nodes"], partial["index_used"]), b.at.checks["plan shape"])
}

// removedFindings hold the draws against their distribution.
func (b *bench) removedFindings() {
	p, g := b.at.removed[asPublished], b.at.removed[notAnalyzed]
	b.out.Measured("s1.rows_removed_soft", runner.Say("a random quantity: expected {}, 95 % between {} and {}. The published 1,948 is one draw, at {} of that distribution. {} of {} draws here lie inside",
		p["expected_mean"], p["expected_low"], p["expected_high"], p["published_percentile"], p["inside"], p["draws"]),
		p["share_inside"].Named("share of draws inside the expected 95 %"), p["newest"].Named("newest batch"), p["median"].Named("median"))
	b.out.Measured("s1.confound_gentle_churn", runner.Say("expected {}, 95 % between {} and {}; {} of {} draws lie inside", g["expected_mean"], g["expected_low"], g["expected_high"], g["inside"], g["draws"]),
		g["share_inside"].Named("share of draws inside the expected 95 %"), g["newest"].Named("newest batch"), g["median"].Named("median"))
}
