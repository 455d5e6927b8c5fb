package treedelete

import (
	"fmt"

	"deletecost/runner"
)

// differs says what is not as the source had it, "" when nothing is.
func (b *bench) differs() string {
	if n := b.lab.Knob("blocks"); n != 2000 {
		return fmt.Sprintf("%d blocks under the document; the source had 2,000", n)
	}
	return ""
}

// sweepFindings are the claims on what the source ran.
func (b *bench) sweepFindings() {
	t, out := b.sweepRows, b.out
	at := func(i int, column string) runner.Ref { return t.Ref(b.sweep[i], column) }
	ratio := func(i int) runner.Ref {
		return t.RefRatio(b.sweep[i], "ratio", "ratio_low", "ratio_high", "floor")
	}
	perStatement := t.RefRange(b.sweep[3], "per_statement_s", "per_statement_low_s", "per_statement_high_s")
	out.Measured("s2.statements", runner.Say("counted by pg_stat_statements inside of the DO block: one for each attribute, one for each block, one for the document"), at(3, "statements"))
	out.Measured("s2.sweep_statements", runner.Say("2n + 1, counted by the server"), at(0, "statements"), at(1, "statements"), at(2, "statements"), at(3, "statements"), at(4, "statements"))
	out.Measured("s2.ratio", runner.Say("both forms delete the same rows and make the server check the same keys; a statement of the loop adds the cost of starting the executor, {} in all a statement. Against it stands what the planner chose for the join, {}: among more documents the ratio is another one (crossover.csv)", perStatement, b.joinPlan), ratio(3))
	out.Measured("s2.per_statement", runner.Say("static DELETEs in PL/pgSQL on this machine, without a network: {} for {} statements. The set-based form takes {} for the same rows", at(3, "row_s"), at(3, "statements"), at(3, "set_s")), perStatement)
	out.Measured("s2.sweep_times", runner.Say("ratios beside the published 1.60, 1.14, 1.44, 1.56 and 1.68; the published times are those of another machine. Here a statement of the loop costs {} in the smallest tree and {} in the largest", at(0, "per_statement_s"), at(4, "per_statement_s")),
		ratio(0).Named("250"), ratio(1).Named("500"), ratio(2).Named("1,000"), ratio(3).Named("2,000"), ratio(4).Named("4,000"))
	out.Measured("s2.same_survivors", runner.Say("a digest of the ids in all three tables, taken inside of the transaction of each form's first execution, was the one that deleting the tree must leave; each execution after it deleted as many rows of the tables as the tree has and left none of the tree's. Anything else ends the run"), at(3, "same_survivors"))
}

// flatFindings are the claim that a statement costs the same in a large tree.
func (b *bench) flatFindings() {
	var refs []runner.Ref
	for _, row := range b.flat {
		refs = append(refs, b.flatRows.RefRange(row, "max_over_min", "low", "high").Named(b.flatRows.Text(row, "variant")))
	}
	at := func(row int, column string) runner.Ref { return b.flatRows.Ref(row, column) }
	first := b.flat[0]
	b.out.Measured("s2.flat_per_statement", runner.Say("static and scattered, a statement takes from {} to {} over {} trees once the first executions are split off, which a DO block plans anew at each call; with them in it the same trees differ by {}. EXECUTE, which plans every time, takes from {} to {} where the rows of a tree are scattered, and from {} to {} where they lie together",
		at(first, "least_s"), at(first, "greatest_s"), at(first, "sizes"), b.flatRows.RefRange(first+1, "max_over_min", "low", "high"),
		at(b.flat[2], "least_s"), at(b.flat[2], "greatest_s"), at(b.flat[3], "least_s"), at(b.flat[3], "greatest_s")), refs...)
}

// planFindings are the claims on the plans.
func (b *bench) planFindings() {
	t := b.planRows
	buffers, all := t.Ref(b.setPlan, "explain_buffers"), t.Ref(b.setPlan, "all_buffers")
	b.out.Measured("s2.set_buffers", runner.Say("EXPLAIN counts {}; the checks of the foreign keys, which run in triggers, are not in it: with them there are {}. The published figure does not say how large the tables were", buffers, all),
		buffers.Named("EXPLAIN"), all.Named("with triggers"))
	b.out.Measured("s2.set_plan", runner.Say("of the join of the first statement, with {} counted; the plan depends on how much else the tables hold (crossover.csv)", t.Ref(b.setPlan, "explain_buffers")), t.Ref(b.setPlan, "plan"))
	b.out.Measured("s2.loop_has_no_plan", runner.Say("EXPLAIN was asked for the DO block, and the server answered "+b.refusal+", so the cells are n/a and not 0; pg_stat_statements counted {} statements inside of it", b.sweepRows.Ref(b.sweep[3], "statements")), t.Ref(b.loopPlan, "explain_buffers"))
}

// incidentFindings are the claims on what the network makes of it.
func (b *bench) incidentFindings() {
	if why := b.invalidFits(); why != "" {
		for _, claim := range []string{"s2.incident_model", "s2.incident_after", "s2.rt_factor"} {
			b.out.NotMeasured(claim, why)
		}
		return
	}
	t := b.incidentRows
	over := func(row int) runner.Ref { return t.RefRange(row, "measured_over_predicted", "over_low", "over_high") }
	first, second := over(b.heldOut[0]), over(b.heldOut[1])
	predicted := t.RefRange(b.incidentRow, "predicted_s", "predicted_low_s", "predicted_high_s")
	b.out.Measured("s2.incident_model", runner.Say("a tree and a round trip that the fit had not seen took {} of what it predicted, and another tree {}. For the incident the fit says {}, extrapolated, and the plain product of statements and round trips {}: the source's 2.9 ms were all that a statement took, here the server's own time and its waking up come on top of a round trip of as much",
		first, second, predicted, t.Ref(b.incidentRow, "product_s")),
		first.Named("held out, measured over predicted"), second.Named("another held out"), predicted.Named("incident, extrapolated"), b.measuredOr(b.incidentRow, "product_s").Named("incident, "+b.ranOr("statements x round trip")))
	after := []runner.Ref{t.RefRange(b.incidentSet, "predicted_s", "predicted_low_s", "predicted_high_s").Named("extrapolated")}
	if b.ran() {
		after = append(after, t.Ref(b.incidentSet, "measured_s").Named("run"))
	}
	b.out.Measured("s2.incident_after", runner.Say("three statements wait for three round trips; the rest is the server's time for as many rows. The published 8.7 s are those of a tree that is not known, in a request that did more"), after...)
	f := b.farRows
	b.out.Measured("s2.rt_factor", runner.Say("{} a statement across the network against {} in the server; the published factor has the 32 µs of a slower machine below the line", f.Ref(0, "per_statement_s"), f.Ref(0, "local_per_statement_s")),
		f.RefRange(0, "factor", "factor_low", "factor_high"))
}

// invalidFits is why nothing may be said that rests on the fits; "" when it may.
func (b *bench) invalidFits() string {
	for _, delay := range append(b.roundTrips(), heldOutDelay) {
		if why := b.invalid(delay); why != "" {
			return why
		}
	}
	return ""
}

// ran says whether the incident itself was run.
func (b *bench) ran() bool { return b.lab.Knob("incident") == 1 }

// measuredOr points at what the incident took where it was run, and at another
// column otherwise.
func (b *bench) measuredOr(row int, column string) runner.Ref {
	if b.ran() {
		column = "measured_s"
	}
	return b.incidentRows.Ref(row, column)
}

// ranOr names what measuredOr points at.
func (b *bench) ranOr(word string) string {
	if b.ran() {
		return "run"
	}
	return word
}
