package bulkdelete

import "deletecost/runner"

func (a *asides) identityFigure() {
	a.out.Figure(runner.Figure{Name: "identities", Title: "WAL of a deleted row at wal_level logical, and of VACUUM after it",
		HowToRead: "REPLICA IDENTITY FULL writes the whole old row, the default its key, NOTHING neither. Indexes cost the DELETE nothing and VACUUM all the more; a toasted row is deleted chunk by chunk.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "identities", X: "table", Y: "wal_bytes_a_row", Label: "DELETE"},
			{Mark: runner.Bar, Table: "identities", X: "table", Y: "vacuum_wal_bytes_a_row", Label: "VACUUM"}}})
}

func (a *asides) concludeIdentities(t *runner.Table) {
	at := func(table, column string) runner.Ref {
		return t.RefWhere(column, map[string]string{"table": table})
	}
	a.out.Conclude(runner.Say("At wal_level logical a deleted row is {} of WAL with REPLICA IDENTITY NOTHING, {} with the default and a key, {} with FULL, and {} with a TOASTed column of three chunks and the default; VACUUM adds {} a row without index and {} with four.",
		at(identities[0].name, "wal_bytes_a_row"), at(identities[2].name, "wal_bytes_a_row"), at(identities[3].name, "wal_bytes_a_row"), at(identities[6].name, "wal_bytes_a_row"),
		at(identities[0].name, "vacuum_wal_bytes_a_row"), at(identities[4].name, "vacuum_wal_bytes_a_row")))
}
