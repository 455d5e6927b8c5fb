package runner

import (
	"os"
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
