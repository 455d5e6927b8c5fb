package softdelete

import "deletecost/runner"

func (b *bench) latencyFindings() {
	t, out := b.at.ratios, b.out
	const socket, prepared, network = "socket_simple/", "socket_prepared/", "network_simple/"
	out.Measured("s1.pk_parity", runner.Say("one index descent and one heap page either way; prepared with fresh keys {}; the floor of this comparison is {}", t[prepared+"pk/p50"], t[socket+"pk/floor"]), t[socket+"pk/p50"])
	out.Measured("s1.active_p50_ratio", runner.Say("the published 1.8 has the client and the container in both of its times; without them, over a Unix socket, more of the difference shows; prepared {}; with the injected round trip ({} measured) {}", t[prepared+"active/p50"], b.at.added, t[network+"active/p50"]), t[socket+"active/p50"])
	out.Measured("s1.active_p99_ratio", runner.Say("tails move with the scheduler; with the injected round trip {}", t[network+"active/p99"]), t[socket+"active/p99"])
	out.Measured("s1.partial_p50_ratio", runner.Say("the partial index needs no filter; prepared {}; with the injected round trip {}", t[prepared+"partial/p50"], t[network+"partial/p50"]), t[socket+"partial/p50"])
	out.Measured("s1.partial_p99_ratio", runner.Say("with the injected round trip {}", t[network+"partial/p99"]), t[socket+"partial/p99"])
	out.Measured("s1.partial_vs_hard", runner.Say("both read 50 active rows through an index that holds nothing else; the floor is {}", t[socket+"parity/floor"]), t[socket+"parity/p50"])
	out.Measured("s1.partial_p99_parity", runner.Say("the source's text says that the partial index lands close to hard at p99, its figures say 1.64 times; with the injected round trip {}", t[network+"parity/p99"]), t[socket+"parity/p99"])
	out.Measured("s1.latency_table", runner.Say("absolute times belong to a machine and are not judged"), b.latencyCells()...)
}

// latencyCells are the 21 published times in the source's order, measured in
// the source's way of asking.
func (b *bench) latencyCells() []runner.Ref {
	var all []runner.Ref
	for _, r := range []struct{ arm, label string }{
		{"hard_pk", "hard pk"}, {"hard_active", "hard active"}, {"soft_pk", "soft pk"}, {"soft_active", "soft active"},
		{"soft_active", "full index"}, {"soft_partial", "partial index"}, {"hard_active", "hard reference"},
	} {
		for _, q := range []string{"p50", "p95", "p99"} {
			all = append(all, b.at.times["socket_simple/"+r.arm+"/"+q].Named(r.label+" "+q))
		}
	}
	return all
}
