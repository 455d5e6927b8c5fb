package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deletecost/runner"
)

func TestWorstOfSeveralRuns(t *testing.T) {
	failed, differs := errors.New("experiment failed"), &checkError{[]runner.Difference{{Claim: "s1.a", Expected: "reproduced", Got: "inconclusive"}}}
	full, mended := &shortageError{"the disk is full"}, usagef("mend this")
	for name, c := range map[string]struct {
		errs []error
		want int
	}{
		"one differs":             {[]error{differs}, exitDiffers},
		"one failed, one differs": {[]error{differs, failed}, exitFailed},
		"one lacks something":     {[]error{failed, full, differs}, exitShortage},
		"one cannot be obeyed":    {[]error{full, mended}, exitUsage},
	} {
		var all runsError
		for _, err := range c.errs {
			all.add("17.10-1", err)
		}
		if got := exitCode(&all, false); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := exitCode(&all, true); got != exitInterrupted {
			t.Errorf("%s, interrupted: %d", name, got)
		}
	}
}

func TestErrorsOfSeveralRunsAreALineEach(t *testing.T) {
	var all runsError
	all.add("16.14-1", nil)
	all.add("17.10-1", errors.Join(errors.New("a"), errors.New("b")))
	all.add("17.10-2", errors.New("c"))
	var lines []string
	for _, e := range parts(&all) {
		lines = append(lines, e.Error())
	}
	if got := strings.Join(lines, "; "); got != "17.10-1: a; 17.10-1: b; 17.10-2: c" {
		t.Error(got)
	}
}

func TestFolderOfSeveralRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := newMatrixFolder("m", someTime)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newFolder("m", someTime); err == nil || err.Error() != usedFolder("m").Error() {
		t.Errorf("%v, want that it is used", err)
	}
	run, err := makeFolder(filepath.Join(f.path, "17.10-1"), logName)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "m/17.10-1/run.json")
	run.close()
	f.close()
	if got := strings.Join(entries(t, "m"), " "); got != "17.10-1 matrix.json" {
		t.Errorf("left: %s, want what was measured and the plan", got)
	}
	if f, err = newMatrixFolder("none", someTime); err != nil {
		t.Fatal(err)
	}
	f.close()
	if got := strings.Join(entries(t, "."), " "); got != "m" {
		t.Errorf("left: %s, want nothing of a matrix that measured nothing", got)
	}
}

func TestMembersAreNamedByTheEndsOfTheirPaths(t *testing.T) {
	for _, c := range []struct{ dirs, want string }{
		{"/r/a /r/b", "a b"},
		{"/x/17.10-1 /y/17.10-1 /y/16.14-1", "x/17.10-1 y/17.10-1 y/16.14-1"},
		{"/a /b/a", "/a b/a"},
	} {
		var members []runner.Member
		for _, dir := range strings.Fields(c.dirs) {
			members = append(members, runner.Member{Folder: &runner.Folder{Dir: dir}})
		}
		if err := nameMembers(members); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range members {
			got = append(got, m.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.dirs, got, c.want)
		}
	}
}

func TestComparisonReplacesOnlyItsOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"own.html": "<!DOCTYPE html>\n" + pageMark, "own.csv": strings.Join(runner.ComparisonColumns, ",") + "\n",
		"notes.html": "<!DOCTYPE html> mine", "data.csv": "a,b\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, taken := range map[string]bool{"own.html": true, "new.html": true, "notes.html": false, "data.html": false, "own.csv": false, ".": false, "no/such.html": false} {
		page, table, err := comparisonFiles(name)
		if (err == nil) != taken {
			t.Errorf("%s: %v", name, err)
		}
		if taken && (filepath.Base(page) != name || filepath.Base(table) != strings.TrimSuffix(name, ".html")+".csv") {
			t.Errorf("%s: %s and %s", name, page, table)
		}
	}
}
