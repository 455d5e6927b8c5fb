package runner

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"
	"time"
)

// judged is a folder with one claim of each kind: as expected, not as expected,
// not measured, not judged, and one that fixtures do not know.
func judged(experiment, failed string) *Folder {
	number := func(id, tolerance, value string) Finding {
		row := map[string]int{"44359680": 0, "7": 1}[value]
		f := Finding{Claim: Claim{ID: id, Statement: "S of " + id, Published: "44359680", Unit: "bytes", Tolerance: tolerance}, Why: Say("because")}
		if value != "" {
			f.At = []Ref{{Table: "t", Row: row, Value: "v", Low: "l", High: "l"}}
		}
		return f
	}
	o := Outline{Experiment: experiment, Seconds: 1.5, Error: failed, Warnings: []string{"noisy"}, Knobs: Values{"cycles": 50}, Servers: []ServerRecord{{Name: "s", Version: "PostgreSQL 17.10",
		Settings: []Setting{{Name: "fsync", Value: "off", Changed: true}, {Name: "jit", Value: "on"}}}}, Findings: []Finding{
		number("s1.soft_heap", "equal 44359680", "44359680"), number("s1.hard_heap", "equal 44359680", "7"), number("s1.live_ratio", "shown", ""),
		number("s1.latency_table", "shown", "7"), number("s9.unknown", "equal 44359680", "44359680")}}
	t := &Table{TableSpec: TableSpec{Name: "t", Columns: []Column{{Name: "v", Unit: "bytes"}, {Name: "l"}}}, Rows: [][]string{{"44359680", "44359680"}, {"7", "6"}}}
	return &Folder{Dir: "/somewhere/17.10-1", tables: map[string]Tables{experiment: {"t": t}},
		Record: Record{Scale: Laptop, Started: time.Unix(0, 0), PostgreSQL: Binaries{Version: "17.10"}, Machine: Machine{CPU: "a \x1b[2J cpu\ufffe"}, Experiments: []Outline{o}}}
}

// read checks the rules of the schemas that are common to the Ant task and to
// Jenkins, and returns the suites.
func readJUnit(t *testing.T, failed error, folders ...*Folder) []junitSuite {
	t.Helper()
	text, err := JUnit(time.Unix(0, 0), failed, folders...)
	if err != nil {
		t.Fatal(err)
	}
	var all junitSuites
	if err := xml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	suites := map[string]bool{}
	for i, s := range all.Suites {
		if s.ID != i || s.Name == "" || suites[s.Name] || s.Host == "" || s.Package == "" {
			t.Errorf("suite %d is named %q, id %d", i, s.Name, s.ID)
		}
		suites[s.Name] = true
		if _, err := time.Parse("2006-01-02T15:04:05", s.Timestamp); err != nil {
			t.Error(err)
		}
		checkCases(t, s)
	}
	return all.Suites
}

func checkCases(t *testing.T, s junitSuite) {
	t.Helper()
	cases, properties := map[string]bool{}, map[string]bool{}
	var failures, errs, skipped int
	for _, c := range s.Cases {
		if c.Name == "" || cases[c.Name] || c.Class == "" || c.Time == "" {
			t.Errorf("case %+v of suite %q", c, s.Name)
		}
		cases[c.Name] = true
		for _, n := range []struct {
			m *junitMessage
			n *int
		}{{c.Failure, &failures}, {c.Error, &errs}, {c.Skipped, &skipped}} {
			if n.m != nil {
				*n.n++
			}
		}
		if (c.Failure != nil && c.Failure.Type == "") || (c.Error != nil && c.Error.Type == "") {
			t.Errorf("%s: no type", c.Name)
		}
	}
	for _, p := range s.Properties.All {
		if p.Name == "" || properties[p.Name] {
			t.Errorf("property %q of suite %q", p.Name, s.Name)
		}
		properties[p.Name] = true
	}
	if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errs || s.Skipped != skipped {
		t.Errorf("suite %q counts %d, %d, %d, %d, has %d, %d, %d, %d", s.Name, s.Tests, s.Failures, s.Errors, s.Skipped, len(s.Cases), failures, errs, skipped)
	}
}

