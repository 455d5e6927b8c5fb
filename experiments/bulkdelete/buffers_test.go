package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// TestDropBuffers: 40 blocks of 2 executions an arm, on two servers whose
// shared_buffers are the default and what the knob says.
func TestDropBuffers(t *testing.T) {
	tables, outline, err := onAsides(t, "18", asideKnobs(), func(a *asides) []func(context.Context) error {
		return []func(context.Context) error{a.dropBuffers}
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tables["turns"].Rows); n != 40*2*3 {
		t.Errorf("%d samples, want 240", n)
	}
	for server, want := range []string{"128MB", "512MB"} {
		if got := sharedBuffers(outline.Servers[server]); got != want {
			t.Errorf("server %d has shared_buffers %q, want %s", server, got, want)
		}
	}
	if got := testrun.Number(t, tables["drop_buffers"], "ratio", map[string]string{"shared_buffers": "512 MB"}); got <= 0 {
		t.Errorf("the ratio is %v", got)
	}
}

func sharedBuffers(s runner.ServerRecord) string {
	for _, setting := range s.Settings {
		if setting.Name == "shared_buffers" {
			return setting.Value
		}
	}
	return ""
}

func TestDropBuffersLeftOut(t *testing.T) {
	knobs := asideKnobs()
	knobs["drop_large_mb"] = 0
	_, outline, err := onAsides(t, "18", knobs, func(a *asides) []func(context.Context) error {
		return []func(context.Context) error{a.dropBuffers}
	})
	if err != nil || len(outline.Servers) != 0 || len(outline.Unmeasured) != 1 {
		t.Errorf("error %v, %d servers, unmeasured %q: want no server and a line on it", err, len(outline.Servers), outline.Unmeasured)
	}
}
