package runner

import (
	"errors"
	"path/filepath"
	"testing"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

func TestLabStandby(t *testing.T) {
	out, err := newResult(filepath.Join(t.TempDir(), "softdelete"), half(nil), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	lab := &Lab{experiment: "softdelete", host: testserver.Host(t, "17"), out: out, progress: func(Event) {}, queried: func() {}}
	primary, err := lab.Server(t.Context(), postgres.Options{Name: "primary"})
	if err != nil {
		t.Fatal(err)
	}
	standby, err := lab.Standby(t.Context(), primary, postgres.Options{Settings: map[string]string{"hot_standby_feedback": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Servers) != 2 || out.Servers[1].Name != "standby" {
		t.Fatalf("recorded %+v, want the primary and the standby", out.Servers)
	}
	recorded := map[string]string{}
	for _, setting := range out.Servers[1].Settings {
		recorded[setting.Name] = setting.Value
	}
	if _, told := recorded["primary_conninfo"]; told || recorded["hot_standby_feedback"] != "on" {
		t.Errorf("recorded settings %v, want hot_standby_feedback on and no password", recorded)
	}
	if err := lab.stop(t.Context()); err != nil {
		t.Error(err)
	}
	for _, server := range []*postgres.Server{primary, standby} {
		select {
		case <-server.Done():
		default:
			t.Errorf("%q runs after the end", server.Name)
		}
	}
	if err := errors.Join(primary.Err(), standby.Err()); err != nil {
		t.Error(err)
	}
}
