package bulkdelete

import (
	"fmt"
	"strings"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

func (a *asides) replicaFigure() {
	a.out.Figure(runner.Figure{Name: "replica_lag", Title: "WAL that the replica has not replayed, during and after each way of deleting",
		HowToRead: "Time begins with the statements; a line goes on after their end until the replica has told that it has replayed everything. Its height is what a reader on the replica does not see yet, and what a failover would have to replay or lose.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "replica_samples", X: "seconds", Y: "unreplayed_bytes", By: "way"}}})
}

// concludeReplica says of each way what its looks tell.
func (a *asides) concludeReplica(t *runner.Table) {
	refs := []runner.Ref{t.Ref(0, "rows")}
	var phrases []string
	for row, way := range replicaWays {
		phrase, its := replicaPhrase(t, row)
		phrases, refs = append(phrases, way.name+" "+phrase), append(refs, its...)
	}
	a.out.Conclude(runner.Say("WAL that a streaming replica on the same machine has not replayed while {} go, once in each way: "+strings.Join(phrases, "; ")+".", refs...))
}

// replicaPhrase is about one way.
func replicaPhrase(t *runner.Table, row int) (phrase string, refs []runner.Ref) {
	phrase, refs = "up to {} in {} looks", []runner.Ref{t.Ref(row, "most_unreplayed_bytes"), t.Ref(row, "looks")}
	if t.Text(row, "most_unreplayed_bytes") == runner.NotAvailable {
		phrase, refs = "too short to tell ({} looks)", []runner.Ref{t.Ref(row, "looks_running")}
	}
	if t.Text(row, "behind_s") == runner.NotAvailable {
		return phrase + fmt.Sprintf(", all replayed less than %d ms after its end", instrument.ReplayEvery.Milliseconds()), refs
	}
	return phrase + ", all replayed {} after its end", append(refs, t.Ref(row, "behind_s"))
}
