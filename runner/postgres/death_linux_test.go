package postgres_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"deletecost/runner/postgres"
)

func TestDeathOfTheTool(t *testing.T) {
	for _, major := range []string{"16", "17", "18"} {
		t.Run(major, func(t *testing.T) { killAndSweep(t, testConfig(t, major), nil) })
	}
}

func TestDeathOfTheToolOfAnotherUser(t *testing.T) {
	needRoot(t)
	config := testConfig(t, "17")
	config.Cache = openFolder(t)
	killAndSweep(t, config, asNobody(t, config.Cache, config.TempDir))
}

// killAndSweep kills a tool that holds a busy server. The server must end, and the next tool must sweep its folder and
// nothing else.
func killAndSweep(t *testing.T, config postgres.Config, credential *syscall.Credential, wrapper ...string) {
	live := startHelper(t, config, credential, wrapper...)
	dead := startHelper(t, config, credential, wrapper...)
	if dead.state.Problem != "" || live.state.Problem != "" {
		t.Fatalf("helpers: %q, %q", dead.state.Problem, live.state.Problem)
	}
	if got := processesIn(dead.state.Folder); !slices.Contains(got, dead.state.Pid) {
		t.Fatalf("processes %v in %s, want the postmaster %d among them", got, dead.state.Folder, dead.state.Pid)
	}
	strangers := placeStrangers(t, config.TempDir, credential)
	if err := dead.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "the server ends after its tool was killed", func() bool { return len(processesIn(dead.state.Folder)) == 0 })
	next := startHelper(t, config, credential, wrapper...)
	if !slices.Equal(next.state.Swept, []string{dead.state.Folder}) {
		t.Errorf("swept %v, want %s alone", next.state.Swept, dead.state.Folder)
	}
	if next.state.Initdb {
		t.Error("initdb ran again, want the ready cluster used")
	}
	if _, err := os.Stat(dead.state.Folder); !os.IsNotExist(err) {
		t.Errorf("folder of the dead run: %v, want none", err)
	}
	if got := processesIn(live.state.Folder); !slices.Contains(got, live.state.Pid) {
		t.Errorf("processes %v of the live run, want its postmaster %d among them", got, live.state.Pid)
	}
	for _, path := range strangers {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("not ours, and yet touched: %v", err)
		}
		os.RemoveAll(path)
	}
	if err := live.end(); err != nil {
		t.Error(err)
	}
	if err := next.end(); err != nil {
		t.Error(err)
	}
}

// placeStrangers makes folders and links that look like run folders and are none.
func placeStrangers(t *testing.T, temp string, credential *syscall.Credential) []string {
	t.Helper()
	const mark = "deletecost run folder; may be removed when nobody holds the lock of this file\n"
	make := func(name string, lock *string) string {
		path := filepath.Join(temp, name)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if lock != nil {
			if err := os.WriteFile(filepath.Join(path, "lock"), []byte(*lock), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if credential != nil {
			os.Chown(path, int(credential.Uid), int(credential.Gid))
		}
		return path
	}
	marked, other, more, none := mark, "another program's lock\n", mark+"more\n", ""
	paths := []string{
		make("deletecost-unmarked", nil), make("deletecost-other", &other), make("deletecost-more", &more),
		make("deletecost-unwritten", &none), make("elsewhere", &marked),
	}
	link := filepath.Join(temp, "deletecost-link")
	if err := os.Symlink(paths[4], link); err != nil {
		t.Fatal(err)
	}
	linked := make("deletecost-linked", nil)
	if err := os.Symlink(filepath.Join(paths[4], "lock"), filepath.Join(linked, "lock")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(paths[0], "lock"), 0o644); err != nil {
		t.Fatal(err)
	}
	paths = append(paths, link, linked)
	if os.Geteuid() == 0 { // of a user who is neither the tool's nor the servers'
		foreign := make("deletecost-foreign", &marked)
		if err := os.Chown(foreign, 4242, 4242); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, foreign)
	}
	return paths
}

func TestSweepWaitsForTheLastProcess(t *testing.T) { sweepUnderAServer(t) }

// sweepUnderAServer kills a tool whose server cannot end, and lets it end. Only then may the folder be swept.
func sweepUnderAServer(t *testing.T, wrapper ...string) {
	config := testConfig(t, "17")
	dead := startHelper(t, config, nil, wrapper...)
	// A stopped postmaster cannot obey the signal: its tool is gone and the server is still there.
	if err := syscall.Kill(dead.state.Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(dead.state.Pid, syscall.SIGCONT) })
	if err := dead.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	dead.cmd.Wait()
	if host := openHost(t, config); len(host.Swept) > 0 {
		t.Errorf("swept %v under a server that is still there", host.Swept)
	}
	if err := syscall.Kill(dead.state.Pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "the server ends once it can", func() bool { return len(processesIn(dead.state.Folder)) == 0 })
	if host := openHost(t, config); !slices.Equal(host.Swept, []string{dead.state.Folder}) {
		t.Errorf("swept %v, want %s", host.Swept, dead.state.Folder)
	}
}
