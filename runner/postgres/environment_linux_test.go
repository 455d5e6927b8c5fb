package postgres_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"deletecost/runner/postgres"
)

// mountMemory mounts a file system in memory on a new folder that every account may enter.
func mountMemory(t *testing.T, flags uintptr, options string) string {
	t.Helper()
	needRoot(t)
	folder := openFolder(t)
	if err := syscall.Mount("tmpfs", folder, "tmpfs", flags, options); err != nil {
		t.Skipf("mounting: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

func TestFullTemporaryFolder(t *testing.T) {
	config := testConfig(t, "17")
	startServer(t, openHost(t, config), postgres.Options{}) // so that a ready cluster is there
	config.TempDir = mountMemory(t, 0, "size=20m,mode=0755")
	for _, cache := range []string{config.Cache, ""} {
		config.Cache = cache
		_, err := openHost(t, config).Start(t.Context(), postgres.Options{})
		wantEnvironment(t, err, config.TempDir, "full", "TMPDIR")
	}
}

func TestFullCache(t *testing.T) {
	config := testConfig(t, "17")
	config.Cache = mountMemory(t, 0, "size=20m,mode=0755")
	_, err := openHost(t, config).Start(t.Context(), postgres.Options{})
	wantEnvironment(t, err, config.Cache, "full", "--cache")
	if left := mustGlob(t, filepath.Join(config.Cache, "clusters", "*.half")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestReadOnlyCache(t *testing.T) {
	config := testConfig(t, "17")
	config.Cache = mountMemory(t, syscall.MS_RDONLY, "")
	startServer(t, openHost(t, config), postgres.Options{})
}

func TestNoexec(t *testing.T) {
	config := testConfig(t, "17")
	folder := mountMemory(t, syscall.MS_NOEXEC, "mode=0755")
	if err := os.CopyFS(filepath.Join(folder, "bin"), os.DirFS(filepath.Join(config.Binaries, "bin"))); err != nil {
		t.Fatal(err)
	}
	withTemp := config
	withTemp.TempDir = folder
	startServer(t, openHost(t, withTemp), postgres.Options{}) // data needs no execution
	config.Binaries = folder
	_, err := postgres.Open(t.Context(), config)
	wantEnvironment(t, err, folder, "noexec", "--cache")
}

func TestFoldersClosedToTheAccount(t *testing.T) {
	needRoot(t)
	config := testConfig(t, "17")
	closed := openFolder(t)
	if err := os.Symlink(config.Binaries, filepath.Join(closed, "pg")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	withTemp := config
	withTemp.TempDir = closed
	_, err := postgres.Open(t.Context(), withTemp)
	wantEnvironment(t, err, closed, "set TMPDIR")
	if strings.Contains(err.Error(), config.Binaries) {
		t.Errorf("%v: the binaries are not at fault", err)
	}
	config.Binaries = filepath.Join(closed, "pg")
	_, err = postgres.Open(t.Context(), config)
	wantEnvironment(t, err, closed, "--cache")
	config.Elsewhere = "copy them to a folder that everybody may enter"
	_, err = postgres.Open(t.Context(), config)
	wantEnvironment(t, err, closed, config.Elsewhere)
	config.Binaries = filepath.Join(closed, "not", "there", "yet")
	wantEnvironment(t, postgres.Check(config), closed, config.Elsewhere)
	config.Binaries = "/not/there/yet"
	if err := postgres.Check(config); err != nil {
		t.Errorf("%v: nothing is closed", err)
	}
	if left := mustGlob(t, filepath.Join(closed, "deletecost-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestClosedCacheServesRoot(t *testing.T) {
	needRoot(t)
	config := testConfig(t, "17")
	config.Cache = t.TempDir() // 0700: the tool copies, so the account need not enter
	host := openHost(t, config)
	startServer(t, host, postgres.Options{})
	if second := startServer(t, host, postgres.Options{}); second.StartedIn.Initdb > 0 {
		t.Error("initdb ran again, want the ready cluster used")
	}
}

func TestUserWithoutAnEntry(t *testing.T) {
	needRoot(t)
	config := testConfig(t, "17")
	config.Cache = ""
	if err := os.Chown(config.TempDir, 4242, 4242); err != nil {
		t.Fatal(err)
	}
	p := startHelper(t, config, &syscall.Credential{Uid: 4242, Gid: 4242})
	if !strings.Contains(p.state.Problem, "user id 4242 has no entry") {
		t.Errorf("%q, want the missing entry told", p.state.Problem)
	}
	p.end()
}

func TestFewOpenFiles(t *testing.T) {
	config := testConfig(t, "17")
	for limit, want := range map[string]string{"ulimit -Sn 64": "", "ulimit -n 64": "at most 64 files"} {
		p := startHelper(t, config, nil, "sh", "-c", limit+`; exec "$0"`)
		if (want == "") != (p.state.Problem == "") || !strings.Contains(p.state.Problem, want) {
			t.Errorf("%s: %q, want %q", limit, p.state.Problem, want)
		}
		p.end()
	}
}

func TestRootWithoutCapabilities(t *testing.T) {
	needRoot(t)
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip("needs setpriv")
	}
	config := testConfig(t, "17")
	for _, name := range []string{"setuid", "chown", "dac_override"} {
		p := startHelper(t, config, nil, "setpriv", "--bounding-set=-"+name)
		if want := "CAP_" + strings.ToUpper(name); !strings.Contains(p.state.Problem, want) {
			t.Errorf("%q, want %s named", p.state.Problem, want)
		}
		p.end()
	}
}
