// Package experiments lists the experiments in the order in which they run.
package experiments

import (
	"deletecost/experiments/bulkdelete"
	"deletecost/experiments/retention"
	"deletecost/experiments/softdelete"
	"deletecost/experiments/treedelete"
	"deletecost/runner"
)

// All returns every experiment, in order.
func All() []*runner.Experiment {
	return []*runner.Experiment{softdelete.Experiment(), treedelete.Experiment(), bulkdelete.Experiment(), retention.Experiment()}
}
