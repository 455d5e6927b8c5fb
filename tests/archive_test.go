package tests

import (
	"fmt"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"deletecost/experiments/retention/archive"
)

// archiveDigests are those of month and other, by the Python of
// docs/archive-format.md.
var archiveDigests = []string{
	"cd273a879e44a68fa113301dfe0967c6e9a16296a008fc859253ec57e0e6689c",
	"70948075ef96e4bd18cb76a390b3e66bb5d8791742d23479c3314d023f18fc3b",
}

// archives writes an archive of two tables into a new folder, without a server:
// month in two parts of 3 rows and 1, and other in one part.
func archives(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: archives DIR")
	}
	dir := ts.MkAbs(args[0])
	var disk *archive.Disk
	ts.Check(disk.Mkdir(dir))
	w, err := archive.NewPartWriter(disk, dir, 6)
	ts.Check(err)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := &archive.Manifest{Format: archive.Format, Created: now, Snapshot: now, Server: "17.10", Settings: map[string]string{"TimeZone": "UTC"}}
	for _, rows := range [][]int{{3, 1}, {2}} {
		t := archive.TableManifest{
			Schema: "public", Name: []string{"month", "other"}[len(m.Tables)], Parent: "messages", Key: []string{"id"}, Digest: archiveDigests[len(m.Tables)],
			Columns: []archive.Column{{Name: "id", Type: "bigint", Carry: archive.CarryJSON}, {Name: "body", Type: "text", Carry: archive.CarryJSON}},
		}
		for i, n := range rows {
			t.Parts = append(t.Parts, archivePart(ts, w, &t, i+1, n))
			t.Rows += t.Parts[i].Rows
			t.RawBytes += t.Parts[i].RawBytes
		}
		m.Tables = append(m.Tables, t)
	}
	ts.Check(archive.WriteManifest(disk, dir, m))
}

func archivePart(ts *testscript.TestScript, w *archive.PartWriter, t *archive.TableManifest, number, rows int) archive.Part {
	ts.Check(w.Begin(archive.PartName(t.Schema, t.Name, number), t))
	for i := range rows {
		_, err := fmt.Fprintf(w, `{"id":%d,"body":"row %d of part %d of %s"}`+"\n", 10*number+i, i, number, t.Name)
		ts.Check(err)
	}
	part, err := w.Finish()
	ts.Check(err)
	return part
}
