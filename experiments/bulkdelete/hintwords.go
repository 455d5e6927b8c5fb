package bulkdelete

import "deletecost/runner"

// hintFigure draws what each phase wrote, by the kind of record.
func (a *asides) hintFigure() {
	for _, checksums := range []string{"off", "on"} {
		a.out.Figure(runner.Figure{Name: "hint_records_checksums_" + checksums, Title: "WAL record types of each phase, data checksums " + checksums,
			HowToRead: "A bar a phase. Where another session holds xmin the first SELECT may not prune: it sets hint bits only, which write WAL with data checksums and none without.",
			Layers: []runner.Layer{{Mark: runner.Bar, Table: "hint_phases", X: "case", Y: "inspected_bytes", Label: "WAL",
				Parts: []string{"delete_bytes", "prune_bytes", "hint_bytes", "vacuum_bytes", "visible_bytes", "other_bytes"}, Where: map[string]string{"data_checksums": checksums, "repeat": "1"}}}})
	}
}

func (a *asides) concludeHints(t *runner.Table) {
	at := func(checksums, held, phase, column string) runner.Ref {
		return t.RefWhere(column, map[string]string{"data_checksums": checksums, "xmin_held": held, "phase": phase})
	}
	a.out.Conclude(runner.Say("The first SELECT after the DELETE dirties {} and writes {} of WAL for pruned pages and {} for hint bits, those of catalogs too; with xmin held elsewhere it dirties {} and writes {} and {}. With data checksums and xmin held it writes {} for pruned pages and {} for hint bits. The second SELECT dirties {}.",
		at("off", "no", firstSelect, "dirtied_pages"), at("off", "no", firstSelect, "prune_bytes"), at("off", "no", firstSelect, "hint_bytes"),
		at("off", "yes", firstSelect, "dirtied_pages"), at("off", "yes", firstSelect, "prune_bytes"), at("off", "yes", firstSelect, "hint_bytes"),
		at("on", "yes", firstSelect, "prune_bytes"), at("on", "yes", firstSelect, "hint_bytes"), at("off", "no", secondSelect, "dirtied_pages")))
}
