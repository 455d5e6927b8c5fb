package treedelete

import (
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/roundtrip"
)

// A bench holds what the parts of the experiment hand on.
type bench struct {
	lab     *runner.Lab
	out     *runner.Result
	server  *postgres.Server
	network *roundtrip.Network // of every session of enter; one at a time is in use
	samples *runner.Table

	delayRows *runner.Table
	delays    map[time.Duration]checkedDelay
	sessions  []*pgx.Conn // that were entered, also those that are closed

	sweepRows, flatRows, planRows *runner.Table
	sweep                         [5]int // rows, by size
	flat                          []int  // rows, in their order
	setPlan, loopPlan             int
	joinPlan                      runner.Ref // of the first set-based statement
	refusal                       string     // what the server says to EXPLAIN of the loop

	generic     map[string]*entry    // every way, on a session of its own
	customTimes map[string][]float64 // of every way with custom plans
	wayRows     *runner.Table

	delayed, farRows, fitRows, lineRows *runner.Table
	delayAt                             map[wayDelay]int
	large                               map[string]int // rows by way

	incidentRows, crossRows  *runner.Table
	heldOut                  []int // rows
	incidentRow, incidentSet int
	crossings                []int
}

func newBench(lab *runner.Lab, out *runner.Result) *bench {
	return &bench{lab: lab, out: out, network: &roundtrip.Network{}, samples: out.Table(samplesTable),
		delays: map[time.Duration]checkedDelay{}, delayAt: map[wayDelay]int{}, customTimes: map[string][]float64{}, large: map[string]int{}}
}
