package treedelete

import (
	"context"
	"fmt"
)

// incidentForest is the schema of the incident's own tree.
const incidentForest = "tree_incident"

// runIncident runs the incident: minutes of it, with progress. It returns the
// seconds by way.
func (b *bench) runIncident(ctx context.Context) (map[string]float64, error) {
	f := forest{schema: incidentForest, blocks: []int{(incidentStatements - 1) / 2}, others: b.lab.Knob("other_documents"), layout: scattered}
	if err := b.plant(ctx, f); err != nil {
		return nil, err
	}
	took := map[string]float64{}
	for _, name := range []string{setBased, rowPrepared} {
		seconds, err := b.runOn(ctx, f, name)
		if err != nil {
			return took, fmt.Errorf("running the incident, %s: %w", name, err)
		}
		took[name] = seconds
	}
	return took, nil
}

// runOn times one way on the incident's tree, once.
func (b *bench) runOn(ctx context.Context, f forest, name string) (float64, error) {
	s, err := b.enter(ctx, f, generic)
	if err != nil {
		return 0, err
	}
	defer s.close(ctx)
	w, t := wayNamed(name), f.tree(f.blocks[0])
	e, err := b.open(ctx, "incident, "+name, w, s, t, b.far())
	if err != nil {
		return 0, err
	}
	step := b.lab.Step("the incident, "+name, int(w.sent(t)))
	defer step.Done()
	s.advance = step.Advance
	taken, err := b.timed(ctx, e, 1, 0)
	if err != nil {
		return 0, err
	}
	return taken[0], nil
}
