package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

var waysTable = runner.TableSpec{Name: "ways", Title: "Every way of deleting the tree, no round trip added",
	Note: "Over a Unix socket, each execution in a transaction that is rolled back; the transaction's own two round trips are not in it. Statements and round trips are counted, not assumed. Times are medians of repeats in turns with their range, and no ratio is made of them: with generic plans they are those without a round trip in the sweep of round trips; custom plans plan again at every execution, the queries of foreign keys included.",
	Columns: []runner.Column{
		{Name: "way", Text: true}, {Name: "plan_cache_mode", Text: true},
		{Name: "time_s", Unit: "s", Meaning: "median"}, {Name: "low_s", Unit: "s"}, {Name: "high_s", Unit: "s"}, {Name: "repeats"},
		{Name: "sent", Meaning: "statements that the client sent"}, {Name: "executed", Meaning: "statements that delete, at any level of the server"},
		{Name: "key_checks", Meaning: "queries of foreign keys"}, {Name: "round_trips", Meaning: "counted on the connection"}, {Name: "rows", Unit: "rows", Meaning: "rows deleted"},
		{Name: "wal_low_bytes", Unit: "bytes", Meaning: "difference of insert positions, least"}, {Name: "wal_high_bytes", Unit: "bytes", Meaning: "greatest"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "as pg_stat_statements counts"}, {Name: "buffers", Unit: "buffers", Meaning: "hit and read, with triggers"},
		{Name: "trigger_s", Unit: "s", Meaning: "time of triggers under EXPLAIN"}, {Name: "same_survivors", Text: true}}}

// waysForests are the schemas with the one tree that every way deletes.
func (b *bench) waysForests() (plain, cascading forest) {
	plain = forest{schema: "tree_ways", blocks: []int{b.lab.Knob("delay_blocks")}, others: b.lab.Knob("other_documents"), layout: scattered}
	cascading = plain
	cascading.schema, cascading.cascade = "tree_ways_cascade", true
	return plain, cascading
}

// plantWays makes both.
func (b *bench) plantWays(ctx context.Context) error {
	plain, cascading := b.waysForests()
	if err := b.plant(ctx, plain); err != nil {
		return err
	}
	return b.plant(ctx, cascading)
}

// openWays opens every way on a session of its own with a plan_cache_mode.
func (b *bench) openWays(ctx context.Context, mode string) (map[string]*entry, error) {
	plain, cascading := b.waysForests()
	entries := map[string]*entry{}
	for _, w := range ways() {
		f := plain
		if w.cascade {
			f = cascading
		}
		s, err := b.enter(ctx, f, mode)
		if err != nil {
			return entries, err
		}
		e, err := b.open(ctx, w.name, w, s, f.tree(b.lab.Knob("delay_blocks")), 0)
		if err != nil {
			s.close(ctx)
			return entries, err
		}
		entries[w.name] = e
	}
	return entries, nil
}

func closeAll(ctx context.Context, entries map[string]*entry) {
	for _, e := range entries {
		e.session.close(ctx)
	}
}

func names() []string {
	var all []string
	for _, w := range ways() {
		all = append(all, w.name)
	}
	return all
}

// everyWay opens every way on sessions that warm up, and times those with
// custom plans.
func (b *bench) everyWay(ctx context.Context) error {
	if err := b.plantWays(ctx); err != nil {
		return err
	}
	b.wayRows = b.out.Table(waysTable)
	entries, err := b.openWays(ctx, custom)
	defer func() { closeAll(ctx, entries) }()
	if err != nil {
		return err
	}
	var arms []runner.Arm
	for _, name := range names() {
		arms = append(arms, b.following(entries[name]))
	}
	samples, err := b.repeat(ctx, "every way, custom plans", arms, repeats, 6)
	if err != nil {
		return err
	}
	for _, w := range ways() {
		b.customTimes[w.name] = stat.Medians(samples.Of(w.name))
	}
	b.generic, err = b.openWays(ctx, generic)
	return err
}

