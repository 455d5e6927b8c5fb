//go:build unix && !linux

package postgres

import "os/exec"

// systemGuard puts a watcher over a server, since macOS has no death signal. It was compiled for macOS and not run
// there; on Linux it was. initdb needs none: it ends by itself within a second or two.
func systemGuard(cmd *exec.Cmd, data string) (guard, error) { return watchOverPipe(cmd, data) }
