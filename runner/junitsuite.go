package runner

import (
	"encoding/xml"
	"fmt"
)

// junitTime is a time as the Ant task writes it: UTC, without a zone.
const junitTime = "2006-01-02T15:04:05"

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

// A junitSuite has its elements in the order that the Ant task's schema wants.
type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Package    string          `xml:"package,attr"`
	ID         int             `xml:"id,attr"`
	Host       string          `xml:"hostname,attr"` // the machine is in the properties
	Timestamp  string          `xml:"timestamp,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`  // seconds
	Properties junitProperties `xml:"properties"` // is there also when it is empty
	Cases      []junitCase     `xml:"testcase"`
	Out        string          `xml:"system-out"`
	Err        string          `xml:"system-err"`
}

type junitProperties struct {
	All []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A junitCase passed when it has none of the three.
type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"` // seconds
	Skipped *junitMessage `xml:"skipped"`
	Error   *junitMessage `xml:"error"`
	Failure *junitMessage `xml:"failure"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// count counts the cases of a suite.
func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Error != nil:
			s.Errors++
		case c.Failure != nil:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

// distinct makes names that CI systems tell apart; it holds how often each was
// asked for.
type distinct map[string]int

// of returns a name that was not given before: "x", "x (2)", "x (3)".
func (d distinct) of(name string) string {
	if name == "" {
		name = "unnamed"
	}
	unique := name
	for taken := d[name] > 0; taken; taken = d[unique] > 0 {
		d[name]++
		unique = fmt.Sprintf("%s (%d)", name, d[name])
	}
	d[unique]++
	return unique
}
