//go:build unix

package postgres

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// How a watcher meets the death of its tool: the server is a plain process here, and the pipe is closed as the kernel does.
func TestWatcherSignalsOnlyItsServer(t *testing.T) {
	for name, c := range map[string]struct {
		owner string // first line of the pid file; PID is the process, "" no file at all
		told  bool   // whether the watcher was told of the process
		want  syscall.Signal
	}{
		"its server":          {"PID", true, syscall.SIGQUIT},
		"another's id":        {"1", true, 0},
		"a longer id":         {"PID0", true, 0},
		"died before a start": {"PID", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			server := startSleep(t)
			w := startWatcher(t, data)
			owner := c.owner
			if len(owner) >= 3 {
				owner = strconv.Itoa(server.Process.Pid) + owner[3:]
			}
			if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte(owner+"\n"+data+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if c.told {
				if err := w.watch(server.Process); err != nil {
					t.Fatal(err)
				}
			}
			w.pipe.Close()
			w.cmd.Wait()
			if c.want == 0 {
				server.Process.Signal(syscall.SIGTERM) // what it ends of when the watcher has sent nothing
				c.want = syscall.SIGTERM
			}
			if got := endOf(server); got != c.want {
				t.Errorf("the process ended of %v, want %v", got, c.want)
			}
		})
	}
}

// A server writes its pid file some time after its start.
func TestWatcherAwaitsThePidFile(t *testing.T) {
	data := t.TempDir()
	server := startSleep(t)
	w := startWatcher(t, data)
	if err := w.watch(server.Process); err != nil {
		t.Fatal(err)
	}
	w.pipe.Close()
	if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte(strconv.Itoa(server.Process.Pid)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.cmd.Wait()
	if got := endOf(server); got != syscall.SIGQUIT {
		t.Errorf("the process ended of %v, want SIGQUIT", got)
	}
}

func TestWatcherEndsWhenTheServerIsGone(t *testing.T) {
	server := startSleep(t)
	w := startWatcher(t, t.TempDir())
	if err := w.watch(server.Process); err != nil {
		t.Fatal(err)
	}
	server.Process.Kill()
	server.Wait()
	w.pipe.Close()
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("the watcher: %v, want a quiet end", err)
	}
}

func TestReleaseSendsNothing(t *testing.T) {
	data := t.TempDir()
	server := startSleep(t)
	w := startWatcher(t, data)
	if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte(strconv.Itoa(server.Process.Pid)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.watch(server.Process); err != nil {
		t.Fatal(err)
	}
	w.release()
	server.Process.Signal(syscall.SIGTERM)
	if got := endOf(server); got != syscall.SIGTERM {
		t.Errorf("the process ended of %v, want SIGTERM: nothing of the watcher's", got)
	}
}

func TestProgramsHaveNoWatcher(t *testing.T) {
	got, err := watchOverPipe(&exec.Cmd{}, "")
	if _, none := got.(unwatched); !none || err != nil {
		t.Errorf("%T, %v; want no watcher over a program that is no server", got, err)
	}
}

// startSleep is a process that ends only when it is told to.
func startSleep(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// startWatcher starts a watcher for a data directory.
func startWatcher(t *testing.T, data string) *watcher {
	t.Helper()
	got, err := watchOverPipe(&exec.Cmd{Env: []string{"PATH=/usr/bin:/bin"}, SysProcAttr: &syscall.SysProcAttr{}}, data)
	if err != nil {
		t.Fatal(err)
	}
	w := got.(*watcher)
	t.Cleanup(func() { w.cmd.Process.Kill(); w.cmd.Wait(); w.pipe.Close() })
	return w
}

// endOf is the signal that a process ended of.
func endOf(cmd *exec.Cmd) syscall.Signal {
	cmd.Wait()
	return cmd.ProcessState.Sys().(syscall.WaitStatus).Signal()
}
