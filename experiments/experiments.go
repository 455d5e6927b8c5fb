// Package experiments lists the experiments in the order in which they run.
package experiments

import (
	"deletecost/experiments/bulkdelete"
	"deletecost/experiments/softdelete"
	"deletecost/experiments/treedelete"
	"deletecost/runner"
)

// All returns every experiment, in order.
func All() []*runner.Experiment {
	return []*runner.Experiment{softdelete.Experiment(), treedelete.Experiment(), bulkdelete.Experiment()}
}

// Planned names the experiments whose claims are in fixtures and that this
// release cannot run yet.
func Planned() []string { return []string{"retention"} }
