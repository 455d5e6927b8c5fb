//go:build unix

package postgres

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// watcher is a shell that waits on a pipe whose other end only the tool holds. When the tool dies, the pipe ends and the
// watcher sends the server SIGQUIT, PostgreSQL's immediate shutdown. It does not hold the lock of the run folder: the
// server does. A tool killed between the start of its server and the line with its process id leaves that server; these
// are microseconds.
type watcher struct {
	cmd  *exec.Cmd
	pipe *os.File // closed on exec, so that no other child keeps it open
}

// watcherScript reads the server's process id, then waits for the end of the pipe. The pid file in the data directory
// guards against a process id that has become another's. A server that was just started has not written it yet, and
// has handlers for signals once it has. What stops the tool's own processes must not stop the watcher first.
const watcherScript = `
trap '' HUP INT QUIT TERM
read -r pid || exit 0
read -r rest
for try in 1 2 3 4 5; do
	if read -r owner <"$1/postmaster.pid"; then
		[ "$owner" = "$pid" ] && kill -QUIT "$pid"
		exit 0
	fi
	kill -0 "$pid" || exit 0
	sleep 1
done
`

// watchOverPipe starts a watcher for the server of a data directory, under the account of that server and in a process
// group of its own. Programs that are no servers get none.
func watchOverPipe(cmd *exec.Cmd, data string) (guard, error) {
	if data == "" {
		return unwatched{}, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making the pipe of a watcher: %w", err)
	}
	defer read.Close()
	w := &watcher{cmd: exec.Command("/bin/sh", "-c", watcherScript, "deletecost-watcher", data), pipe: write}
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdin = "/", cmd.Env, read
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: cmd.SysProcAttr.Credential}
	if err := w.cmd.Start(); err != nil {
		write.Close()
		return nil, &EnvironmentError{Problem: "the watcher that ends a server when the tool dies cannot be started",
			Remedy: "see that /bin/sh is there and that this account may start more processes", Err: err}
	}
	return w, nil
}

// watch tells the watcher which process the server is.
func (w *watcher) watch(server *os.Process) error {
	if _, err := io.WriteString(w.pipe, fmt.Sprintln(server.Pid)); err != nil {
		return &EnvironmentError{Problem: "the watcher that ends a server when the tool dies has ended itself",
			Remedy: "see that /bin/sh works for the servers' account", Err: err}
	}
	return nil
}

// release kills the watcher before the pipe ends, so that it sends nothing to anybody.
func (w *watcher) release() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
	_ = w.pipe.Close()
}
