package postgres_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// execute runs statements.
func execute(t *testing.T, server *postgres.Server, sql string) {
	t.Helper()
	if _, err := testserver.Connect(t, server).Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// startStandby starts a standby of the primary.
func startStandby(t *testing.T, host *postgres.Host, primary *postgres.Server, options postgres.Options) *postgres.Server {
	t.Helper()
	standby, err := host.Standby(t.Context(), primary, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("standby of %s: copy %v, start %v", standby.Version, standby.StartedIn.Copy, standby.StartedIn.Start)
	return standby
}

// nextSegment moves the primary on from the WAL that it started with, with a checkpoint, which removes what need not be kept.
const nextSegment = "SELECT pg_switch_wal(); CHECKPOINT"

func TestStandbyOfEveryVersion(t *testing.T) {
	for _, major := range []string{"16", "17", "18"} {
		for checksums, want := range map[bool]string{true: "on", false: "off"} {
			t.Run(major+"/"+want, func(t *testing.T) {
				host := openHost(t, testConfig(t, major))
				primary := startServer(t, host, postgres.Options{Name: "primary", Checksums: checksums, Settings: map[string]string{
					"wal_keep_size": "64MB", "max_connections": "130", "max_worker_processes": "12", "max_wal_senders": "11",
					"max_prepared_transactions": "7", "max_locks_per_transaction": "32",
				}})
				execute(t, primary, "CREATE TABLE rows AS SELECT generate_series(1, 1000) AS id")
				execute(t, primary, nextSegment)
				standby := startStandby(t, host, primary, postgres.Options{Settings: map[string]string{
					"hot_standby_feedback": "on", "max_standby_streaming_delay": "-1",
				}})
				comparePair(t, primary, standby, want)
				stopPair(t, primary, standby, checksums)
			})
		}
	}
}

// comparePair says what right is for the pair that TestStandbyOfEveryVersion has started.
func comparePair(t *testing.T, primary, standby *postgres.Server, checksums string) {
	t.Helper()
	for query, want := range map[string]string{
		"SELECT pg_is_in_recovery()::text":                        "true",
		"SELECT count(*)::text FROM rows":                         "1000", // from before its start
		"SHOW data_checksums":                                     checksums,
		"SHOW hot_standby_feedback":                               "on",
		"SHOW max_standby_streaming_delay":                        "-1",
		"SHOW max_connections":                                    "130",
		"SHOW max_worker_processes":                               "12",
		"SHOW max_wal_senders":                                    "11",
		"SHOW max_prepared_transactions":                          "7",
		"SHOW max_locks_per_transaction":                          "64", // the default: initdb's cluster, where it begins, had that
		"SELECT system_identifier::text FROM pg_control_system()": ask(t, primary, "SELECT system_identifier::text FROM pg_control_system()"),
	} {
		if got := ask(t, standby, query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := ask(t, primary, "SELECT concat_ws(' ', count(*), min(application_name), min(state)) FROM pg_stat_replication"); got != "1 standby streaming" {
		t.Errorf("the primary tells %q, want one standby streaming", got)
	}
	// With remote_apply a commit returns once the standby shows it.
	execute(t, primary, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
	execute(t, primary, "SELECT pg_reload_conf()")
	eventually(t, 10*time.Second, "a synchronous standby", func() bool {
		return ask(t, primary, "SELECT min(sync_state) FROM pg_stat_replication") == "sync"
	})
	execute(t, primary, "SET synchronous_commit = remote_apply; DELETE FROM rows WHERE id > 400")
	if got := ask(t, standby, "SELECT count(*)::text FROM rows"); got != "400" {
		t.Errorf("%s rows after a DELETE, want 400", got)
	}
}

// stopPair stops both, in either order.
func stopPair(t *testing.T, primary, standby *postgres.Server, standbyFirst bool) {
	t.Helper()
	order := []*postgres.Server{primary, standby}
	if standbyFirst {
		order = []*postgres.Server{standby, primary}
	}
	for _, server := range order {
		if err := server.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if left := processesIn(server.SocketDir); len(left) > 0 {
			t.Errorf("%q: processes %v are left", server.Name, left)
		}
		if _, err := os.Stat(server.SocketDir); !os.IsNotExist(err) {
			t.Errorf("%q: folder after Stop: %v, want none", server.Name, err)
		}
	}
}

func TestStandbyThatCannotBe(t *testing.T) {
	config := testConfig(t, "17")
	host := openHost(t, config)
	gone := startServer(t, host, postgres.Options{Name: "gone"})
	execute(t, gone, nextSegment)
	minimal := startServer(t, host, postgres.Options{Name: "minimal", Settings: map[string]string{"wal_level": "minimal", "max_wal_senders": "0"}})
	mute := startServer(t, host, postgres.Options{Name: "mute", Settings: map[string]string{"max_wal_senders": "0"}})
	good := startServer(t, host, postgres.Options{Name: "good"})
	first := startStandby(t, host, good, postgres.Options{Name: "first"})
	stranger := startServer(t, openHost(t, config), postgres.Options{Name: "stranger"})
	folders := len(mustGlob(t, host.Folder+"/[0-9]*"))
	for _, c := range []struct {
		primary *postgres.Server
		options postgres.Options
		want    string
	}{
		{gone, postgres.Options{}, "requested WAL segment 000000010000000000000001 has already been removed; start it with a wal_keep_size"},
		{minimal, postgres.Options{}, "its wal_level is minimal"},
		{mute, postgres.Options{}, "its max_wal_senders is 0"},
		{good, postgres.Options{Name: "first"}, `it has a standby "first" already`},
		{good, postgres.Options{Name: "zwölf"}, `ASCII characters, and "zwölf" is not`},
		{good, postgres.Options{Settings: map[string]string{"max_connections": "20"}}, `setting "max_connections"`},
		{good, postgres.Options{Settings: map[string]string{"hot_standby": "off"}}, `setting "hot_standby"`},
		{good, postgres.Options{Settings: map[string]string{"no_such_setting": "1"}}, `unrecognized configuration parameter "no_such_setting"`},
		{first, postgres.Options{}, "it is a standby itself"},
		{stranger, postgres.Options{}, "it belongs to another host"},
	} {
		_, err := host.Standby(t.Context(), c.primary, c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), fmt.Sprintf("following %q", c.primary.Name)) {
			t.Errorf("of %q with %v: %v, want %q", c.primary.Name, c.options, err, c.want)
		}
		if left := mustGlob(t, host.Folder+"/[0-9]*"); len(left) != folders {
			t.Errorf("of %q with %v: folders %v, want %d", c.primary.Name, c.options, left, folders)
		}
		for _, pid := range processesIn(host.Folder) {
			if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && strings.HasSuffix(cwd, " (deleted)") {
				t.Errorf("of %q with %v: process %d is left in %s", c.primary.Name, c.options, pid, cwd)
			}
		}
	}
	if got := ask(t, gone, "SELECT 'up'"); got != "up" {
		t.Errorf("the primary without its WAL answers %q", got)
	}
}

// The words of a connection string and of the settings file are quoted differently; both meet these paths and names.
func TestStandbyWithOddWords(t *testing.T) {
	config := testConfig(t, "17")
	config.TempDir = filepath.Join(config.TempDir, "it's a")
	if err := os.Mkdir(config.TempDir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(config.TempDir) })
	for listens, config := range map[string]postgres.Config{"socket": config, "loopback": postgres.OnLoopback(config)} {
		host := openHost(t, config)
		primary := startServer(t, host, postgres.Options{})
		name := ` it's \ a "copy" '`
		startStandby(t, host, primary, postgres.Options{Name: name})
		if got := ask(t, primary, "SELECT min(application_name) FROM pg_stat_replication"); got != name {
			t.Errorf("%s: application_name %q, want %q", listens, got, name)
		}
		if err := host.Close(); err != nil {
			t.Errorf("%s: %v", listens, err)
		}
	}
}
