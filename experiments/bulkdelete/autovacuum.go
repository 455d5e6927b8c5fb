package bulkdelete

import (
	"context"
	"fmt"
	"math/rand/v2"

	"deletecost/runner/stat"
)

// autovacuumTrials repeats the whole sequence, and reads the table's size once
// when autovacuum has run, undisturbed and not.
func (s *sourceRun) autovacuumTrials(ctx context.Context) error {
	s.startTrialTables()
	arms := trialArms()[:s.lab.Knob("trial_arms")]
	trials := s.schedule(arms, s.lab.Rand("autovacuum trials"))
	if err := s.releaseAutovacuum(ctx); err != nil {
		return err
	}
	for i, t := range trials {
		if err := s.runTrial(ctx, t, i, len(trials)); err != nil {
			return err
		}
	}
	s.summarize(arms)
	s.compareWriter()
	s.sizeFinding()
	s.citeSizeAfter()
	s.autovacuumFigures()
	s.describeTrials()
	return nil
}

// schedule has the arms take turns: each once a round, in an order that is
// drawn, but for the first round, which begins undisturbed.
func (s *sourceRun) schedule(arms []trialArm, rng *rand.Rand) []*trial {
	var all []*trial
	for number := 1; number <= s.lab.Knob("trials"); number++ {
		order := stat.Order(rng, len(arms))[:len(arms)]
		for i, a := range order {
			if number == 1 {
				a = i
			}
			all = append(all, &trial{sourceRun: s, arm: arms[a], number: number})
		}
	}
	return all
}

// runTrial runs a trial on a copy, the last one on the original. The second
// one gives the plan as text.
func (s *sourceRun) runTrial(ctx context.Context, t *trial, i, trials int) error {
	t.text = i == 1
	t.database = readyDatabase
	if i < trials-1 {
		t.database = fmt.Sprintf("trial_%d", i+1)
		if err := s.copyForTrial(ctx, t); err != nil {
			return err
		}
	}
	step := s.lab.Step(fmt.Sprintf("autovacuum trial %d of %d", i+1, trials), 0)
	defer step.Done()
	if err := t.run(ctx); err != nil {
		return err
	}
	s.addTrial(t)
	return nil
}

// copyForTrial gives a trial a table of its own.
func (s *sourceRun) copyForTrial(ctx context.Context, t *trial) error {
	step := s.lab.Setup("copy the source's table for " + t.name())
	defer step.Done()
	return s.copyDatabase(ctx, readyDatabase, t.database)
}
