package runner

import (
	"encoding/csv"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// One table with a value, its interval and a word; a claim on each.
var comparedTable = TableSpec{Name: "t", Columns: []Column{{Name: "bytes", Unit: "bytes"}, {Name: "ratio", Unit: "x"}, {Name: "low", Unit: "x"},
	{Name: "high", Unit: "x"}, {Name: "word", Text: true}, {Name: "took", Unit: "s"}}}

// member is a folder whose only row has the given cells.
func member(name, version string, row ...string) Member {
	find := func(id, value, low, high string) Finding {
		return Finding{Claim: Claim{ID: id, Tolerance: "shown"}, At: []Ref{{Table: "t", Value: value, Low: low, High: high}}}
	}
	o := Outline{Experiment: "e", Title: "E", Findings: []Finding{find("size", "bytes", "", ""), find("ratio", "ratio", "low", "high"),
		find("word", "word", "", ""), find("time", "took", "", "")}}
	f := &Folder{Dir: "/" + name, tables: map[string]Tables{"e": {"t": {TableSpec: comparedTable, Rows: [][]string{row}}}}}
	f.Record = Record{PostgreSQL: Binaries{Version: version}, Experiments: []Outline{o}}
	return Member{Name: name, Folder: f}
}

func compared(t *testing.T, members ...Member) *Comparison {
	t.Helper()
	c, err := Compare(members)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// words are the relations of each claim of the second group.
func words(c *Comparison) string {
	var all []string
	for _, claim := range c.Experiments[0].Claims {
		word := "nothing"
		if len(claim.Parts) > 0 {
			word = string(claim.Parts[0].Relations[1].Word)
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}

func TestCompareTellsHowFiguresStand(t *testing.T) {
	first := member("a", "16.14", "100", "2", "1.9", "2.1", "yes", "3")
	for name, c := range map[string]struct {
		row  []string
		want string
	}{
		"the same":             {[]string{"100", "2", "1.9", "2.1", "yes", "3"}, "equal, no difference shown, equal, no interval"},
		"all else":             {[]string{"101", "4", "3.9", "4.1", "no", "4"}, "not equal, larger, not equal, no interval"},
		"smaller, overlapping": {[]string{"99", "1", "0.5", "1.5", "yes", "3"}, "not equal, smaller, equal, no interval"},
		"holds 1":              {[]string{"100.0", "2.05", "1.9", "2.2", "yes", "3"}, "equal, no difference shown, equal, no interval"},
		"none":                 {[]string{"n/a", "0", "0", "0.1", "yes", "n/a"}, "not in both, not equal, equal, not in both"},
		"no interval":          {[]string{"100", "2", "n/a", "n/a", "yes", "3"}, "equal, no difference shown, equal, no interval"},
	} {
		if got := words(compared(t, first, member("b", "17.10", c.row...))); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// 4 [3.6, 4.4] over 2 [1.9, 2.1]: 2, off by the root of the squares of the two distances on logarithms.
func TestCompareGivesTheRatioAnInterval(t *testing.T) {
	c := compared(t, member("a", "16.14", "100", "2", "1.9", "2.1", "yes", "3"), member("b", "17.10", "150", "4", "3.6", "4.4", "yes", "6"))
	claims := c.Experiments[0].Claims
	if r := claims[0].Parts[0].Relations[1]; r.Ratio != 1.5 || r.Interval {
		t.Errorf("counted: %+v, want 1.5 without an interval", r)
	}
	// ln(4/3.6) = 0.10536, ln(2.1/2) = 0.04879: 0.11611 down; ln(4.4/4) = 0.09531, ln(2/1.9) = 0.05129: 0.10823 up.
	r := claims[1].Parts[0].Relations[1]
	if r.Ratio != 2 || r.Low < 1.7806 || r.Low > 1.7809 || r.High < 2.2285 || r.High > 2.2287 {
		t.Errorf("sampled: %+v, want 2 [1.7807, 2.2286]", r)
	}
	if r := claims[3].Parts[0].Relations[1]; r.Ratio != 2 || r.Interval || r.Word != Untold {
		t.Errorf("a time taken once: %+v, want 2 and no interval", r)
	}
}

func TestCompareGroupsRepeats(t *testing.T) {
	same := []string{"100", "2", "1.9", "2.1", "yes", "3"}
	other := member("d", "17.10", same...)
	other.Folder.Record.Machine.CPU = "another"
	c := compared(t, member("a", "17.10", same...), member("b", "16.14", same...), member("c", "17.10", same...), other)
	var got []string
	for _, g := range c.Groups {
		got = append(got, g.Name)
	}
	if want := []string{"a, c", "PostgreSQL 16.14", "d"}; !slices.Equal(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
}

func TestCompareLooksBetweenRuns(t *testing.T) {
	row := func(ratio, low, high string) []string { return []string{"100", ratio, low, high, "yes", "3"} }
	for name, c := range map[string]struct {
		rows               [][]string
		value, low, high   float64
		exceeds, ofRuns    bool
		level, least, most float64
	}{
		"two runs that agree":  {[][]string{row("2", "1.9", "2.2"), row("2.2", "2.1", "2.3")}, 2.1, 1.9, 2.3, false, false, 0, 2, 2.2},
		"two that do not":      {[][]string{row("2", "1.9", "2.1"), row("2.4", "2.3", "2.5")}, 2.2, 1.9, 2.5, true, false, 0, 2, 2.4},
		"five, by their range": {[][]string{row("2", "1", "3"), row("5", "4", "6"), row("3", "2", "4"), row("4", "3", "5"), row("6", "5", "7")}, 4, 2, 6, true, true, 0.9375, 2, 6},
	} {
		var members []Member
		for i, r := range c.rows {
			members = append(members, member(string(rune('a'+i)), "17.10", r...))
		}
		s := compared(t, members...).Experiments[0].Claims[1].Parts[0].Spreads[0]
		if !near(s.Value, c.value) || s.Low != c.low || s.High != c.high || s.Exceeds != c.exceeds || (s.Method == RangeOfRuns) != c.ofRuns ||
			s.Level != c.level || s.Least != c.least || s.Most != c.most {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestCompareRefusesFoldersThatShareNothing(t *testing.T) {
	a, b := member("a", "17.10"), member("b", "17.10")
	a.Folder.Record.Experiments, b.Folder.Record.Experiments = []Outline{{Experiment: "x"}, {Experiment: "y"}}, []Outline{{Experiment: "z"}}
	_, err := Compare([]Member{a, b})
	var mix *MixError
	if want := `"a" and "b" have no experiment in common (x, y; z): name folders of the same experiments`; !errors.As(err, &mix) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestCompareRefusesADanglingPointer(t *testing.T) {
	m := member("a", "17.10")
	m.Folder.tables["e"]["t"].Rows = nil
	var folder *FolderError
	if _, err := Compare([]Member{m}); !errors.As(err, &folder) {
		t.Errorf("%v, want a folder error", err)
	}
}

func TestCompareSettingsAndMachines(t *testing.T) {
	row := []string{"100", "2", "1.9", "2.1", "yes", "3"}
	server := func(name, checksums, method string) ServerRecord {
		r := ServerRecord{Name: name, Settings: []Setting{{Name: "data_checksums", Value: checksums}, {Name: "fsync", Value: "on"}}}
		if method != "" {
			r.Settings = append(r.Settings, Setting{Name: "io_method", Value: method})
		}
		return r
	}
	a, b := member("a", "17.10", row...), member("b", "18.4", row...)
	a.Folder.Record.Experiments[0].Servers = []ServerRecord{server("p", "off", ""), server("q", "on", "")}
	b.Folder.Record.Experiments[0].Servers = []ServerRecord{server("p", "off", "worker"), server("q", "on", "worker")}
	a.Folder.Record.Machine.CPUs, b.Folder.Record.Machine.CPUs = 2, 8
	c := compared(t, a, b)
	got := map[string]Property{}
	for _, p := range c.Differing {
		got[p.Name] = p
	}
	if p := got["io_method"]; p.Where != "all 2 servers" || !slices.Equal(p.Values, []string{"", "worker"}) {
		t.Errorf("io_method: %+v", p)
	}
	if p := got["processors"]; !slices.Equal(p.Values, []string{"2", "8"}) {
		t.Errorf("processors: %+v", p)
	}
	if _, differs := got["fsync"]; differs || len(got) != 3 { // the version, too
		t.Errorf("differing: %+v", c.Differing)
	}
	if on, off, same := c.Checksums(); on != 1 || off != 1 || !same {
		t.Errorf("checksums on %d, off %d, same %v; want 1, 1, true", on, off, same)
	}
	b.Folder.Record.Experiments[0].Servers[0].Settings[0].Value = "on"
	if _, _, same := compared(t, a, b).Checksums(); same {
		t.Error("checksums differ on one server, and it is not told")
	}
}

func TestComparisonCSV(t *testing.T) {
	c := compared(t, member("a", "16.14", "100", "2", "1.9", "2.1", "yes", "3"), member("b", "17.10", "150", "4", "3.6", "4.4", "yes", "6"))
	rows, err := csv.NewReader(strings.NewReader(string(c.CSV()))).ReadAll()
	if err != nil || len(rows) != 1+4*2 {
		t.Fatalf("%d rows, %v; want a header and 4 claims in 2 folders", len(rows), err)
	}
	want := "e,size,1,,,,bytes,PostgreSQL 17.10,b,17.10,150,n/a,n/a,not judged,1,150,n/a,n/a,n/a,n/a,n/a,n/a,1.5,n/a,n/a,not equal"
	if got := strings.Join(rows[2], ","); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestComparisonColumnsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## comparison.csv")
	var documented []string
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 4 && !strings.HasPrefix(cells[1], " ---") && cells[1] != " column " {
			documented = append(documented, strings.Split(strings.TrimSpace(cells[1]), ", ")...)
		}
	}
	if !slices.Equal(documented, ComparisonColumns) {
		t.Errorf("documented are %q, written %q", documented, ComparisonColumns)
	}
}
