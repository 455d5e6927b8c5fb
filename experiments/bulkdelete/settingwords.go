package bulkdelete

import "deletecost/runner"

// describeAsides says what these parts have in common.
func (a *asides) describeAsides() {
	a.out.Explain("Beside the ledger, parts that change one thing each: settings, who holds xmin, a replica, indexes and REPLICA IDENTITY, maintenance_work_mem, wal_compression, shared_buffers, EXPLAIN. Unless a part says otherwise the rows are the source's, loaded anew for every execution, vacuumed, analyzed and checkpointed, and all of them are deleted in one statement; autovacuum is off, shared_buffers holds 512 MB, and nobody else is on the server. WAL and pages of a statement are those of pg_stat_statements, which counts TOAST and triggers too. What is exact runs twice, and a warning says where the two differ; beside the holders of xmin and the replica it runs once, and notes say so. The primary has wal_level logical, since REPLICA IDENTITY matters only there, and its standby is stopped before indexes and REPLICA IDENTITY are measured.")
}

// settingsFigure draws the WAL of each statement by the settings.
func (a *asides) settingsFigure() {
	panel := func(label, statement, between string) runner.Layer {
		return runner.Layer{Mark: runner.Heatmap, Table: "settings_matrix", X: "page_protection", Y: "full_page_writes", Value: "wal_bytes", Label: label,
			Where: map[string]string{"statement": statement, "checkpoint_between": between, "repeat": "1"}}
	}
	a.out.Figure(runner.Figure{Name: "settings_matrix", Title: "WAL of the same DELETE and of the first SELECT after it, by the settings",
		HowToRead: "One map a statement, all in the same colours. The DELETE follows a CHECKPOINT, so full_page_writes adds an image of every page. The first SELECT writes little when the DELETE has just written the pages, and the pages once more when a checkpoint lies between and images are on.",
		Layers: []runner.Layer{
			panel("DELETE", deletes, "no"),
			panel("first SELECT", firstSelect, "no"),
			panel("first SELECT after a checkpoint", firstSelect, "yes")}})
}

// concludeSettings puts the source's pair beside the default of 18.
func (a *asides) concludeSettings(t *runner.Table) {
	find := func(column, protection, images, statement, between string) runner.Ref {
		return t.RefWhere(column, map[string]string{"page_protection": protection, "full_page_writes": images, "statement": statement, "checkpoint_between": between})
	}
	at := func(protection, images, statement, between string) runner.Ref {
		return find("wal_bytes", protection, images, statement, between)
	}
	a.out.Conclude(runner.Say("The settings decide who writes how much: after a CHECKPOINT the DELETE of {} writes {} of WAL with full_page_writes off as in the source, and without checksums, and {} with both on, the default of 18; the first SELECT writes {} and {}, and {} and {} when a checkpoint has come between.",
		find("rows", noProtection, "off", deletes, "no"),
		at(noProtection, "off", deletes, "no"), at(byChecksums, "on", deletes, "no"),
		at(noProtection, "off", firstSelect, "no"), at(byChecksums, "on", firstSelect, "no"),
		at(noProtection, "off", firstSelect, "yes"), at(byChecksums, "on", firstSelect, "yes")))
}
