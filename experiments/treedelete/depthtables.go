package treedelete

import "deletecost/runner"

var depthTreesTable = runner.TableSpec{Name: "depth_trees", Title: "The same number of rows on 2 and more levels",
	Note: "Every table holds the tree under test and other trees of one row a level, the rows in random order. The digest is SHA-256 over the ids that are left, computed without a server; each execution of each arm, timed or not, had to leave it inside of its transaction.",
	Columns: []runner.Column{{Name: "depth", Unit: "levels"}, {Name: "rows_by_level", Text: true, Meaning: "rows of the tree under test, from the root down"}, {Name: "tree_rows", Unit: "rows"},
		{Name: "checked_rows", Meaning: "rows of the tree that another table may reference: a foreign key is checked for each"}, {Name: "all_rows", Unit: "rows", Meaning: "in all tables of this depth"}, {Name: "digest", Text: true, Meaning: "of the ids that are left"}}}

var depthTimesTable = runner.TableSpec{Name: "depth_times", Title: "Deleting the same rows at each depth",
	Note: "All arms of all depths took turns after 6 executions each, in blocks, each in an order drawn from the seed and then in reverse; the column turns has how many. The row-by-row form joins nothing; the set-based statement of a level joins the levels above it; the cascade is one statement for the root.",
	Columns: append(append([]runner.Column{{Name: "depth", Unit: "levels"}, {Name: "arm", Text: true}, {Name: "added", Text: true, Meaning: "round trip that the tool adds"}, {Name: "line", Text: true, Meaning: "the arm with the round trip"},
		{Name: "round_trips", Meaning: "counted, of one execution"}}, turnColumns("time_s", "s")...),
		runner.Column{Name: "amounts_to", Unit: "round trips", Meaning: "time above that without the added round trip, over it, block by block; more than were counted where a server that idled answers later"},
		runner.Column{Name: "amounts_low", Unit: "round trips"}, runner.Column{Name: "amounts_high", Unit: "round trips"})}

var depthRatiosTable = runner.TableSpec{Name: "depth_ratios", Title: "What depth does to a time, and what it does not",
	Note:    "Ratios of arms that took turns. The floor is the far end from 1 of the first row's interval, an arm against itself; a ratio nearer to 1, or whose interval holds 1, is not told apart from it.",
	Columns: append(append([]runner.Column{{Name: "comparison", Text: true}, {Name: "added", Text: true, Meaning: "round trip that the tool adds"}}, turnColumns("ratio", "x")...), runner.Column{Name: "floor", Unit: "x"}, runner.Column{Name: "told_apart", Text: true, Meaning: "the interval leaves out 1, and the ratio is further from it than the floor"})}

// depthRefs are the cells that sentences point at.
type depthRefs struct {
	rows, added runner.Ref
	deepest     runner.Ref
	checked     []runner.Ref          // by depth
	times       map[string]runner.Ref // by arm's name
	trips       map[string]runner.Ref // by arm's name
	ratios      map[string]runner.Ref // by comparison and round trip
	floor       runner.Ref
}

func newDepthRefs() depthRefs {
	return depthRefs{times: map[string]runner.Ref{}, trips: map[string]runner.Ref{}, ratios: map[string]runner.Ref{}}
}

func (d *depthRun) figures() {
	d.out.Figure(runner.Figure{Name: "depth_times", Title: "Time against depth at the same number of rows", YLog: true,
		HowToRead: "Every point deletes as many rows. A flat line: levels do not cost. Lines with an added round trip rise with the round trips, of which the set-based form needs one a level and a cascade one; those marked invalid say nothing.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "depth_times", X: "depth", Y: "time_s", By: "line", Low: "low", High: "high"}}})
	d.out.Figure(runner.Figure{Name: "depth_round_trips", Title: "Round trips against depth at the same number of rows", YLog: true,
		HowToRead: "Counted, not computed. Row by row waits once a row at every depth, set-based once a level, a cascade once.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "depth_times", X: "depth", Y: "round_trips", By: "arm", Where: map[string]string{"added": d.name(0)}}}})
}
