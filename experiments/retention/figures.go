package retention

import (
	"fmt"

	"deletecost/runner"
)

// publishedFigures show the source's runs.
func (b *bench) publishedFigures() {
	b.timeline(b.largest(), "closed")
	b.out.Figure(runner.Figure{Name: "growth", Title: "Time of each step against the rows", XLog: true, YLog: true,
		HowToRead: "A step that rises as steeply as the axes is linear in the rows; a flat one is constant. The slopes with their intervals are in growth.csv.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "growth_points", X: "rows", Y: "seconds", By: "step"}}})
	b.out.Figure(runner.Figure{Name: "fit", Title: "The straight line, and where it goes at 100 million rows a table", XLog: true, YLog: true,
		HowToRead: "Fitted to the runs of all sizes but the one that was held out; the band holds one new run at 95 %, if the line holds. Right of those sizes all is extrapolated. The point that was held out was not seen by the fit.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "fit_band", X: "million_rows", Y: "predicted_s", Low: "low_s", High: "high_s", Label: "fitted"},
			{Mark: runner.Points, Table: "fit", X: "million_rows", Y: "measured_s", Label: "held out, measured", Where: map[string]string{"case": heldOutSize}}}})
}

// timeline shows the steps of a run as bands and the inserts beneath, on the
// same clock.
func (b *bench) timeline(s swept, what string) {
	b.out.Figure(runner.Figure{Name: "timeline_" + what, Title: fmt.Sprintf("A run from detach to drop, writers in the %s loop", s.loop),
		HowToRead: "Each line is one step of one table or of both, from its beginning to its end, since the pipeline began.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "bands", X: "at_s", Y: "lane", By: "step", Where: map[string]string{"run": s.name}}}})
	b.out.Figure(runner.Figure{Name: "inserts_" + what, Title: fmt.Sprintf("Inserts during that run, writers in the %s loop", s.loop), YLog: true,
		HowToRead: "Each point is one insert at its scheduled start; those before 0 had the server to themselves. The slowest of each phase are all drawn, of the others an even choice.",
		Layers:    []runner.Layer{{Mark: runner.Points, Table: "insert_samples", X: "scheduled_s", Y: "latency_s", By: "phase", Where: map[string]string{"run": s.name}}}})
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
		HowToRead: "Each line is one phase: the share of inserts, across, that took at most so long, up. Lines that part to the right are phases with slow inserts.",
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
