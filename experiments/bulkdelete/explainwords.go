package bulkdelete

import "deletecost/runner"

func (a *asides) explainFigure() {
	a.out.Figure(runner.Figure{Name: "explain_cost", Title: "Time of the same DELETE, plain and under EXPLAIN",
		HowToRead: "What a form takes above the plain DELETE is EXPLAIN's own. The second line is the plain DELETE once more: what lies between the two is noise.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "explain_cost", X: "form", Y: "seconds", Low: "seconds_low", High: "seconds_high"}}})
}

func (a *asides) concludeExplain(t *runner.Table) {
	at := func(form string) runner.Ref {
		return t.RefRatio(t.RefWhere("ratio", map[string]string{"form": form}).Row, "ratio", "ratio_low", "ratio_high", "noise_floor")
	}
	a.out.Conclude(runner.Say("EXPLAIN is part of what it shows: the DELETE takes {} of the plain time under EXPLAIN (ANALYZE, TIMING OFF), {} with timing, and {} with BUFFERS and WAL as in the source.",
		at(untimedForm), at(timedForm), at(publishedForm)))
}
