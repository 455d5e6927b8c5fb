package report

import (
	"fmt"
	"strconv"

	"deletecost/runner"
)

// wholeRun stands for an experiment's name where something concerns all of them; it is a word of the command, so no
// experiment has it.
const wholeRun = "run"

// timeFile is what holds the account of a run beside run.json.
const timeFile = "run_metadata.csv"

// account says where the time of the whole run went.
type account struct {
	Total, PostgreSQL, Share, Own string
	Memory                        string // "" when it is not known
	NoMemory                      string // why not; may be ""
	Figures                       []figure
}

// timeColumns are a span of time with its parts, all of which are there once.
var timeColumns = []runner.Column{
	{Name: "part", Text: true, Meaning: "of the run"},
	{Name: "answers", Unit: "s", Meaning: "waiting for an answer, or for the server to take the data of a COPY"},
	{Name: "servers", Unit: "s", Meaning: "waiting for servers to be initialised, to start and to stop"},
	{Name: "background", Unit: "s", Meaning: "waiting for work that no session waits for, between two looks"},
	{Name: "pauses", Unit: "s", Meaning: "waiting on purpose: added round trips, writers alone"},
	{Name: "own work", Unit: "s", Meaning: "the tool's own work: the rest"},
	{Name: "total", Unit: "s", Meaning: "wall clock"},
	{Name: "waiting for PostgreSQL", Unit: "%", Meaning: "answers, servers and background"},
}

// timeOutline is the account as an experiment would have it, with its table.
func timeOutline(r runner.Record) (runner.Outline, runner.Tables) {
	o := runner.Outline{Experiment: wholeRun}
	if len(r.Parts()) == 0 {
		return o, nil
	}
	all, _ := r.Spent()
	t := &runner.Table{TableSpec: runner.TableSpec{Name: "time", Title: "Where the wall clock went", Columns: timeColumns}}
	t.Rows = append(t.Rows, timeRow("the whole run", all))
	for _, p := range r.Parts() {
		t.Rows = append(t.Rows, timeRow(p.Words, p.Spent))
	}
	o.Figures = []runner.Figure{{
		Name: "time", Title: "Where the time of this run went",
		HowToRead: "Each bar is a part of the run by what the tool did in it. A moment counts once, as the first of these that applies: waiting for servers, for an answer, for background work, on purpose; what is left is the tool's own work.",
		Layers: []runner.Layer{{Mark: runner.Bar, Table: "time", X: "part", Y: "total", Label: "wall clock",
			Parts: []string{"answers", "servers", "background", "pauses", "own work"}}},
	}}
	return o, runner.Tables{t.Name: t}
}

// timeRow is a row of timeColumns.
func timeRow(name string, s runner.Spent) []string {
	row := []string{name}
	for _, v := range []float64{s.Answers, s.Servers, s.Background, s.Pauses, s.Own(), s.Seconds} {
		row = append(row, strconv.FormatFloat(v, 'f', 3, 64))
	}
	return append(row, strconv.FormatFloat(runner.Share(s.PostgreSQL(), s.Seconds), 'f', 1, 64))
}

// timeFigures draws the account; none without one.
func timeFigures(r runner.Record, drawable bool) ([]figure, error) {
	o, ts := timeOutline(r)
	all, err := newFigures(r, o, ts, newPrints(o), drawable)
	for i := range all {
		for j := range all[i].Tables {
			all[i].Tables[j].File, all[i].Tables[j].Anchor = timeFile, "run/time"
		}
	}
	return all, err
}

// newAccount is nil for a record without an account.
func newAccount(r runner.Record, drawable bool) (*account, error) {
	all, known := r.Spent()
	if !known || all.Seconds <= 0 {
		return nil, nil
	}
	figures, err := timeFigures(r, drawable)
	if err != nil {
		return nil, fmt.Errorf("the account of time: %w", err)
	}
	percent := func(v float64) string { return fmt.Sprintf("%.1f %%", runner.Share(v, all.Seconds)) }
	seconds := func(v float64) string { return runner.Humanize(decimal(v), "s") }
	a := &account{Total: seconds(all.Seconds), PostgreSQL: seconds(all.PostgreSQL()), Share: percent(all.PostgreSQL()), Own: percent(all.Own()), NoMemory: r.Account.NoMemory, Figures: figures}
	if r.Account.Memory > 0 {
		a.Memory = runner.Humanize(strconv.FormatInt(r.Account.Memory, 10), "bytes")
	}
	return a, nil
}
