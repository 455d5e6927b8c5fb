package runner

import (
	"fmt"
	"strconv"
)

// A Part is one line of a run's account.
type Part struct {
	Name  string // as run_metadata.csv has it: "softdelete.setup"
	Words string // for people: "softdelete, set-up"
	Spent
}

// Parts are the spans that a run's time consists of, in their order; nil without an account.
func (r Record) Parts() []Part {
	if r.Account == nil {
		return nil
	}
	all := []Part{{"before", "before the first experiment", r.Account.Before}}
	for _, o := range r.Experiments {
		if p := o.Phases; p != nil {
			all = append(all, Part{o.Experiment + ".setup", o.Experiment + ", set-up", p.Setup},
				Part{o.Experiment + ".measuring", o.Experiment + ", measuring", p.Measuring},
				Part{o.Experiment + ".between", o.Experiment + ", between steps", p.Between})
		}
	}
	return append(all, Part{"report", "figures and report", r.Account.Report})
}

// Share is a part of the whole in per cent; 0 of nothing.
func Share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * part / whole
}

// accountFacts are the lines of run_metadata.csv on where the time went.
func accountFacts(r Record) []fact {
	whole, known := r.Spent()
	if !known {
		return nil
	}
	all := []fact{{"peak_memory_bytes", NotAvailable}}
	switch {
	case r.Account.Memory > 0:
		all[0].value = strconv.FormatInt(r.Account.Memory, 10)
	case r.Account.NoMemory != "":
		all = append(all, fact{"peak_memory_unknown", r.Account.NoMemory})
	}
	for _, p := range append([]Part{{"run", "", whole}}, r.Parts()...) {
		name := "time." + p.Name
		all = append(all, fact{name + ".seconds", seconds(p.Seconds)}, fact{name + ".servers_seconds", seconds(p.Servers)},
			fact{name + ".answers_seconds", seconds(p.Answers)}, fact{name + ".background_seconds", seconds(p.Background)},
			fact{name + ".pauses_seconds", seconds(p.Pauses)}, fact{name + ".own_seconds", seconds(p.Own())},
			fact{name + ".waiting_for_postgresql_percent", strconv.FormatFloat(Share(p.PostgreSQL(), p.Seconds), 'f', 1, 64)})
	}
	return all
}

// spentText is the account in a line; "" without one.
func spentText(r Record) string {
	all, known := r.Spent()
	if !known || all.Seconds <= 0 {
		return ""
	}
	share := func(v float64) string { return fmt.Sprintf("%.1f %%", Share(v, all.Seconds)) }
	text := fmt.Sprintf("Of %.1f s the tool waited for PostgreSQL in %s (answers %s, servers that start and stop %s, background work %s) and on purpose in %s; %s were its own work",
		all.Seconds, share(all.PostgreSQL()), share(all.Answers), share(all.Servers), share(all.Background), share(all.Pauses), share(all.Own()))
	switch {
	case r.Account.NoMemory != "":
		text += "; its peak of memory is not known, since " + r.Account.NoMemory
	case r.Account.Memory > 0:
		text += ", with at most " + Humanize(strconv.FormatInt(r.Account.Memory, 10), "bytes") + " of memory"
	}
	return text + "."
}
