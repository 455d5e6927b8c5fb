package postgres

import (
	"slices"
	"strings"
	"testing"
)

func TestRenderSettings(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"work_mem", "64MB", "work_mem = '64MB'\n"},
		{"search_path", `"a'b", public`, "search_path = '\"a''b\", public'\n"},
		{"auto_explain.log_format", `back\slash`, "auto_explain.log_format = 'back\\\\slash'\n"},
		{"work_mem", "1\n2", ""},
		{"work_mem", "1\r2", ""},
		{"work_mem", "1\x002", ""},
		{"Work_Mem", "1", ""},
		{"work mem", "1", ""},
		{"1work", "1", ""},
		{"", "1", ""},
		{"a=1 #", "1", ""},
		{"listen_addresses", "*", ""},
		{"port", "5433", ""},
	} {
		text, err := renderSettings(onSocket("/run"), map[string]string{c.name: c.value})
		if c.want == "" {
			if err == nil {
				t.Errorf("%q = %q: accepted, want an error", c.name, c.value)
			}
			continue
		}
		fixed, _ := renderSettings(onSocket("/run"), nil)
		if err != nil || !sameLines(text, fixed+c.want) {
			t.Errorf("%q = %q: %q, %v; want the line %q", c.name, c.value, text, err, c.want)
		}
	}
}

func TestRenderSettingsFixed(t *testing.T) {
	const want = "cluster_name = 'deletecost'\nlisten_addresses = ''\nlog_destination = 'stderr'\nlogging_collector = 'off'\n" +
		"port = '5432'\nunix_socket_directories = '/it''s'\nunix_socket_permissions = '0700'\n"
	got, err := renderSettings(onSocket("/it's"), nil)
	if err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

// sameLines compares texts regardless of the order of their lines.
func sameLines(a, b string) bool {
	return slices.Equal(slices.Sorted(strings.Lines(a)), slices.Sorted(strings.Lines(b)))
}
