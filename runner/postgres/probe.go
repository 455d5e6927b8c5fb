package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// binFolder is where postgres and initdb are: bin/ of the folder, or the folder itself.
func binFolder(binaries string) (string, error) {
	for _, bin := range []string{filepath.Join(binaries, "bin"), binaries} {
		_, errInitdb := os.Stat(filepath.Join(bin, executable("initdb")))
		_, errPostgres := os.Stat(filepath.Join(bin, executable("postgres")))
		if errInitdb == nil && errPostgres == nil {
			return bin, nil
		}
	}
	return "", &EnvironmentError{
		Problem: fmt.Sprintf("folder %q holds no PostgreSQL", binaries),
		Remedy:  "give a folder that has bin/initdb and bin/postgres",
	}
}

// probe asks postgres for its version from within the run folder, under the servers' account. So it also finds out
// whether that account reaches both, and whether the binary runs on this system at all.
func (h *Host) probe(ctx context.Context) (string, error) {
	output, err := h.runProgram(ctx, h.Folder, "postgres", "--version")
	if err != nil {
		return "", err
	}
	version, err := parseVersion(output)
	if err != nil {
		return "", err
	}
	if want := h.config.Version; want != "" && want != version {
		return "", fmt.Errorf("the binaries in %q are PostgreSQL %s, not %s", h.config.Binaries, version, want)
	}
	return version, nil
}

// parseVersion reads what postgres --version prints: "postgres (PostgreSQL) 17.10", and perhaps a packager's words.
func parseVersion(output string) (string, error) {
	words := strings.Fields(output)
	if len(words) < 3 || words[1] != "(PostgreSQL)" {
		return "", fmt.Errorf("reading the version of postgres from %q: no such number", output)
	}
	return words[2], nil
}

// explain says why a program that is there could not be started.
func (h *Host) explain(err error, program string) error {
	path := h.program(program)
	if _, told := errors.AsType[*EnvironmentError](err); told {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The file is there, so what is missing is the loader that it names.
		return &EnvironmentError{Problem: fmt.Sprintf("%q needs the loader of glibc; systems on musl are not supported", path),
			Remedy: "use a system with glibc (Debian, Ubuntu, Fedora)", Err: err}
	case errors.Is(err, syscall.EACCES):
		return &EnvironmentError{Problem: fmt.Sprintf("%q may not be executed; its permissions forbid it, or its file system is mounted noexec", path),
			Remedy: h.config.elsewhere()}
	case errors.Is(err, syscall.ENOEXEC):
		return &EnvironmentError{Problem: fmt.Sprintf("%q is built for another processor or system", path),
			Remedy: "use binaries of this platform", Err: err}
	}
	return fmt.Errorf("starting %q: %w", path, err)
}
