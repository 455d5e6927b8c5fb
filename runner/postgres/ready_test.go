package postgres_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"deletecost/runner/postgres"
)

// cachedConfig has a cache of the test's own.
func cachedConfig(t *testing.T) postgres.Config {
	t.Helper()
	config := testConfig(t, "17")
	config.Cache = t.TempDir()
	return config
}

// ranInitdb starts and stops a server and tells whether that took an initdb.
func ranInitdb(t *testing.T, config postgres.Config, checksums bool) bool {
	t.Helper()
	host := openHost(t, config)
	server := startServer(t, host, postgres.Options{Checksums: checksums})
	if got := ask(t, server, "SELECT count(*)::text FROM pg_database"); got != "3" {
		t.Errorf("databases: %s, want 3", got)
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	return server.StartedIn.Initdb > 0
}

func TestReadyClusterIsMadeOnce(t *testing.T) {
	config := cachedConfig(t)
	for i, c := range []struct{ checksums, want bool }{{false, true}, {false, false}, {true, true}, {true, false}} {
		if got := ranInitdb(t, config, c.checksums); got != c.want {
			t.Errorf("start %d, checksums %v: initdb %v, want %v", i, c.checksums, got, c.want)
		}
	}
}

func TestDamagedReadyClusterIsMadeAgain(t *testing.T) {
	config := cachedConfig(t)
	ranInitdb(t, config, false)
	ready := filepath.Dir(mustGlob(t, filepath.Join(config.Cache, "clusters", "*", "seal"))[0])
	for name, damage := range map[string]func() error{
		"cut": func() error { return os.Truncate(filepath.Join(ready, "data", "global", "pg_control"), 100) },
		"half": func() error {
			return errors.Join(os.RemoveAll(ready), os.MkdirAll(filepath.Join(ready+".half", "data"), 0o700))
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if !ranInitdb(t, config, false) {
			t.Errorf("%s: the damaged cluster was used", name)
		}
	}
	if ranInitdb(t, config, false) {
		t.Error("not mended by the start after the damage")
	}
	if left := mustGlob(t, ready+".half"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	config := cachedConfig(t)
	file := filepath.Join(config.Cache, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{"", file} {
		config.Cache = cache
		host := openHost(t, config)
		first, second := startServer(t, host, postgres.Options{}), startServer(t, host, postgres.Options{})
		if first.StartedIn.Initdb == 0 || second.StartedIn.Initdb != 0 {
			t.Errorf("cache %q: initdb took %v and %v, want it for the first server alone", cache, first.StartedIn.Initdb, second.StartedIn.Initdb)
		}
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	}
}
