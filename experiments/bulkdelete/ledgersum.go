package bulkdelete

import (
	"context"

	"deletecost/runner/stat"
)

// weigh reads the space that is taken now.
func (r *ledgerRun) weigh(ctx context.Context, moment string) error {
	files, err := databaseSize(ctx, r.conn)
	if err != nil {
		return err
	}
	s := r.sum(ledgerItems...)
	r.disk = append(r.disk, diskPoint{moment: moment, elapsed: s.seconds, files: files - r.empty, wal: s.difference})
	return nil
}

// peak is the most space that files and WAL took together before a checkpoint
// let the WAL go.
func (r *ledgerRun) peak() int64 {
	var most int64
	for _, p := range r.disk {
		if p.moment != itemCheckpoint {
			most = max(most, p.files+p.wal)
		}
	}
	return most
}

// before and after are the files alone.
func (r *ledgerRun) before() int64 { return r.disk[0].files }
func (r *ledgerRun) after() int64  { return r.disk[len(r.disk)-1].files }

// sum adds items up.
func (r *ledgerRun) sum(items ...string) cost {
	total := ledgerRun{costs: map[string]cost{}}
	for _, name := range items {
		total.charge("sum", r.costs[name])
	}
	return total.costs["sum"]
}

// deferred is what comes after the rows are gone.
func (r *ledgerRun) deferred() cost { return r.sum(deferredItems...) }

// middleRun is the execution whose sum is the median one (the lower of two), so
// that the parts that are shown add up.
func middleRun(runs []*ledgerRun) *ledgerRun {
	var sums []float64
	for _, r := range runs {
		sums = append(sums, r.sum(ledgerItems...).seconds)
	}
	return runs[stat.Middle(sums)]
}
