package runner

import (
	"strings"
	"testing"
)

func TestStatement(t *testing.T) {
	got := Statement("softdelete", "active_rows", "orders_table", "these")
	if strings.Contains(got, "--") || strings.Contains(got, "orders_table") || !strings.Contains(got, "FROM these") || got != strings.TrimSpace(got) {
		t.Errorf("%q, want the statement without comments, on the table these", got)
	}
	if got, want := Statement("softdelete", "gone"), `no statement "gone" of "softdelete"`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
