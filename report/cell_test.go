package report

import (
	"slices"
	"strings"
	"testing"

	"deletecost/runner"
)

// sha is a digest of SHA-256 as a table holds it.
const sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestCell(t *testing.T) {
	for _, c := range []struct {
		text   string
		column runner.Column
		want   cell
	}{
		{"44359680", runner.Column{Unit: "bytes"}, cell{Text: "42.3 MiB", Raw: "44359680", Number: true}},
		{"5034", runner.Column{Unit: "rows"}, cell{Text: "5,034", Raw: "5034", Number: true}},
		{"12", runner.Column{}, cell{Text: "12", Number: true}},
		{"n/a", runner.Column{Unit: "s"}, cell{Text: "n/a", Number: true, NA: true}},
		{"1234", runner.Column{Text: true}, cell{Text: "1234"}},
		{sha, runner.Column{Text: true}, cell{Text: "e3b0c44298fc…", Raw: sha, Digest: true}},
		{"deadbeef", runner.Column{Text: true}, cell{Text: "deadbeef"}},
		{strings.Repeat("no digest ", 4), runner.Column{Text: true}, cell{Text: strings.Repeat("no digest ", 4)}},
	} {
		if got := newCell(c.text, c.column); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestLongNamesMayBreak(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"hard_delete_orders", []string{"hard_delete_orders"}},
		{"explain_active_rows_hard.txt", []string{"explain_active_", "rows_hard.txt"}},
		{"using soft_delete_orders_created_at_idx", []string{"using soft_delete_", "orders_created_", "at_idx"}},
		{"_________________________🐘", []string{"____________", "____________", "_🐘"}},
	} {
		if got := (cell{Text: c.text}).Pieces(); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
