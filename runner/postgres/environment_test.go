package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"deletecost/runner/postgres"
)

// wantEnvironment checks that the error tells what the machine lacks, in the words given.
func wantEnvironment(t *testing.T, err error, words ...string) {
	t.Helper()
	lack, ok := errors.AsType[*postgres.EnvironmentError](err)
	if !ok {
		t.Errorf("%v: want an *EnvironmentError", err)
		return
	}
	for _, word := range append(words, lack.Problem, lack.Remedy) {
		if word == "" || !strings.Contains(err.Error(), word) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: want one line with %q", err, word)
		}
	}
}

func TestSocketPathTooLong(t *testing.T) {
	config := testConfig(t, "17")
	long := filepath.Join(config.TempDir, strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(long)
	for _, config.TempDir = range []string{long, ""} {
		if config.TempDir == "" {
			t.Setenv("TMPDIR", long)
		}
		_, err := postgres.Open(t.Context(), config)
		if runtime.GOOS == "darwin" && config.TempDir == "" {
			continue // macOS sets the variable itself
		}
		wantEnvironment(t, err, long, "TMPDIR", fmt.Sprint(map[bool]int{true: 103, false: 107}[runtime.GOOS == "darwin"])+" bytes")
		if checked := postgres.Check(config); checked == nil || checked.Error() != err.Error() {
			t.Errorf("Check says %v, and Open %v", checked, err)
		}
	}
}

func TestFoldersThatAreNotThere(t *testing.T) {
	config := testConfig(t, "17")
	missing := filepath.Join(config.TempDir, "missing")
	wrong := config
	wrong.TempDir = missing
	_, err := postgres.Open(t.Context(), wrong)
	wantEnvironment(t, err, missing, "TMPDIR")
	wrong = config
	wrong.Binaries = missing
	_, err = postgres.Open(t.Context(), wrong)
	wantEnvironment(t, err, missing, "bin/postgres")
}

func TestBinariesOfAnotherVersion(t *testing.T) {
	config := testConfig(t, "17")
	config.Version = "16.1"
	if _, err := postgres.Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "not 16.1") {
		t.Errorf("%v, want it to name both versions", err)
	}
}

// Programs that cannot be started, as scripts: the kernel reports a missing interpreter as it does a missing loader.
func TestProgramsThatDoNotStart(t *testing.T) {
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{"#!/no/such/loader\n", 0o755, "musl"},
		{"\x7fELF of no machine", 0o755, "another processor"},
		{"#!/bin/sh\n", 0o644, "noexec"},
	} {
		config := testConfig(t, "17")
		config.Binaries = filepath.Join(config.TempDir, "pg")
		if err := os.MkdirAll(filepath.Join(config.Binaries, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"initdb", "postgres"} {
			if err := os.WriteFile(filepath.Join(config.Binaries, "bin", name), []byte(c.text), c.mode); err != nil {
				t.Fatal(err)
			}
		}
		_, err := postgres.Open(t.Context(), config)
		wantEnvironment(t, err, c.want, config.Binaries)
		os.RemoveAll(config.Binaries)
	}
}
