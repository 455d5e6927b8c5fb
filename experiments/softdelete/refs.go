package softdelete

import "deletecost/runner"

// refs are the cells that claims, sentences and figures point at.
type refs struct {
	slips   map[string]runner.Ref            // by column
	sizes   map[string]map[string]runner.Ref // ratios soft over hard, by arm and measure
	soft    map[string]map[string]runner.Ref // by arm and measure
	hard    map[string]map[string]runner.Ref // by arm and measure
	health  map[string]map[string]runner.Ref // of the indexes on created_at, by arm/table and column
	updates map[string]runner.Ref            // of the soft table as published, by column
	explain map[string]map[string]runner.Ref // by file and column
	timed   map[string]map[string]runner.Ref // plans of the timed readings, by reading and column
	change  map[string]runner.Ref            // by measure of the fix
	removed map[string]map[string]runner.Ref // draws, by arm and column
	checks  map[string]runner.Ref
	ratios  map[string]runner.Ref // by condition/comparison/quantile
	times   map[string]runner.Ref // by condition/reading/quantile
	added   runner.Ref            // the injected round trip as it was measured
}

func newRefs() refs {
	byArm := func() map[string]map[string]runner.Ref { return map[string]map[string]runner.Ref{} }
	return refs{sizes: byArm(), soft: byArm(), hard: byArm(), health: byArm(), explain: byArm(), timed: byArm(), removed: byArm(),
		change: map[string]runner.Ref{}, checks: map[string]runner.Ref{}, ratios: map[string]runner.Ref{}, times: map[string]runner.Ref{}}
}
