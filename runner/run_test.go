package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// half is an experiment that measures one claim of softdelete and then fails.
func half(fail error) *Experiment {
	return &Experiment{Name: "softdelete", Title: "T", Question: "Q?", Knobs: []Knob{{Name: "n", Min: 1, Max: 9, Smoke: 2}},
		Run: func(ctx context.Context, lab *Lab, out *Result) error {
			t := out.Table(TableSpec{Name: "sizes", Columns: []Column{{Name: "bytes", Unit: "bytes"}}})
			row := t.Add(44359680)
			out.Measured("s1.soft_heap", Say("n is {}", t.Ref(row, "bytes")), t.Ref(row, "bytes"))
			out.Plan(Plan{Name: "explain_x", Title: "x", SQL: "SELECT 1", Text: "Result\n"})
			lab.Step("a step", 1).Done()
			return fail
		}}
}

func runHalf(t *testing.T, ctx context.Context, fail error) (*Folder, error) {
	t.Helper()
	dir := t.TempDir()
	_, err := Run(ctx, Config{Experiments: []*Experiment{half(fail)}, Knobs: map[string]Values{"softdelete": {"n": 2}}, Dir: dir,
		Record: Record{Program: "deletecost test", Scale: Laptop, PostgreSQL: Binaries{Version: "17.10"}}, ProcessStart: time.Now(), Progress: func(Event) {}, Derive: Derive})
	f, openErr := Open(dir)
	if openErr != nil {
		t.Fatal(openErr)
	}
	return f, err
}

func TestFailedExperimentKeepsWhatItMeasured(t *testing.T) {
	// Braces in an error's text are not places for values.
	f, err := runHalf(t, context.Background(), errors.New("the server said {} and went"))
	if err == nil || !strings.Contains(err.Error(), "the server said {} and went") {
		t.Errorf("error %v", err)
	}
	all, err := f.AllOutcomes()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 35 { // shared/claims.csv has 35 of source s1
		t.Errorf("%d outcomes, want all 35 claims of s1", len(all))
	}
	for _, o := range all {
		want := NotMeasured
		if o.Claim.ID == "s1.soft_heap" {
			want = Reproduced
		}
		if o.Verdict != want || o.Why == "" {
			t.Errorf("%s is %q because %q, want %q and a reason", o.Claim.ID, o.Verdict, o.Why, want)
		}
	}
}

func TestExperimentMustAnswerForEveryClaim(t *testing.T) {
	_, err := runHalf(t, context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "s1.hard_heap") {
		t.Errorf("an experiment with 34 open claims ends with %v", err)
	}
}

func TestInterruptedRunSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, err := runHalf(t, ctx, nil)
	if err != nil || !f.Record.Interrupted || len(f.Record.Experiments) != 0 {
		t.Errorf("%v, interrupted %v, %d experiments; want none started", err, f.Record.Interrupted, len(f.Record.Experiments))
	}
}

func TestCheckNamesDifferences(t *testing.T) {
	f, _ := runHalf(t, context.Background(), errors.New("enough"))
	differences, err := Check(f)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range differences {
		got[d.Claim] = d.String()
	}
	if _, differs := got["s1.soft_heap"]; differs || len(differences) != 34 {
		t.Errorf("%d differences, with soft_heap %v; want the other 34 claims", len(differences), differs)
	}
	if want := "s1.hard_heap: not measured, expected reproduced"; got["s1.hard_heap"] != want {
		t.Errorf("%q, want %q", got["s1.hard_heap"], want)
	}
}

func TestNotAsPublished(t *testing.T) {
	claims, err := Claims()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newResult(filepath.Join(t.TempDir(), "softdelete"), half(nil), nil, claims)
	if err != nil {
		t.Fatal(err)
	}
	r.NotAsPublished("2 of 50 cycles")
	r.Measured("s1.soft_heap", Say("bound to the size"), Ref{Table: "t"})
	r.Measured("s1.rows_removed_hard", Say("true at any size"), Ref{Table: "t"})
	if a, b := r.Findings[0], r.Findings[1]; len(a.At) != 0 || !strings.Contains(a.Why.Text, "2 of 50 cycles") || len(b.At) != 1 {
		t.Errorf("%+v and %+v; want the first not measured, with the reason, and the second measured", a, b)
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"no record":          {"run.json", "", "", "run.json"},
		"cut record":         {"run.json", `"experiments"`, "", "run.json"},
		"another program":    {"run.json", `"program": "deletecost test"`, `"program": "x"`, "not one of deletecost"},
		"no number":          {"softdelete/sizes.csv", "44359680\n", "banana\n", `line 2: bytes is "banana"`},
		"another schema":     {"run.json", `"schema": 1`, `"schema": 99`, "schema 99"},
		"a row too many":     {"softdelete/sizes.csv", "44359680\n", "44359680\n1\n", "sizes.csv"},
		"another column":     {"softdelete/sizes.csv", "bytes\n", "pages\n", "line 1"},
		"a cell too many":    {"softdelete/sizes.csv", "44359680\n", "44359680,1\n", "sizes.csv"},
		"a table elsewhere":  {"run.json", `"name": "sizes"`, `"name": "../../sizes"`, "not a file name"},
		"a plan elsewhere":   {"run.json", `"name": "explain_x"`, `"name": "/etc/passwd"`, "not a file name"},
		"another experiment": {"run.json", `"experiment": "softdelete",`, `"experiment": "..",`, "not a folder name"},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := runHalf(t, context.Background(), errors.New("enough"))
			file := filepath.Join(f.Dir, c.file)
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), c.old) {
				t.Fatalf("%s does not hold %q: %v", c.file, c.old, err)
			}
			if c.old == "" {
				err = os.Remove(file)
			} else {
				err = os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Open(f.Dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("opens with %v, want an error that names %q", err, c.want)
			}
		})
	}
}
