package tests

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// deadline bounds a signalled run. It asserts no speed: without it a command
// that ignores its signal would hang the tests.
const deadline = 60 * time.Second

var signalNames = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}

// signals runs "signals CODE TEXT SIGNAL[,SIGNAL] COMMAND ...": it starts the
// command, waits until its standard error has the text, sends the signals one
// after the other, each once the one before was answered, and compares the exit
// code (-1: killed by a signal). The text "rows in FILE" waits for a table to
// have some instead. The signal SERVER goes to the servers and not to the
// command. The output is in the files stdout.txt and stderr.txt.
func signals(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath(args[3])
	ts.Check(err)
	cmd := exec.Command(path, args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = scriptEnvironment(ts)
	stdout := &bytes.Buffer{}
	cmd.Stdout = stdout
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	overdue := time.AfterFunc(deadline, func() { cmd.Process.Kill() })
	defer overdue.Stop()

	var heard bytes.Buffer
	waitFor := args[1]
	pending := strings.Split(args[2], ",")
	for line := range linesAndTicks(stderr) {
		heard.WriteString(line)
		if len(pending) > 0 && due(ts, waitFor, line) {
			ts.Check(send(pending[0], cmd.Process, ts.Getenv("TMPDIR")))
			pending, waitFor = pending[1:], "interrupted"
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), stdout.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), heard.Bytes(), 0o644))
	ts.Logf("[stderr]\n%s", heard.String())
	if got := cmd.ProcessState.ExitCode(); got != want || len(pending) > 0 {
		ts.Fatalf("exit code %d, want %d; signals not sent: %q", got, want, pending)
	}
}

// linesAndTicks yields each line when it comes, and "" ever so often between them.
func linesAndTicks(r io.Reader) iter.Seq[string] {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(r); in.Scan(); {
			lines <- in.Text() + "\n"
		}
	}()
	return func(yield func(string) bool) {
		for open := true; open; {
			var line string
			select {
			case line, open = <-lines:
			case <-time.After(20 * time.Millisecond):
			}
			if !yield(line) {
				return
			}
		}
	}
}

// due tells whether what a signal waits for has come.
func due(ts *testscript.TestScript, waitFor, line string) bool {
	table, isTable := strings.CutPrefix(waitFor, "rows in ")
	if !isTable {
		return strings.Contains(line, waitFor)
	}
	text, _ := os.ReadFile(ts.MkAbs(table)) // not there yet: no rows
	return bytes.Count(text, []byte("\n")) > 1
}

// send sends a signal to the command, or SIGQUIT to the servers below a folder.
func send(name string, command *os.Process, temp string) error {
	if name != "SERVER" {
		return command.Signal(signalNames[name])
	}
	files, err := filepath.Glob(filepath.Join(temp, "deletecost-*", "*", "data", "postmaster.pid"))
	if len(files) == 0 || err != nil {
		return errors.Join(errors.New("no server is running"), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		pid, err := strconv.Atoi(strings.Fields(string(text))[0])
		if err != nil {
			return err
		}
		server, err := os.FindProcess(pid)
		if err == nil {
			err = server.Signal(syscall.SIGQUIT)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func scriptEnvironment(ts *testscript.TestScript) []string {
	env := []string{"PWD=" + ts.MkAbs(".")}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "DELETECOST_CACHE", "GOCOVERDIR"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return env
}

// gone fails while a process is left that runs below the script's temporary
// folder: every server does. It waits 5 s at most, the time that a server has
// when the tool was killed.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	temp := ts.Getenv("TMPDIR")
	var found []string
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if found = processesBelow(temp); len(found) == 0 {
			return
		}
	}
	ts.Fatalf("still there: %q", found)
}

// processesBelow lists the processes whose working folder is below a folder,
// as Linux tells it: a server's is its data directory.
func processesBelow(folder string) []string {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var found []string
	for _, link := range links {
		at, err := os.Readlink(link)
		if err == nil && strings.HasPrefix(at, folder+"/") {
			text, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			found = append(found, strings.ReplaceAll(string(text), "\x00", " ")+"in "+at)
		}
	}
	return found
}
