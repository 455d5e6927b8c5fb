package runner

import "deletecost/runner/waiting"

// Spent is where a span of the wall clock went, in seconds. A moment is counted once, under the first of the kinds that
// applies; what is left is the tool's own work.
type Spent struct {
	Seconds    float64 `json:"seconds"`              // the whole span
	Servers    float64 `json:"servers,omitempty"`    // servers were initialised, started or stopped
	Answers    float64 `json:"answers,omitempty"`    // at least one goroutine waited for a server's answer, or for it to take the data of a COPY
	Background float64 `json:"background,omitempty"` // between two looks at work that no session waits for: autovacuum, a standby's replay
	Pauses     float64 `json:"pauses,omitempty"`     // the tool waited on purpose: round trips that it adds, writers alone
}

func newSpent(r waiting.Reading) Spent {
	of := func(k waiting.Kind) float64 { return r.Waited[k].Seconds() }
	return Spent{Seconds: r.Wall.Seconds(), Servers: of(waiting.Servers), Answers: of(waiting.Answers),
		Background: of(waiting.Background), Pauses: of(waiting.Pauses)}
}

// PostgreSQL is the part in which the tool waited for a server, in seconds.
func (s Spent) PostgreSQL() float64 { return s.Servers + s.Answers + s.Background }

// Own is the part in which the tool worked itself, in seconds.
func (s Spent) Own() float64 { return max(0, s.Seconds-s.PostgreSQL()-s.Pauses) }

// Plus is both spans together.
func (s Spent) Plus(o Spent) Spent {
	return Spent{s.Seconds + o.Seconds, s.Servers + o.Servers, s.Answers + o.Answers, s.Background + o.Background, s.Pauses + o.Pauses}
}

// Phases are an experiment's time by what it was for. It is counted for the step that began last and is not over.
type Phases struct {
	Setup     Spent `json:"setup"`
	Measuring Spent `json:"measuring"`
	Between   Spent `json:"between"` // no step was open
}

// All is the whole time of the experiment.
func (p Phases) All() Spent { return p.Setup.Plus(p.Measuring).Plus(p.Between) }

// Account is where the time of a run went, from the start of the process until the report was about to be written for
// the last time. Together with the experiments' phases it is all of it.
type Account struct {
	Before Spent `json:"before"` // the first experiment: files fetched, unpacked and checked, the machine looked at
	Report Spent `json:"report"` // figures drawn, the report and all other derived files written, after each experiment
	// Memory is the most that the tool itself had in memory since the first experiment was about to begin, in bytes, the
	// servers not included; 0 where the system does not tell. Off Linux the peak cannot begin anew: that of a process's
	// first run is since the process began, and later runs have none.
	Memory   int64  `json:"peak_memory_bytes,omitempty"`
	NoMemory string `json:"peak_memory_unknown,omitempty"` // why Memory is 0 though the system tells the process's
}

// Spent is the whole run; false for a record without an account.
func (r Record) Spent() (Spent, bool) {
	if r.Account == nil {
		return Spent{}, false
	}
	all := r.Account.Before.Plus(r.Account.Report)
	for _, o := range r.Experiments {
		if o.Phases != nil {
			all = all.Plus(o.Phases.All())
		}
	}
	return all, true
}
