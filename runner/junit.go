package runner

import (
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// JUnit returns runs as JUnit XML, as CI systems read it: an experiment is a
// suite and a claim is a case. A claim fails when its verdict is not the one
// that fixtures expect; as expected it is passed, or skipped when it was not
// measured or is not judged. The first case of a suite is the experiment itself,
// which is in error when it did not run to its end; its claims that were then
// not measured are skipped. With several folders their names begin those of the
// suites. failed, when it is not nil, is a suite of its own at the time at: what
// kept a run from being one.
//
// The document is valid by the schemas of both the Ant task and Jenkins.
func JUnit(at time.Time, failed error, folders ...*Folder) ([]byte, error) {
	expected, err := expectations()
	if err != nil {
		return nil, err
	}
	var all junitSuites
	names := distinct{}
	for _, f := range folders {
		if f.Record.Interrupted && failed == nil {
			failed = errors.New("the run was interrupted; experiments that it had not begun are not here")
		}
		prefix := ""
		if len(folders) > 1 {
			prefix = names.of(filepath.Base(f.Dir)) + "/"
		}
		for _, o := range f.Record.Experiments {
			s, err := newJUnitSuite(f, o, expected, prefix+o.Experiment)
			if err != nil {
				return nil, err
			}
			all.Suites = append(all.Suites, s)
		}
	}
	if failed != nil || len(all.Suites) == 0 {
		all.Suites = append(all.Suites, failedSuite(at, failed))
	}
	return all.document()
}

// document numbers the suites, counts their cases and writes them.
func (all junitSuites) document() ([]byte, error) {
	for i := range all.Suites {
		all.Suites[i].ID = i
		all.Suites[i].count()
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing JUnit XML: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

func newJUnitSuite(f *Folder, o Outline, expected []expectation, name string) (junitSuite, error) {
	outcomes, err := f.Outcomes(o)
	if err != nil {
		return junitSuite{}, err
	}
	s := junitSuite{Name: name, Package: programName, Host: "localhost", Timestamp: f.Record.Started.UTC().Format(junitTime), Time: seconds(max(0, o.Seconds)),
		Properties: propertiesOf(f.Record, o), Out: inert(Count(outcomes)), Err: inert(strings.Join(o.Warnings, "\n"))}
	names := distinct{}
	s.Cases = append(s.Cases, junitCase{Name: names.of("runs to its end"), Class: name, Time: s.Time, Error: junitErrorOf(o.Error)})
	for _, c := range outcomes {
		d, differs := differs(expected, f.Record, c)
		unmeasured := o.Error != "" && c.Verdict == NotMeasured
		k := junitCase{Name: names.of(OneLine(c.Claim.ID)), Class: name, Time: seconds(0)}
		switch {
		case differs && !unmeasured:
			k.Failure = junitFailure(c, d)
		case c.Verdict == NotMeasured, c.Verdict == NotJudged:
			k.Skipped = &junitMessage{Message: OneLine(c.Verdict.String() + ": " + c.Why)}
		}
		s.Cases = append(s.Cases, k)
	}
	return s, nil
}

// junitFailure says all that the report says of a claim.
func junitFailure(c Outcome, d Difference) *junitMessage {
	lines := []string{"claim: " + c.Claim.Statement, "published: " + c.Claim.PublishedText(), "measured: " + c.Measured()}
	if len(c.Cells) > 0 {
		measured, low, high := c.Values()
		lines = append(lines, "exactly: "+measured+" "+c.unit()+", interval "+low+" to "+high)
	}
	lines = append(lines, "verdict: "+d.Got, "expected: "+d.Expected, "judged: "+c.Claim.Rule(), "why: "+c.Why)
	return &junitMessage{Message: OneLine(d.Got + ", expected " + d.Expected), Type: "verdict", Text: inert(strings.Join(lines, "\n"))}
}

func junitErrorOf(text string) *junitMessage {
	if text == "" {
		return nil
	}
	return &junitMessage{Message: OneLine(text), Type: "error", Text: inert(text)}
}

// failedSuite is for a run without experiments.
func failedSuite(at time.Time, err error) junitSuite {
	text := "no experiment was run"
	if err != nil {
		text = err.Error()
	}
	return junitSuite{Name: programName, Package: programName, Host: "localhost", Timestamp: at.UTC().Format(junitTime), Time: seconds(0),
		Cases: []junitCase{{Name: "run", Class: programName, Time: seconds(0), Error: junitErrorOf(text)}}}
}

// propertiesOf are the machine, the versions and the settings.
func propertiesOf(r Record, o Outline) junitProperties {
	all := append(runFacts(r), knobFacts(o)...)
	for _, s := range o.Servers {
		all = append(all, fact{"server." + s.Name, s.Version})
		for _, v := range s.Settings {
			if v.Changed {
				all = append(all, fact{"server." + s.Name + "." + v.Name, v.Value})
			}
		}
	}
	names := distinct{}
	var properties junitProperties
	for _, f := range all {
		properties.All = append(properties.All, junitProperty{names.of(OneLine(f.key)), OneLine(f.value)})
	}
	return properties
}

// inert is OneLine for each line of a text.
func inert(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = OneLine(lines[i])
	}
	return strings.Join(lines, "\n")
}
