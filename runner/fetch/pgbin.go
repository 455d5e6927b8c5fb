package fetch

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// majors are the versions of PostgreSQL that the experiments are written for.
var majors = []string{"16", "17", "18"}

const majorsInWords = "16, 17 or 18"

// pgBinLimit bounds asking the user's postgres for its version.
const pgBinLimit = 10 * time.Second

// ownPostgres uses the user's own programs: nothing is compared, but they must be there and of a known version.
func ownPostgres(ctx context.Context, given, word string) (Binaries, error) {
	bin, err := findBin(given)
	if err != nil {
		return Binaries{}, &PGBinError{given, majorsInWords, err}
	}
	version, err := askVersion(ctx, filepath.Join(bin, "postgres"))
	if err != nil {
		return Binaries{}, &PGBinError{given, majorsInWords, err}
	}
	if !answers(version, word) {
		return Binaries{}, &PGBinError{given, word, fmt.Errorf("it is version %s, and --pg asks for %s", version, word)}
	}
	return Binaries{Version: version, Dir: filepath.Dir(bin), Bin: bin, Source: "pg-bin"}, nil
}

// answers tells whether a version is the one of the word: exactly, or its major. Every version answers to no word.
func answers(version, word string) bool {
	return word == "" || version == word || majorOf(version) == word
}

// majorOf is the number that a version such as "17.10" or "18beta1" begins with.
func majorOf(version string) string {
	return version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
}

// findBin returns the folder with both programs: the given one, or bin below it.
func findBin(given string) (string, error) {
	dir, err := filepath.Abs(given)
	if err != nil {
		return "", err
	}
	for _, bin := range []string{dir, filepath.Join(dir, "bin")} {
		if holdsPrograms(bin) {
			return bin, nil
		}
	}
	return "", errors.New("neither it nor bin below it holds postgres and initdb as programs")
}

func holdsPrograms(bin string) bool {
	for _, name := range []string{"postgres", "initdb"} {
		if _, err := exec.LookPath(filepath.Join(bin, name)); err != nil {
			return false
		}
	}
	return true
}

// versionOutput is "postgres (PostgreSQL) 17.10", with the packager's words behind it.
var versionOutput = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+(?:\.\d+|devel|beta\d+|rc\d+)?)(?:\s|$)`)

func askVersion(ctx context.Context, postgres string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, pgBinLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, postgres, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("asking postgres for its version: %w", err)
	}
	m := versionOutput.FindStringSubmatch(strings.TrimSpace(string(out)))
	if m == nil {
		return "", fmt.Errorf("asking postgres for its version: %.80q is not an answer of PostgreSQL", out)
	}
	if !slices.Contains(majors, majorOf(m[1])) {
		return "", fmt.Errorf("it is version %s", m[1])
	}
	return m[1], nil
}
