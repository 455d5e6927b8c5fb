package postgres_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"deletecost/runner/postgres"
)

// underAWatcher is the wrapper of a helper whose server has a watcher and no death signal.
var underAWatcher = []string{"env", watcherVariable + "=1"}

func TestDeathOfTheToolUnderAWatcher(t *testing.T) {
	for _, major := range []string{"16", "17", "18"} {
		t.Run(major, func(t *testing.T) { killAndSweep(t, testConfig(t, major), nil, underAWatcher...) })
	}
}

func TestDeathOfTheToolOfAnotherUserUnderAWatcher(t *testing.T) {
	needRoot(t)
	config := testConfig(t, "17")
	config.Cache = openFolder(t)
	killAndSweep(t, config, asNobody(t, config.Cache, config.TempDir), underAWatcher...)
}

func TestSweepWaitsForTheLastProcessUnderAWatcher(t *testing.T) {
	sweepUnderAServer(t, underAWatcher...)
}

func TestWatcherEndsWithItsServer(t *testing.T) {
	config := postgres.UnderAWatcher(testConfig(t, "17"))
	host := openHost(t, config)
	first, second := startServer(t, host, postgres.Options{Name: "first"}), startServer(t, host, postgres.Options{Name: "second"})
	for _, server := range []*postgres.Server{first, second} {
		if got := watchersOver(server); len(got) != 1 {
			t.Fatalf("watchers over %s: %v, want one", server.Name, got)
		}
	}
	if err := first.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if got := watchersOver(first); len(got) != 0 {
		t.Errorf("watchers over the stopped server: %v, want none", got)
	}
	if got := ask(t, second, "SELECT 'up'"); got != "up" || len(watchersOver(second)) != 1 {
		t.Errorf("the other server: %q under watchers %v, want it up under one", got, watchersOver(second))
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if got := watchersOver(second); len(got) != 0 {
		t.Errorf("watchers after Close: %v, want none", got)
	}
}

// A watcher that held the lock of the run folder would keep sweeps away after the last server has gone.
func TestWatcherHoldsNoFileOfTheRun(t *testing.T) {
	server := startServer(t, openHost(t, postgres.UnderAWatcher(testConfig(t, "17"))), postgres.Options{})
	watchers := watchersOver(server)
	if len(watchers) != 1 {
		t.Fatalf("watchers: %v, want one", watchers)
	}
	files := openFiles(t, watchers[0])
	if len(files) == 0 {
		t.Fatal("no open file of the watcher could be read")
	}
	if slices.ContainsFunc(files, func(path string) bool { return strings.HasPrefix(path, filepath.Dir(server.SocketDir)) }) {
		t.Errorf("the watcher holds %v, want none of the run folder", files)
	}
	lock := filepath.Join(filepath.Dir(server.SocketDir), "lock")
	if held := openFiles(t, filepath.Join("/proc", strconv.Itoa(server.Pid()))); !slices.Contains(held, lock) {
		t.Errorf("the postmaster holds %v, want %s among them", held, lock)
	}
}

// watchersOver lists the folders in /proc of the watchers whose command line names the data directory.
func watchersOver(server *postgres.Server) []string {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	return slices.DeleteFunc(folders, func(folder string) bool {
		words, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		return !strings.Contains(string(words), "\x00deletecost-watcher\x00"+server.DataDir+"\x00")
	})
}

// openFiles are the paths of the open files of a process, given its folder in /proc.
func openFiles(t *testing.T, process string) []string {
	t.Helper()
	links := mustGlob(t, filepath.Join(process, "fd", "*"))
	var paths []string
	for _, link := range links {
		if path, err := os.Readlink(link); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
