package runner

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// peakMemory is the most memory that this process had at once, in bytes: VmHWM of /proc/self/status, since that of
// getrusage begins with what the program had that started this one. 0: not told.
func peakMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	line, _, _ := strings.Cut(rest, "kB")
	kib, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// resetPeak lets the peak begin with what is needed now: what is garbage goes
// back to the system, and 5 is what proc(5) has for /proc/self/clear_refs.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}
