package fetch

import "os/exec"

// ownGroup leaves a command as it is: its children see their pipes close.
func ownGroup(*exec.Cmd) {}
