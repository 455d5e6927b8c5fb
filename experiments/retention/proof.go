package retention

import (
	"context"
	"sync"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/checker"
	"deletecost/runner/postgres"
)

// A proof is what the checker found after a run.
type proof struct {
	acknowledged, unknown, unknownFound int64
	violations                          int64
}

// prove spot-checks the archive as the source did and lets the checker, which
// reads all of it, look for every row. Methods that take turns without writers
// are only verified: the pipeline has compared the counts. Loss is a finding and
// no error: the report must show it.
func (b *bench) prove(ctx context.Context, r *retired, m month, dir string, ledgers []string) error {
	setup := b.lab.Setup("prove " + r.name)
	defer setup.Done()
	var err error
	if r.spots, err = b.spotCheck(dir, r); err != nil {
		return err
	}
	if r.measured {
		return b.verify(r, dir)
	}
	report, err := checker.Check(ctx, b.conn, b.places(r, m, dir, ledgers))
	if err != nil {
		return err
	}
	r.verified = len(report.Archives) == 1 && report.Archives[0].Verified
	r.proof = proof{report.Acknowledged, report.Unknown, report.UnknownFound, int64(len(report.Violations))}
	if len(report.Violations) > 0 || !r.verified {
		b.out.Warn("%s: rows are not in exactly one place: %v", r.name, report)
	}
	return b.forget(ctx, r)
}

// verify reads the archive back without the server.
func (b *bench) verify(r *retired, dir string) error {
	_, faults, err := archive.Verify(dir)
	if err != nil {
		return err
	}
	for _, f := range faults {
		b.out.Warn("%s: the archive has a fault: %v", r.name, f)
	}
	r.verified = len(faults) == 0
	return nil
}

// forget empties the current month for the next run.
func (b *bench) forget(ctx context.Context, r *retired) error {
	if r.writers == 0 {
		return nil
	}
	return postgres.Execute(ctx, b.conn, "TRUNCATE "+tables(full)[0].current())
}

// places are where the checker looks: the tables, what was detached from them
// and the archive.
func (b *bench) places(r *retired, m month, dir string, ledgers []string) checker.Places {
	at := checker.Places{Ledgers: ledgers, Archives: []string{dir}}
	digests := m.digests()
	for i, t := range tables(r.schema) {
		digest := digests[i]
		at.Tables = append(at.Tables, checker.Table{Name: t.name, Live: t.parent(), Months: []string{t.leaf()}, Digest: &digest})
	}
	return at
}

// digests are those of both tables, taken at the same time.
func (m month) digests() (both [2]checker.Digest) {
	var taken sync.WaitGroup
	for i := range both {
		taken.Go(func() { both[i] = m.digest(i) })
	}
	taken.Wait()
	return both
}

// digest stands for the ids of a month's table: 0 the activities, 1 the
// deliveries.
func (m month) digest(which int) checker.Digest {
	ids := m.ids()
	if which == 1 {
		ids = m.deliveryIDs()
	}
	var d checker.Digest
	for range m.rows {
		d.Add(nextUUID(ids).String())
	}
	return d
}

// zeroLoss says whether every row of the month is in the verified archive and
// every acknowledged insert in its one place.
func (r *retired) zeroLoss() bool {
	return r.verified && r.outcome.Rows == r.archived() && r.proof.violations == 0
}
