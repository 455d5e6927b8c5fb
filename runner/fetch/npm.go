package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// npmPack lets the user's npm client download one package ("name@version") into work, and returns the .tgz. Which registry, proxy and credentials it uses is in
// the user's npm settings. No script of the package runs.
func npmPack(ctx context.Context, name, work string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("there is no npm client in PATH")
	}
	ctx, stop := context.WithTimeoutCause(ctx, totalLimit, errTooLong)
	defer stop()
	reason, err := runNpm(ctx, npm, name, work)
	if err != nil && ctx.Err() == nil && unwritable(reason) {
		reason, err = runNpm(ctx, npm, name, work, "--cache", filepath.Join(work, "npm"))
	}
	if cause := context.Cause(ctx); cause != nil {
		return "", fmt.Errorf("npm pack %s: %w", name, cause)
	}
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w: %s", name, err, reason)
	}
	return packed(name, work)
}

// unwritable says that npm could not write to its own cache, which is below the home unless its settings say otherwise.
func unwritable(reason string) bool {
	return strings.Contains(reason, "EACCES") || strings.Contains(reason, "EROFS") || isFull(errors.New(reason))
}

func runNpm(ctx context.Context, npm, name, work string, more ...string) (reason string, err error) {
	// Fewer and shorter retries than npm's own: without a network it would take over a minute to say so.
	args := []string{"pack", name, "--pack-destination", work, "--ignore-scripts", "--loglevel=error", "--no-progress",
		"--no-update-notifier", "--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"}
	cmd := exec.CommandContext(ctx, npm, append(args, more...)...)
	cmd.Dir = work
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = 5 * time.Second
	ownGroup(cmd)
	err = cmd.Run()
	return npmReason(stderr.String()), err
}

func packed(name, work string) (string, error) {
	files, err := filepath.Glob(filepath.Join(escapeGlob(work), "*.tgz"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("npm pack %s: it left %d packages", name, len(files))
	}
	info, err := os.Stat(files[0])
	if err != nil {
		return "", err
	}
	if info.Size() > downloadLimit {
		return "", fmt.Errorf("npm pack %s: %w (%d bytes)", name, errTooLarge, info.Size())
	}
	return files[0], nil
}

// npmReason picks the lines of npm's complaint that say something, without the hint at its log file.
func npmReason(stderr string) string {
	var reasons []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"npm error", "npm ERR!"} {
			line = strings.TrimSpace(strings.TrimPrefix(line, mark))
		}
		if line != "" && !strings.Contains(line, "complete log of this run") && len(reasons) < 4 {
			reasons = append(reasons, line)
		}
	}
	if len(reasons) == 0 {
		return "it gave no reason"
	}
	return strings.Join(reasons, ", ")
}
