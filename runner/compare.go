package runner

import (
	"fmt"
	"slices"
	"strings"
)

// A Member is a results folder in a comparison.
type Member struct {
	Name   string // tells it from the others
	Folder *Folder
	Claims []Outcome // of all its experiments, in order
}

// A Comparison holds results folders side by side. It is made from the folders
// alone: the same folders in the same order give the same comparison.
type Comparison struct {
	Members []Member
	Groups  []Group // members that repeat each other, in the order of their first ones

	Experiments []ComparedExperiment // that at least two folders have, or the only folder
	Alone       []string             // experiments that one folder has and no other, with its name
	Differing   []Property           // what is not the same in all groups
	Same        []Property           // what is

	Matrix     *Matrix  // what the folders were planned as, nil when they were named one by one
	Unfinished []string // folders of the matrix whose runs have not come to their end
}

// A ComparedExperiment is one experiment in several folders.
type ComparedExperiment struct {
	Name, Title, Question string
	Outlines              []*Outline // by member, nil where the folder does not have it
	Claims                []ComparedClaim
}

// A MixError says why folders do not belong together.
type MixError struct{ text string }

func (e *MixError) Error() string { return e.text }

// Compare puts folders side by side; the differences are those to the first.
// It fails with a *MixError when a folder shares no experiment with the first
// one, and with a *FolderError when a folder points at cells that are not there.
func Compare(members []Member) (*Comparison, error) {
	c := &Comparison{Members: members}
	for i, m := range members {
		if err := shares(members[0], m); err != nil {
			return nil, err
		}
		var err error
		if members[i].Claims, err = m.Folder.AllOutcomes(); err != nil {
			return nil, &FolderError{m.Folder.Dir, err}
		}
	}
	c.group()
	for _, name := range c.names() {
		c.addExperiment(name)
	}
	c.findProperties()
	return c, nil
}

// shares refuses a folder that has no experiment in common with the first.
func shares(first, m Member) error {
	ours, theirs := m.Folder.experiments(), first.Folder.experiments()
	if slices.ContainsFunc(ours, func(name string) bool { return slices.Contains(theirs, name) }) {
		return nil
	}
	return &MixError{fmt.Sprintf("%q and %q have no experiment in common (%s; %s): name folders of the same experiments",
		first.Name, m.Name, orNone(theirs), orNone(ours))}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// experiments names those that a folder has.
func (f *Folder) experiments() []string {
	var all []string
	for _, o := range f.Record.Experiments {
		all = append(all, o.Experiment)
	}
	return all
}

// outline returns an experiment's part of the record, nil when there is none.
func (f *Folder) outline(experiment string) *Outline {
	for i := range f.Record.Experiments {
		if f.Record.Experiments[i].Experiment == experiment {
			return &f.Record.Experiments[i]
		}
	}
	return nil
}

// names lists every experiment once, in the order in which folders have them.
func (c *Comparison) names() []string {
	var all []string
	for _, m := range c.Members {
		for _, name := range m.Folder.experiments() {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

func (c *Comparison) addExperiment(name string) {
	e := ComparedExperiment{Name: name, Outlines: make([]*Outline, len(c.Members))}
	has := ""
	n := 0
	for i, m := range c.Members {
		if e.Outlines[i] = m.Folder.outline(name); e.Outlines[i] == nil {
			continue
		}
		if n++; n == 1 {
			has, e.Title, e.Question = m.Name, e.Outlines[i].Title, e.Outlines[i].Question
		}
	}
	if n < 2 && len(c.Members) > 1 {
		c.Alone = append(c.Alone, name+" in "+has)
		return
	}
	e.Claims = c.compareClaims(name)
	c.Experiments = append(c.Experiments, e)
}

// Finished says whether a run came to its end, be it with experiments that
// failed.
func (f *Folder) Finished() bool {
	return !f.Record.Interrupted && !slices.ContainsFunc(f.Record.Experiments, func(o Outline) bool { return o.Error == killedText })
}