func TestJUnit(t *testing.T) {
	s := readJUnit(t, nil, judged("softdelete", ""))[0]
	if s.Name != "softdelete" || s.Time != "1.500" || s.Tests != 6 || s.Failures != 3 || s.Errors != 0 || s.Skipped != 1 {
		t.Errorf("%+v", s)
	}
	// latency_table is "not judged" and fixtures expect that; live_ratio is
	// expected to be reproduced.
	want := map[string]string{"runs to its end": "", "s1.soft_heap": "", "s1.hard_heap": "not reproduced, expected reproduced", "s1.live_ratio": "not measured, expected reproduced",
		"s1.latency_table": "not judged: because", "s9.unknown": "reproduced, expected an expectation in fixtures/expected.csv"}
	for _, c := range s.Cases {
		got := ""
		if c.Failure != nil {
			got = c.Failure.Message
		} else if c.Skipped != nil {
			got = c.Skipped.Message
		}
		if got != want[c.Name] {
			t.Errorf("%s: %q, want %q", c.Name, got, want[c.Name])
		}
	}
	text := s.Cases[2].Failure.Text
	for _, want := range []string{"claim: S of s1.hard_heap\n", "published: 42.3 MiB (44,359,680 bytes)\n", "exactly: 7 bytes, interval 6 to 6\n", "verdict: not reproduced\n",
		"expected: reproduced\n", "judged: must equal 44,359,680\n", "why: because"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not hold %q", text, want)
		}
	}
	properties := map[string]string{}
	for _, p := range s.Properties.All {
		properties[p.Name] = p.Value
	}
	for name, want := range map[string]string{"postgresql_version": "17.10", "cpu": "a [2J cpu\ufffd", "softdelete.cycles": "50", "server.s.fsync": "off", "server.s.jit": ""} {
		if got := properties[name]; got != want {
			t.Errorf("property %s is %q, want %q", name, got, want)
		}
	}
}

func TestJUnitOfAFailedExperiment(t *testing.T) {
	s := readJUnit(t, nil, judged("softdelete", "the server\nwent \x1b[2J"))[0]
	// What was measured before is compared all the same.
	if s.Errors != 1 || s.Failures != 2 || s.Skipped != 2 || s.Cases[0].Error == nil || s.Cases[0].Error.Message != "the server went [2J" {
		t.Errorf("%+v", s)
	}
}

func TestJUnitOfSeveralFolders(t *testing.T) {
	var names []string
	for _, s := range readJUnit(t, errors.New("interrupted"), judged("softdelete", ""), judged("softdelete", ""), judged("treedelete", "")) {
		names = append(names, s.Name)
	}
	if got, want := strings.Join(names, ", "), "17.10-1/softdelete, 17.10-1 (2)/softdelete, 17.10-1 (3)/treedelete, deletecost"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestJUnitWithoutARun(t *testing.T) {
	for _, failed := range []error{nil, errors.New("the download failed")} {
		all := readJUnit(t, failed)
		if len(all) != 1 || all[0].Errors != 1 || failed != nil && all[0].Cases[0].Error.Message != "the download failed" {
			t.Errorf("%v: %+v", failed, all)
		}
	}
}

func TestJUnitTellsHostileNamesApart(t *testing.T) {
	f := judged("softdelete", "")
	for i := range f.Record.Experiments[0].Findings {
		f.Record.Experiments[0].Findings[i].Claim.ID = []string{"\x00", "a", "a (2)", "a", "runs to its end"}[i]
	}
	f.Record.Experiments[0].Servers = []ServerRecord{{}, {}, {Name: "</property>]]>"}}
	readJUnit(t, nil, f)
}
