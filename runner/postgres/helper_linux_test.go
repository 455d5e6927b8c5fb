package postgres_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"deletecost/runner/postgres"
)

// helperProcess is a tool of its own: the test binary, run again.
type helperProcess struct {
	cmd   *exec.Cmd
	stdin io.Closer // closing it ends the helper in good order
	state helperState
}

// startHelper runs a helper, under another account if one is given, through the words of a wrapper command if there are
// any, and returns when it has a server or cannot get one.
func startHelper(t *testing.T, config postgres.Config, credential *syscall.Credential, wrapper ...string) *helperProcess {
	t.Helper()
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	words := append(wrapper, testBinary(t))
	p := &helperProcess{cmd: exec.Command(words[0], words[1:]...)}
	p.cmd.Env = []string{helperVariable + "=" + string(text), "PATH=" + os.Getenv("PATH")}
	p.cmd.Dir = "/"
	p.cmd.Stderr = os.Stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end() })
	if err := json.NewDecoder(stdout).Decode(&p.state); err != nil {
		t.Fatalf("reading from the helper: %v", err)
	}
	return p
}

// end lets the helper close its host and waits for it.
func (p *helperProcess) end() error {
	p.stdin.Close()
	return p.cmd.Wait()
}

// testBinary is a copy of the running test that every account may execute.
func testBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(openFolder(t), "tool")
	if err := os.WriteFile(path, content, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// openFolder is a folder that every account may enter, removed at the end of the test.
func openFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "pt-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// needRoot skips a test that changes accounts or mounts.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
}

// asNobody is the account nobody, which is given the folders.
func asNobody(t *testing.T, folders ...string) *syscall.Credential {
	t.Helper()
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip("this system has no account nobody")
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	for _, folder := range folders {
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
