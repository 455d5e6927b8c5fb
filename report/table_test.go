package report

import (
	"slices"
	"testing"

	"deletecost/runner"
)

func TestLongTableIsFoldedAndNamesItsFile(t *testing.T) {
	got := newPrints(runner.Outline{Experiment: "e"}).first(long(1234))
	if !got.Fold || len(got.Rows) != 200 || got.File != "e/long.csv" || got.Shown != "The first 200 rows of 1,234." {
		t.Errorf("fold %v, %d rows, file %q, %q", got.Fold, len(got.Rows), got.File, got.Shown)
	}
	if got := newPrints(runner.Outline{Experiment: "e"}).first(long(200)); !got.Fold || got.Shown != "" || len(got.Rows) != 200 {
		t.Errorf("200 rows: fold %v, %d rows, %q", got.Fold, len(got.Rows), got.Shown)
	}
	if got := newPrints(runner.Outline{Experiment: "e"}).first(long(24)); got.Fold || len(got.Rows) != 24 {
		t.Errorf("24 rows: fold %v, %d rows", got.Fold, len(got.Rows))
	}
}

func TestTableIsPrintedOnce(t *testing.T) {
	p, table := newPrints(runner.Outline{Experiment: "e"}), long(3)
	first := p.drawn(table, []int{0, 1, 2})
	again := p.drawn(table, []int{0, 1, 2})
	if first.Anchor != "e/long.csv" || len(first.Rows) != 3 || again.Above != first.Anchor || again.Rows != nil {
		t.Errorf("first %+v, then %+v", first, again)
	}
	if some := p.drawn(table, []int{0, 2}); some.Above != first.Anchor {
		t.Errorf("some rows of a short table: %+v", some)
	}
	o := runner.Outline{Tables: []runner.TableOutline{{TableSpec: table.TableSpec}}}
	if shown, raw := p.rest(o, runner.Tables{"long": table}); len(shown)+len(raw) != 0 {
		t.Errorf("printed again: %v %v", shown, raw)
	}
}

func TestFigureOfALongTablePrintsWhatItDraws(t *testing.T) {
	p, table := newPrints(runner.Outline{Experiment: "e"}), long(1000)
	first, other := p.drawn(table, []int{0, 500, 999}), p.drawn(table, []int{1, 2})
	if first.Anchor != "e/long.csv" || len(first.Rows) != 3 || first.Shown != "The 3 rows that the figure draws, of 1,000." {
		t.Errorf("first %+v", first)
	}
	if other.Anchor != "" || other.Above != "" || len(other.Rows) != 2 {
		t.Errorf("other rows: %+v", other)
	}
}

func TestPublishedStaysAsPrinted(t *testing.T) {
	for _, c := range []struct {
		claim runner.Claim
		want  value
	}{
		{runner.Claim{Published: "44359680", Unit: "bytes"}, value{"42.3 MiB", "44,359,680 bytes"}},
		{runner.Claim{Published: "5046272 / 11517952", Unit: "bytes"}, value{Text: "5,046,272 / 11,517,952 bytes"}},
		{runner.Claim{Published: "26.7", Unit: "x"}, value{Text: "26.7×"}},
		{runner.Claim{Published: "1.1 to 1.7", Unit: "x"}, value{Text: "1.1 to 1.7×"}},
		{runner.Claim{Published: "5034", Unit: "rows"}, value{Text: "5,034 rows"}},
		{runner.Claim{Published: "yes", Unit: "bool"}, value{Text: "yes"}},
		{runner.Claim{Published: "see source", Unit: "ms"}, value{Text: "see source"}},
		{runner.Claim{Published: "512", Unit: "bytes"}, value{Text: "512 bytes"}},
	} {
		if got := published(c.claim); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.claim, got, c.want)
		}
	}
}

func TestCommandIsQuotedForAShell(t *testing.T) {
	words := []string{"run", "--set", "softdelete.cycles=12", "--out", "my results", "it's", ""}
	if got, want := command(words), `deletecost run --set softdelete.cycles=12 --out 'my results' 'it'\''s' ''`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestServersThatDoNotDifferStandTogether(t *testing.T) {
	on := []runner.Setting{{Name: "fsync", Value: "on", Default: "on"}}
	off := []runner.Setting{{Name: "fsync", Value: "off", Default: "on", Changed: true}}
	got := groupServers([]runner.ServerRecord{{Name: "a", Settings: on}, {Name: "b", Settings: off}, {Name: "c", Settings: on}})
	if len(got) != 2 || got[0].Names != "a, c" || got[1].Names != "b" {
		t.Fatalf("%+v", got)
	}
	if !slices.Equal(got[0].Unchanged, on) || got[0].Changed != nil || !slices.Equal(got[1].Changed, off) {
		t.Errorf("%+v", got)
	}
}
