package treedelete

import (
	"strconv"

	"deletecost/runner"
)

// sweepFigures show the source's sweep.
func (b *bench) sweepFigures() {
	b.out.Figure(runner.Figure{Name: "tree_per_statement", Title: "Cost of one statement of the loop, by the size of the tree", XLog: true,
		HowToRead: "Row by row in the server, static DELETEs in PL/pgSQL; whiskers are intervals of the median. A flat line says that a statement costs the same whatever the tree.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "sweep", X: "blocks", Y: "per_statement_s", Low: "per_statement_low_s", High: "per_statement_high_s", Label: "row by row, a statement"}}})
}

// delayFigures show what round trips do.
func (b *bench) delayFigures() {
	tree := map[string]string{"blocks": strconv.Itoa(b.lab.Knob("delay_blocks"))}
	note := ""
	for _, delay := range b.roundTrips() {
		if b.invalid(delay) != "" {
			note += " The points at " + delay.String() + " are invalid: the injected round trip was not the one asked for."
		}
	}
	b.out.Figure(runner.Figure{Name: "tree_round_trips", Title: "Time to delete the tree against the round trip, by way", XLog: true, YLog: true,
		HowToRead: "Points are measured, lines are fitted: c + k x round trip. Where a line rises with the round trip from the start, the way waits once a row; where it is flat, once or three times. No added round trip has no place on this axis." + note,
		Layers: []runner.Layer{
			{Mark: runner.Points, Table: "delays", X: "shown_ms", Y: "time_s", By: "way", Where: tree},
			{Mark: runner.Line, Table: "round_trip_lines", X: "round_trip_ms", Y: "time_s", By: "way"}}})
	far := map[string]string{"blocks": strconv.Itoa(b.lab.Knob("delay_blocks")), "round_trip": b.name(b.far())}
	b.out.Figure(runner.Figure{Name: "tree_waiting", Title: "Server time and waiting with the longest round trip, by way",
		HowToRead: "The time of each way over the socket, and what the round trips add to it." + note,
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "delays", X: "way", Y: "time_s", Label: "time", Parts: []string{"server_s", "waiting_s"}, Where: far}}})
}

// incidentFigure shows prediction beside measurement.
func (b *bench) incidentFigure() {
	b.out.Figure(runner.Figure{Name: "tree_incident", Title: "The incident: predicted from small trees, and measured where it was run", YLog: true,
		HowToRead: "Whiskers are 95 % intervals of a prediction. The held-out trees were predicted before they were run; the incident itself is extrapolated unless a measured point stands beside it.",
		Layers: []runner.Layer{
			{Mark: runner.Points, Table: "incident", X: "case", Y: "predicted_s", Low: "predicted_low_s", High: "predicted_high_s", Label: "predicted"},
			{Mark: runner.Points, Table: "incident", X: "case", Y: "measured_s", Label: "measured"},
			{Mark: runner.Points, Table: "incident", X: "case", Y: "published_s", Label: "published"}}})
}

// crossoverFigure shows where one form overtakes the other.
func (b *bench) crossoverFigure() {
	b.out.Figure(runner.Figure{Name: "tree_crossover", Title: "Row by row and set-based as the tables grow, both in the server", XLog: true, YLog: true,
		HowToRead: "The tree is the same everywhere. Where the set-based line rises with the table and falls again, the planner has changed the plan of its join: the table has it (set_plan).",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "crossover", X: "attributes", Y: "row_s", Low: "row_low_s", High: "row_high_s", Label: "row by row"},
			{Mark: runner.Line, Table: "crossover", X: "attributes", Y: "set_s", Low: "set_low_s", High: "set_high_s", Label: "set-based"}}})
}