// reportWays counts every way under both modes, on one session a way, and writes
// their rows.
func (b *bench) reportWays(ctx context.Context, socket map[string][]float64) error {
	step := b.lab.Step("count what every way does", 0)
	defer step.Done()
	for _, w := range ways() {
		e := b.generic[w.name]
		s, err := b.enterCounting(ctx, e.session.forest)
		if err != nil {
			return err
		}
		counting, err := b.open(ctx, w.name, w, s, e.tree, 0)
		for _, of := range []struct {
			mode  string
			times []float64
		}{{generic, socket[w.name]}, {custom, b.customTimes[w.name]}} {
			if err == nil {
				err = b.reportWay(ctx, of.mode, w, counting, of.times)
			}
		}
		s.close(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// reportWay counts a way on a counting session and writes its row.
func (b *bench) reportWay(ctx context.Context, mode string, w way, e *entry, repeats []float64) error {
	c, err := b.countIn(ctx, e, mode)
	if err != nil {
		return err
	}
	if c.flights != w.flights(e.tree) || c.sent != w.sent(e.tree) {
		return fmt.Errorf("%s: %d round trips and %d statements were counted, arithmetic says %d and %d", w.name, c.flights, c.sent, w.flights(e.tree), w.sent(e.tree))
	}
	trigger, err := b.triggerTime(ctx, w, mode, e)
	if err != nil {
		return err
	}
	time := stat.Extremes(repeats)
	b.wayRows.Add(w.name, mode, time.Median, time.Low, time.High, len(repeats), c.sent, c.deletions, c.checks, c.flights, c.rows,
		c.walLow, c.walHigh, c.wal, c.buffers, trigger, true)
	return nil
}

// explaining are the statements that EXPLAIN is asked for of a way, as they are
// timed: prepared ones executed, texts as they are. None when there is no plan of
// the whole.
func (e *entry) explaining(ctx context.Context, name string) ([]string, error) {
	document := strconv.FormatInt(e.tree.document, 10)
	switch name {
	case setBased:
		return []string{executing(setFiles[0], document), executing(setFiles[1], document), executing(setFiles[2], document)}, nil
	case setSimple:
		return []string{statementWith(setFiles[0], e.tree.document), statementWith(setFiles[1], e.tree.document), statementWith(setFiles[2], e.tree.document)}, nil
	case oneCTE:
		return []string{executing("set_cte", document)}, nil
	case onCascade:
		return []string{executing("row_document", document)}, nil
	case anyArray:
		ids, err := e.session.ids(ctx, e.tree)
		var all []string
		for level, file := range anyFiles {
			all = append(all, executing(file, "'"+string(arrayOf(ids[level]))+"'"))
		}
		return all, err
	}
	return nil, nil
}

// triggerTime is the time of triggers under EXPLAIN, or why there is none. The
// plan of the prepared set-based form is kept.
func (b *bench) triggerTime(ctx context.Context, w way, mode string, e *entry) (any, error) {
	statements, err := e.explaining(ctx, w.name)
	if err != nil {
		return nil, err
	}
	if len(statements) == 0 {
		return runner.NA{Reason: "a statement a row: there is no plan of the whole, and a DO block has none at all"}, nil
	}
	explained, err := e.session.explain(ctx, statements...)
	if err != nil {
		return nil, err
	}
	if w.name == setBased && mode == generic {
		var texts []string
		for _, x := range explained {
			texts = append(texts, x.SQL+"\n"+x.Text)
		}
		b.out.Plan(runner.Plan{Name: "explain_set_based_generic", Title: fmt.Sprintf("The three set-based statements with generic plans, on %d blocks", e.tree.blocks),
			SQL: statement(setFiles[0]) + ";\n" + statement(setFiles[1]) + ";\n" + statement(setFiles[2]), Text: strings.Join(texts, "\n")})
	}
	return sumTriggers(explained), nil
}

func sumTriggers(all []instrument.Explained) float64 {
	var s float64
	for _, x := range all {
		s += x.TriggerTime()
	}
	return s
}
