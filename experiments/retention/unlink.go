package retention

import "deletecost/runner"

var unlinksTable = runner.TableSpec{Name: "unlink", Title: "The commit after DROP TABLE",
	Note:    "PostgreSQL unlinks the files of what was dropped after the commit's record is flushed, before it answers. The bytes are those of both partitions with their indexes.",
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "partition_bytes", Unit: "bytes"}, {Name: "commit_s", Unit: "s", Meaning: "commit after DROP TABLE"}, {Name: "s_per_gb", Unit: "s/GB"}, {Name: "file_system", Text: true, Meaning: "of the server's data, with its mount options"}}}

// keepUnlinks writes down the commits of the source's runs with what the files
// lay on.
func (b *bench) keepUnlinks() {
	b.unlinks = b.out.Table(unlinksTable)
	on := any(b.fileSystem)
	if b.fileSystem == "" {
		on = runner.NA{Reason: "this system does not tell what the data lies on"}
	}
	for _, s := range b.swept {
		commit := s.diary.seconds("commit")
		b.unlinks.Add(s.name, s.rows, s.bytes, commit, commit/(float64(s.bytes)/1e9), on)
	}
}
