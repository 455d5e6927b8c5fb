package postgres

import (
	"os"
	"strconv"
	"strings"
)

// needed are the capabilities that root must have to run a server under another account, with their numbers from
// linux/capability.h: own files for it, reach them afterwards, signal it, and become it without other groups.
var needed = []struct {
	name string
	bit  uint
}{
	{"CAP_CHOWN", 0},
	{"CAP_DAC_OVERRIDE", 1},
	{"CAP_KILL", 5},
	{"CAP_SETGID", 6},
	{"CAP_SETUID", 7},
}

// missingCapabilities names the needed capabilities that this process does not have.
func missingCapabilities() []string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil // without /proc the first chown will tell
	}
	return lacking(string(status))
}

// lacking reads the line CapEff of a /proc/PID/status text.
func lacking(status string) []string {
	var names []string
	for line := range strings.Lines(status) {
		mask, found := strings.CutPrefix(line, "CapEff:")
		bits, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
		if !found || err != nil {
			continue
		}
		for _, c := range needed {
			if bits&(1<<c.bit) == 0 {
				names = append(names, c.name)
			}
		}
	}
	return names
}
