package postgres

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// process is a child that one OS thread starts and waits for. Linux sends the death signal of a child when the thread
// that made it ends, not when the process does, so that thread lives as long as the child.
type process struct {
	cmd   *exec.Cmd
	guard guard
	done  chan struct{} // closed once the child has ended and was waited for
	err   error         // of the wait; to be read after done
}

// command prepares a program of the binaries: under the servers' account, in its own process group, with a clean
// environment, and holding the lock of the run folder.
func (h *Host) command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(h.program(program), args...)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
	// A child of the child may hold the output open after it; its lines are not worth an endless wait.
	cmd.WaitDelay = 2 * time.Second
	isolate(cmd, h.account, h.run.lock)
	return cmd
}

// program is the path of a program of the binaries.
func (h *Host) program(name string) string { return filepath.Join(h.bin, executable(name)) }

// executable is the file name of a program.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// startProcess starts the command on a thread of its own, under a guard. data is the data directory of a server.
func (h *Host) startProcess(cmd *exec.Cmd, data string) (*process, error) {
	guard, err := h.guardOf(cmd, data)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, guard: guard, done: make(chan struct{})}
	started := make(chan error)
	go p.live(started)
	return p, <-started
}

// live starts the child and stays on the thread until the child has ended. One that cannot be guarded does not stay.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err != nil {
		p.guard.release()
		started <- err
		return
	}
	if err = p.guard.watch(p.cmd.Process); err != nil {
		p.kill()
	} else {
		started <- nil
	}
	p.err = p.cmd.Wait()
	p.guard.release()
	close(p.done)
	if err != nil {
		started <- err
	}
}

// runProgram runs a program of the binaries to its end and returns the last lines that it wrote. When ctx ends before,
// the program is asked to end.
func (h *Host) runProgram(ctx context.Context, dir, program string, args ...string) (string, error) {
	output := &serverLog{out: &sharedLog{}}
	cmd := h.command(dir, program, args...)
	cmd.Stdout, cmd.Stderr = output, output
	p, err := h.startProcess(cmd, "")
	if err != nil {
		return "", h.explain(err, program)
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.terminate()
		return "", fmt.Errorf("running %s: %w", program, context.Cause(ctx))
	}
	if p.err != nil && !errors.Is(p.err, exec.ErrWaitDelay) {
		return "", fmt.Errorf("running %s: %w: %s", program, p.err, output.gist(0))
	}
	return output.tail(), nil
}

// terminate ends a program and waits for it. initdb ends after its current step, a fraction of a second; killed, its
// children would leave shared memory behind.
func (p *process) terminate() {
	if p.signal(syscall.SIGTERM) == nil {
		select {
		case <-p.done:
			return
		case <-time.After(10 * time.Second):
		}
	}
	p.kill()
	<-p.done
}
