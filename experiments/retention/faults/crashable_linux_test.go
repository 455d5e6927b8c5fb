package faults_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

// A crashable is a server whose processes can all be killed and that starts
// again on the same cluster. Its fsync is off: what a killed process wrote, the
// kernel keeps.
type crashable struct {
	server  *postgres.Server
	program string      // path of postgres
	owner   fs.FileInfo // of the cluster
	again   chan struct{}
}

// startCrashable starts a server of its own.
func startCrashable(t *testing.T) *crashable {
	t.Helper()
	found, err := fetch.Postgres(t.Context(), fetch.Options{}, "17")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := fetch.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp("", "crash-")
	if err == nil {
		err = os.Chmod(temp, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	host, err := postgres.Open(t.Context(), postgres.Config{Binaries: found.Bin, Version: found.Version, Cache: cache, TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	c := &crashable{}
	t.Cleanup(func() {
		if c.server != nil {
			c.kill()
		}
		_ = host.Close() // it tells of the server that was killed
		os.RemoveAll(temp)
	})
	if c.server, err = host.Start(t.Context(), postgres.Options{Settings: map[string]string{"fsync": "off"}}); err != nil {
		t.Fatal(err)
	}
	c.program, err = os.Readlink(fmt.Sprintf("/proc/%d/exe", c.server.Pid()))
	if err == nil {
		c.owner, err = os.Stat(c.server.DataDir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// processes are those that work in the cluster's folder.
func (c *crashable) processes() (pids []int) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && at == c.server.DataDir {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill ends all processes of the server with SIGKILL, also those that the
// postmaster made meanwhile.
func (c *crashable) kill() {
	for {
		pids := c.processes()
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond) // until they are gone
	}
	<-c.server.Done()
	if c.again != nil {
		<-c.again
	}
}

// crash kills the server and starts it again on the same cluster, which has to
// recover.
func (c *crashable) crash(ctx context.Context) error {
	c.kill()
	cmd := exec.Command(c.program, "-D", c.server.DataDir)
	owner := c.owner.Sys().(*syscall.Stat_t)
	cmd.Dir, cmd.Env = c.server.DataDir, []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.WaitDelay = time.Second
	started, again := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the death signal follows the thread
		defer runtime.UnlockOSThread()
		defer close(again)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	c.again = again
	if err := <-started; err != nil {
		return err
	}
	return c.await(ctx, again, &log)
}

// await waits until the server has recovered.
func (c *crashable) await(ctx context.Context, ended <-chan struct{}, log *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		conn, err := c.server.Connect(ctx)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ended:
			return fmt.Errorf("the server did not start again: %s", log)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// connect opens a connection to whichever process serves now.
func (c *crashable) connect(ctx context.Context) (*pgx.Conn, error) { return c.server.Connect(ctx) }
