package postgres_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

func TestServerOfEveryVersion(t *testing.T) {
	for _, major := range []string{"16", "17", "18"} {
		host := openHost(t, testConfig(t, major))
		for checksums, want := range map[bool]string{true: "on", false: "off"} {
			t.Run(major+"/"+want, func(t *testing.T) {
				server := startServer(t, host, postgres.Options{Name: "a", Checksums: checksums})
				for query, want := range map[string]string{
					"SHOW data_checksums":          want,
					"SHOW server_encoding":         "UTF8",
					"SHOW server_version":          server.Version,
					"SHOW listen_addresses":        "",
					"SHOW cluster_name":            "deletecost",
					"SHOW timezone":                "UTC",
					"SHOW data_directory":          server.DataDir,
					"SHOW unix_socket_directories": server.SocketDir,
					"SELECT datcollate FROM pg_database WHERE datname = 'postgres'": "C",
					"SELECT current_user::text":                                     postgres.Superuser,
				} {
					if got := ask(t, server, query); got != want {
						t.Errorf("%s: %q, want %q", query, got, want)
					}
				}
				if !strings.HasPrefix(server.Version, major+".") {
					t.Errorf("version %q, want one of %s", server.Version, major)
				}
				if err := server.Stop(t.Context()); err != nil {
					t.Error(err)
				}
				if err := server.Err(); err != nil {
					t.Errorf("after Stop: %v, want nil", err)
				}
				if _, err := os.Stat(server.SocketDir); !os.IsNotExist(err) {
					t.Errorf("folder of the server after Stop: %v, want none", err)
				}
			})
		}
	}
}

func TestServersDoNotMeet(t *testing.T) {
	config := testConfig(t, "17")
	one, other := openHost(t, config), openHost(t, config)
	servers := []*postgres.Server{
		startServer(t, one, postgres.Options{Name: "a"}),
		startServer(t, one, postgres.Options{Name: "b"}),
		startServer(t, other, postgres.Options{Name: "c"}),
	}
	passwords := map[string]bool{}
	for _, server := range servers {
		if _, err := testserver.Connect(t, server).Exec(t.Context(), "CREATE TABLE "+server.Name+"()"); err != nil {
			t.Fatal(err)
		}
		passwords[server.ConnConfig().Password] = true
	}
	for _, server := range servers {
		tables := ask(t, server, "SELECT string_agg(relname, ',') FROM pg_class WHERE relnamespace = 'public'::regnamespace")
		if tables != server.Name {
			t.Errorf("tables of %s: %s, want its own", server.Name, tables)
		}
	}
	if len(passwords) != len(servers) {
		t.Errorf("%d passwords for %d servers", len(passwords), len(servers))
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	if got := ask(t, servers[2], "SELECT 'up'"); got != "up" {
		t.Errorf("server of the other host: %q, want up", got)
	}
}

func TestLogNamesTheServer(t *testing.T) {
	config := testConfig(t, "17")
	var log bytes.Buffer
	config.Log = &log
	host := openHost(t, config)
	startServer(t, host, postgres.Options{Name: "alpha"})
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(log.String()) {
		if !strings.HasPrefix(line, "alpha: ") {
			t.Errorf("line %q, want the server's name before it", line)
		}
	}
	if !strings.Contains(log.String(), "database system is ready to accept connections") {
		t.Errorf("log without the server's own words: %s", log.String())
	}
}

func TestKeepLeavesTheFolder(t *testing.T) {
	config := testConfig(t, "17")
	config.Keep = true
	host := openHost(t, config)
	server := startServer(t, host, postgres.Options{})
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(server.DataDir, "PG_VERSION")); err != nil {
		t.Errorf("data directory of a kept run: %v", err)
	}
	if later := openHost(t, config); len(later.Swept) > 0 {
		t.Errorf("swept %v, want the kept folder left alone", later.Swept)
	}
	for _, folder := range mustGlob(t, filepath.Join(config.TempDir, "*")) {
		os.RemoveAll(folder)
	}
}

func TestStartAfterClose(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := host.Start(t.Context(), postgres.Options{}); err == nil {
		t.Error("started a server on a closed host")
	}
}

func mustGlob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
