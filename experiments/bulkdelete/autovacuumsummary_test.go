package bulkdelete

import (
	"context"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// summarized runs the findings on trials that are given.
func summarized(t *testing.T, trials ...*trial) (*runner.Folder, runner.Tables) {
	t.Helper()
	e := &runner.Experiment{Name: "bulkdelete", Title: "T", Question: "Q?", Run: func(_ context.Context, lab *runner.Lab, out *runner.Result) error {
		s := &sourceRun{bench: &bench{lab: lab, out: out}}
		s.startTables()
		s.startTrialTables()
		for _, trial := range trials {
			s.addTrial(trial)
		}
		s.summarize(trialArms()[:3])
		s.compareWriter()
		s.sizeFinding()
		s.citeSizeAfter()
		claims, err := runner.Claims()
		for _, c := range claims {
			if c.Experiment == "bulkdelete" && c.ID != "s3.size_after_autovacuum" {
				out.NotMeasured(c.ID, "not of this test")
			}
		}
		return err
	}}
	f, err := testrun.Run(t, e, testrun.NoServer, publishedKnobs())
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Tables(e.Name)
}

// ended is a trial that ended so.
func ended(arm string, after, missed, writer int64) *trial {
	return &trial{arm: trialArm{name: arm}, before: 1 << 30, came: true, after: after, reported: true,
		report: vacuumReport{pagesMissed: missed, pagesRemain: missed}, writes: pageWrites{writer: writer}}
}

// A single draw is not judged; five that all end at 24 kB are.
func TestSizeVerdictByTrials(t *testing.T) {
	for n, want := range map[int]runner.Verdict{1: runner.Inconclusive, 4: runner.Inconclusive, 5: runner.NotReproduced} {
		var trials []*trial
		for range n {
			trials = append(trials, ended(undisturbed, 24<<10, 0, 0))
		}
		f, tables := summarized(t, trials...)
		if o := verdicts(t, f)["s3.size_after_autovacuum"]; o.Verdict != want || o.Measured() == "" {
			t.Errorf("%d trials: %s, want %s", n, o.Verdict, want)
		}
		expect(t, tables["published_redrock"], map[string]string{"quantity": "size after autovacuum"}, map[string]string{"here": "24576"})
		expect(t, tables["size_after_autovacuum"], map[string]string{"arm": undisturbed}, map[string]string{"least_bytes": "24576", "greatest_bytes": "24576"})
	}
}

// The numbers are of all trials; a trial without a report counts for its size
// only; an answer counts when it lies between.
func TestSummary(t *testing.T) {
	silent := ended(undisturbed, 1<<29, 0, 0)
	silent.reported = false
	asked := ended(sizeAsked, 1<<20, 0, 0)
	asked.answers = []answer{{bytes: 1 << 30}, {bytes: 5 << 20, waited: time.Second}, {bytes: 3 << 20}, {bytes: 1 << 20}}
	_, tables := summarized(t, ended(undisturbed, 24<<10, 0, 10), ended(undisturbed, 1<<28, 26, 20), silent, asked)
	expect(t, tables["size_after_autovacuum"], map[string]string{"arm": undisturbed}, map[string]string{"trials": "3", "reports": "2", "emptied": "1",
		"with_missed_pages": "1", "greatest_pages_missed": "26", "median_bytes": "268435456", "greatest_bytes": "536870912", "high_bytes": runner.NotAvailable, "answers_between": runner.NotAvailable})
	expect(t, tables["size_after_autovacuum"], map[string]string{"arm": sizeAsked}, map[string]string{"answers_between": "2", "least_between_bytes": "3145728", "greatest_between_bytes": "5242880", "longest_wait_s": "1"})
	expect(t, tables["autovacuum_writer"], nil, map[string]string{"trials": "3", "with_missed_pages": "1", "pages_missed": "26", "buffers_written": "30"})
}

// The background writer is named as a cause only by trials that show it.
func TestWriterSentence(t *testing.T) {
	for has, trials := range map[string][]*trial{
		"No page was missed (trials: 1)":     {ended(undisturbed, 0, 0, 9)},
		"wrote 0 buffers: something else":    {ended(undisturbed, 9, 9, 0), ended(writerOff, 0, 0, 0)},
		"not compared":                       {ended(undisturbed, 9, 9, 9)},
		"consistent with":                    {ended(undisturbed, 9, 9, 9), ended(sizeAsked, 0, 0, 1), ended(writerOff, 0, 0, 0)},
		"wrote 9 buffers, 1 of 1 with it of": {ended(undisturbed, 9, 9, 9), ended(writerOff, 9, 2, 0)},
	} {
		f, _ := summarized(t, trials...)
		if o := verdicts(t, f)["s3.size_after_autovacuum"]; !strings.Contains(o.Why, has) {
			t.Errorf("%q is not in %q", has, o.Why)
		}
	}
}
