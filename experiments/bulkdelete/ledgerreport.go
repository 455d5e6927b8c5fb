package bulkdelete

import (
	"slices"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// enter writes down one execution at once.
func (l *ledgerBook) enter(r *ledgerRun) {
	removed, how := r.way.share.String(), r.way.how
	for _, item := range ledgerItems {
		if item == itemBetween && !r.way.between {
			continue
		}
		c := r.costs[item]
		row := []any{removed, how, r.repeat, item, slices.Contains(deferredItems, item), c.seconds}
		if item == itemCheckpoint {
			none := runner.NA{Reason: "the checkpointer does the work, and no statement's counters have it"}
			row = append(row, none, none, none, c.difference, none, c.written)
		} else {
			row = append(row, c.walBytes, c.walRecords, c.walImages, c.difference, c.dirtied, c.written)
		}
		l.lines.items.Add(row...)
	}
	none := runner.NA{Reason: "the ledger's server has autovacuum off and VACUUM stands for it; what autovacuum itself does is measured on the source's table"}
	l.lines.items.Add(removed, how, r.repeat, "autovacuum", true, none, none, none, none, none, none, none)
	for _, h := range r.locks.sorted() {
		l.lines.locks.Add(removed, how, r.repeat, h.name(), h.taken, h.seconds, h.times)
	}
	if r.repeat > 1 {
		return
	}
	for _, p := range r.disk {
		l.lines.disk.Add(removed, how, r.way.label(), p.moment, p.elapsed, p.files, p.wal, p.files+p.wal)
	}
}

// report writes the sums, the figures and what they say.
func (l *ledgerBook) report(runs [][]*ledgerRun) {
	l.lines.ways, l.lines.wal = l.out.Table(ledgerWaysTable), l.out.Table(ledgerWALTable)
	for _, of := range runs {
		l.addWay(of)
		l.addWAL(of, countsEqual(of, runs))
	}
	l.explainLedger()
	l.ledgerFigures()
	l.concludeLedger()
}

// addWay writes the sums of a way.
func (l *ledgerBook) addWay(of []*ledgerRun) {
	r := middleRun(of)
	low, high := rangeOf(of, func(r *ledgerRun) float64 { return r.sum(ledgerItems...).seconds })
	removed := l.rows - int(r.left.rows)
	row := []any{r.way.share.String(), r.way.how, r.way.label(), removed, r.left.rows, r.left == l.stay[r.way.share], r.way.transactions(l.rows)}
	for _, item := range ledgerItems {
		row = append(row, r.paid(item, r.costs[item].seconds))
	}
	longest, strongest := r.locks.longest(), r.locks.strongest()
	l.lines.ways.Add(append(row, r.deferred().seconds, r.sum(ledgerItems...).seconds, len(of), low, high,
		longest.name(), longest.seconds, strongest.name(), strongest.seconds, r.before(), r.peak(), r.after())...)
}

// addWAL writes the WAL of a way.
func (l *ledgerBook) addWAL(of []*ledgerRun, equal any) {
	r := middleRun(of)
	row := []any{r.way.share.String(), r.way.how, r.way.label()}
	for _, item := range ledgerItems {
		if item != itemCheckpoint {
			row = append(row, r.paid(item, r.costs[item].walBytes))
		}
	}
	all := r.sum(ledgerItems...)
	low, high := rangeOf(of, func(r *ledgerRun) float64 { return float64(r.sum(ledgerItems...).difference) })
	l.lines.wal.Add(append(row, r.deferred().walBytes, all.walBytes, all.difference-all.walBytes, all.difference, low, high,
		all.walImages, all.dirtied, all.written, len(of), equal)...)
}

// paid is what an item took, where the way has the item at all.
func (r *ledgerRun) paid(item string, took any) any {
	if item == itemBetween && !r.way.between {
		return runner.NA{Reason: "no VACUUM between"}
	}
	return took
}

// rangeOf is from the least to the greatest of several executions.
func rangeOf(of []*ledgerRun, value func(*ledgerRun) float64) (low, high any) {
	if len(of) == 1 {
		once := runner.NA{Reason: "executed once"}
		return once, once
	}
	var all []float64
	for _, r := range of {
		all = append(all, value(r))
	}
	ends := stat.Extremes(all)
	return ends.Low, ends.High
}
