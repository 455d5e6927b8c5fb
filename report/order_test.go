package report

import (
	"slices"
	"testing"

	"deletecost/runner"
)

func TestOrderPutsFirstWhatARowIs(t *testing.T) {
	word, number := func(name string) runner.Column { return runner.Column{Name: name, Text: true} }, func(name string) runner.Column { return runner.Column{Name: name} }
	figures := []runner.Figure{{Layers: []runner.Layer{{X: "cycle", Y: "bytes", By: "table"}}}, {Layers: []runner.Layer{{X: "share", Y: "rows"}}}}
	for _, c := range []struct {
		columns []runner.Column
		want    []int
		leading int
	}{
		{[]runner.Column{number("bytes"), number("cycle"), word("table"), number("rows")}, []int{1, 2, 0, 3}, 2},
		{[]runner.Column{word("arm"), number("draws"), number("share"), word("verdict")}, []int{0, 2, 1, 3}, 2},
		{[]runner.Column{number("bytes"), word("index"), word("arm"), number("pages"), word("as published")}, []int{1, 2, 0, 3, 4}, 2},
		{[]runner.Column{number("updates"), number("hot")}, []int{0, 1}, 0},
		{nil, nil, 0},
	} {
		got, leading := order(c.columns, keys(figures))
		if !slices.Equal(got, c.want) || leading != c.leading {
			t.Errorf("%+v: %v of which %d lead, want %v and %d", c.columns, got, leading, c.want, c.leading)
		}
	}
}
