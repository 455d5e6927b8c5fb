package treedelete

import "deletecost/runner"

var missingTimesTable = runner.TableSpec{Name: "missing_index_times", Title: "The same tree deleted with and without the index on attributes.block_id",
	Note:    "Three set-based statements, each execution rolled back after its survivors were proven. The tree is the same at every size; the other attributes hang on other documents' blocks. Cases took turns, in blocks or, where one of them takes over a second, as repeats: the method and the number of turns are in each row.",
	Columns: append([]runner.Column{{Name: "index", Text: true}, {Name: "attribute_rows", Unit: "rows"}, {Name: "attribute_pages", Unit: "pages", Meaning: "heap of attributes"}, {Name: "blocks", Meaning: "of the tree, deleted"}}, turnColumns("time_s", "s")...)}

var missingRatiosTable = runner.TableSpec{Name: "missing_index_ratios", Title: "How many times as long it takes without the index",
	Note:    "Ratios of cases that took turns. The floor is the far end from 1 of the first row's interval, a case against itself.",
	Columns: append(append([]runner.Column{{Name: "comparison", Text: true}, {Name: "attribute_rows", Unit: "rows"}}, turnColumns("ratio", "x")...), runner.Column{Name: "floor", Unit: "x"}, runner.Column{Name: "told_apart", Text: true, Meaning: "the interval leaves out 1, and the ratio is further from it than the floor"})}

var missingGrowthTable = runner.TableSpec{Name: "missing_index_growth", Title: "How the time grows with the referencing table",
	Note:    "The slope of the time's logarithm on that of the rows of attributes: 1 is proportional, 0 constant. It rests on the blocks of all three sizes and on this range only.",
	Columns: []runner.Column{{Name: "index", Text: true}, {Name: "slope"}, {Name: "low"}, {Name: "high"}, {Name: "points", Meaning: "blocks or repeats of all sizes"}, {Name: "from_rows", Unit: "rows"}, {Name: "to_rows", Unit: "rows"}}}

var missingTriggerTable = runner.TableSpec{Name: "missing_index_trigger", Title: "The DELETE of blocks under EXPLAIN (ANALYZE, BUFFERS, WAL)",
	Note: "The second of the three statements, after the first in the same transaction; the cascade has no first. It is executed as it was prepared to be timed, with the same generic plan. EXPLAIN names the foreign key's trigger in a line of its own, with no word about how it looked for rows; its time is part of the execution. One execution of two; the instruments of EXPLAIN make it slower than the plain statement.",
	Columns: []runner.Column{{Name: "statement", Text: true}, {Name: "attribute_rows", Unit: "rows"}, {Name: "deleted_rows", Unit: "rows", Meaning: "by the statement itself"}, {Name: "constraint", Text: true, Meaning: "of the trigger"}, {Name: "calls"}, {Name: "trigger_s", Unit: "s"},
		{Name: "rest_s", Unit: "s", Meaning: "execution without the trigger"}, {Name: "execution_s", Unit: "s"}, {Name: "trigger_percent", Unit: "%", Meaning: "of the execution"}}}

var missingLeftOutTable = runner.TableSpec{Name: "missing_index_left_out", Title: "What EXPLAIN leaves out",
	Note: "EXPLAIN's buffers and WAL are of the statement's own nodes, without what its triggers did; pg_stat_statements counts a top-level statement with everything nested in it. A NO ACTION check reads and locks rows that remain, and writes nothing where none does; a cascade deletes. The LSN difference is of the executions that pg_stat_statements counted and not exact: the least and the most of two.",
	Columns: []runner.Column{{Name: "statement", Text: true}, {Name: "attribute_rows", Unit: "rows"}, {Name: "cascaded_rows", Unit: "rows", Meaning: "deleted by the trigger"},
		{Name: "explain_buffers", Unit: "buffers", Meaning: "hit and read"}, {Name: "trigger_buffers", Unit: "buffers", Meaning: "counted by pg_stat_statements and not by EXPLAIN"}, {Name: "all_buffers", Unit: "buffers", Meaning: "by pg_stat_statements"},
		{Name: "explain_wal_bytes", Unit: "bytes"}, {Name: "trigger_wal_bytes", Unit: "bytes", Meaning: "counted by pg_stat_statements and not by EXPLAIN"}, {Name: "all_wal_bytes", Unit: "bytes", Meaning: "by pg_stat_statements"},
		{Name: "lsn_bytes", Unit: "bytes", Meaning: "LSN difference, mean"}, {Name: "lsn_low_bytes", Unit: "bytes"}, {Name: "lsn_high_bytes", Unit: "bytes"}}}

// missingFigures show the growth and what EXPLAIN is silent about.
func (m *missingRun) figures() {
	m.out.Figure(runner.Figure{Name: "missing_index_growth", Title: "Deleting one tree while the referencing table grows", XLog: true, YLog: true,
		HowToRead: "Without the index every deleted block makes the trigger read the whole table, with it an index. The steeper a line, the more of the time depends on the size of that table; a flat one does not depend on it. The slopes are in missing_index_growth.csv.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "missing_index_times", X: "attribute_rows", Y: "time_s", By: "index", Low: "low", High: "high"}}})
	m.out.Figure(runner.Figure{Name: "missing_index_buffers", Title: "Buffers that EXPLAIN counts and those that it leaves out",
		HowToRead: "Bars of one statement add up to what it used. EXPLAIN shows the first part only.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "missing_index_left_out", X: "statement", Y: "explain_buffers", Label: "in EXPLAIN"},
			{Mark: runner.Bar, Table: "missing_index_left_out", X: "statement", Y: "trigger_buffers", Label: "left out: the trigger's"}}})
}
