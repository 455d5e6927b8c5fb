package fetch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNpmHangs cancels an npm that waits for a child, and wants both gone.
func TestNpmHangs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	opts := withNpm(t, nil, "/bin/sleep 1000 & echo $! > "+file+"; wait")
	ctx, cancel := context.WithCancel(context.Background())
	child := make(chan int, 1)
	go func() {
		child <- readPID(file)
		cancel()
	}()
	if _, err := pinnedPostgres(ctx, opts, goodPin); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	nothingRemains(t, opts.Cache)
	pid := <-child
	if pid == 0 || !within(5*time.Second, func() bool { return ended(pid) }) {
		t.Errorf("the child of npm, process %d, lives on", pid)
	}
}

// readPID waits until a script has written a process id; 0 when it does not.
func readPID(file string) (pid int) {
	within(10*time.Second, func() bool {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	return pid
}

// ended says that a process is gone, or dead and waiting for its parent to notice.
func ended(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) != nil || err != nil || strings.Contains(string(stat), ") Z ")
}

func within(limit time.Duration, done func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return done()
}
