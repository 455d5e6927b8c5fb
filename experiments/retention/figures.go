package retention

import (
	"fmt"

	"deletecost/runner"
)

// publishedFigures show the source's runs.
func (b *bench) publishedFigures() {
	b.timeline(b.largest(), "closed")
	b.out.Figure(runner.Figure{Name: "growth", Title: "Time of each step against the rows", XLog: true, YLog: true,
		HowToRead: "Each point is a step of one run. A step of slope 1 takes ten times as long for ten times the rows, one of slope 0 the same; intervals are in the table of growth.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "growth_points", X: "rows", Y: "seconds", By: "step"}}})
	b.out.Figure(runner.Figure{Name: "fit", Title: "The straight line, and where it goes at 100 million rows a table", XLog: true, YLog: true,
		HowToRead: "Fitted to the runs of all sizes but the one that was held out; the band holds one new run at 95 %, if the line holds. Right of those sizes all is extrapolated. The point that was held out was not seen by the fit.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "fit_band", X: "million_rows", Y: "archive_s", Low: "low_s", High: "high_s", Label: "fitted"},
			{Mark: runner.Points, Table: "fit_points", X: "million_rows", Y: "archive_s", By: "use"}}})
	b.out.Figure(runner.Figure{Name: "constancy", Title: "Detach of a large month and of a small one, in turns", YLog: true,
		HowToRead: "Each point is one detach of both partitions beside the writers. Arms that lie upon each other cost the same, whatever their rows.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "constancy_turns", X: "block", Y: "detach_s", By: "arm"}}})
}

// timeline shows the steps of a run as bands and the inserts beneath, on the
// same clock.
func (b *bench) timeline(s swept, what string) {
	b.out.Figure(runner.Figure{Name: "timeline_" + what, Title: fmt.Sprintf("A run from detach to drop, writers in the %s loop", s.loop),
		HowToRead: "Each line is a step from its beginning to its end, since the pipeline began; the point is its middle. Before 0 the writers had the server to themselves.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "bands", X: "step", Y: "middle_s", Low: "start_s", High: "end_s", Where: map[string]string{"run": s.name}}}})
	b.out.Figure(runner.Figure{Name: "inserts_" + what, Title: fmt.Sprintf("Inserts during that run, writers in the %s loop", s.loop), YLog: true,
		HowToRead: "Each point is one insert at its scheduled start, coloured by the step that it overlapped. Drawn are the slowest of each phase, and of the others an even choice.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "insert_points", X: "scheduled_s", Y: "latency_s", By: "phase", Where: map[string]string{"run": s.name}}}})
}

// openFigures show the runs beside writers that keep to a schedule.
func (b *bench) openFigures() {
	b.timeline(b.opened[openPaced], "open")
	b.distributionFigure()
	b.out.Figure(runner.Figure{Name: "writers", Title: "p99 of the writers' inserts by phase, open loop", YLog: true,
		HowToRead: "Latency from the scheduled start. Before is the same writers alone, on the same schedule.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "writers", X: "phase", Y: "p99_s", By: "run", Low: "p99_low_s", High: "p99_high_s", Where: map[string]string{"loop": "open"}}}})
}

// distributionFigure shows what the writers waited in each phase of our method.
func (b *bench) distributionFigure() {
	b.out.Figure(runner.Figure{Name: "distribution", Title: "Latencies of the writers by phase, our method at its pace, open loop", YLog: true,
		HowToRead: "Each line is one phase: the share of inserts, across, that took at most so long, up. The higher a line lies, the longer the inserts of its phase took; its right end is the p99.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "latency_quantiles", X: "percent", Y: "latency_s", By: "phase", Where: map[string]string{"run": b.opened[openPaced].name}}}})
}

// armFigures show the methods.
func (b *bench) armFigures() {
	b.out.Figure(runner.Figure{Name: "methods", Title: "Archived rows a second, by method",
		HowToRead: "Nobody writes. Bars are medians of the turns, whiskers their range.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "methods", X: "method", Y: "rows_per_s", Low: "rows_per_s_low", High: "rows_per_s_high", Label: "rows a second"}}})
	b.out.Figure(runner.Figure{Name: "cpu", Title: "CPU per archived row, by method",
		HowToRead: "Of this program and of the server, from the first step to the last.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "methods", X: "method", Label: "CPU", Parts: []string{"server_cpu_us", "client_cpu_us"}}}})
}
