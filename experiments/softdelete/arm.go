package softdelete

import "deletecost/runner"

// An arm is one way of churning, in a database of its own with both tables.
type arm struct {
	database string
	title    string
	bloat    string // name of its table of sizes per cycle
	percent  int    // of a batch that is removed
	// slips says that victims are chosen as the source did, see
	// victims_published.sql; otherwise both tables lose the same ids.
	slips   bool
	analyze bool // VACUUM (ANALYZE) after each cycle, else plain VACUUM
}

const (
	hard = "hard_delete_orders"
	soft = "soft_delete_orders"

	asPublished = "as_published"
	corrected   = "corrected"
	notAnalyzed = "not_analyzed"
	withPartial = "with_partial" // a copy of corrected, with the partial index
)

// arms returns every arm; percent is the churn of the main ones. The longest
// come first so that two at a time end together.
func arms(percent int) []arm {
	all := []arm{
		{database: asPublished, title: "as published", bloat: "bloat_over_time", percent: percent, slips: true, analyze: true},
		{database: corrected, title: "corrected", bloat: "bloat_over_time_corrected", percent: percent, analyze: true},
		{database: "removed_95", title: "95 % removed", bloat: "bloat_over_time_95", percent: 95, analyze: true},
		{database: "removed_90", title: "90 % removed", bloat: "bloat_over_time_90", percent: 90, analyze: true},
		{database: notAnalyzed, title: "80 % removed, VACUUM without ANALYZE", bloat: "bloat_over_time_80_not_analyzed", percent: 80},
	}
	return all
}

// statement is one of fixtures, on a table.
func statement(name, table string) string {
	return runner.Statement("softdelete", name, "orders_table", table)
}

// removal is the statement that removes rows from a table: $1 to $2 is the
// window of ids, $3 the number of victims.
func (a arm) removal(table string) string {
	choice, act := "victims_corrected", "remove_hard"
	if a.slips {
		choice = "victims_published"
	}
	if table == soft {
		act = "remove_soft"
	}
	return statement(choice, table) + "\n" + statement(act, table)
}
