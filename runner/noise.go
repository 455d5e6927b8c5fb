package runner

import (
	"os"
	"strconv"
	"strings"
)

// Noise is what disturbed one block of timings.
type Noise struct {
	Steal     float64 // s of CPU that the hypervisor took, all CPUs, in steps of 0.01
	Switches  int64   // involuntary context switches of the timing process
	Available bool    // false where the system does not tell
}

// userHz is the unit of /proc/stat on Linux: 1/100 s on every architecture
// that is supported (man 5 proc).
const userHz = 100

// watchNoise starts watching; the function that it returns stops and tells.
func watchNoise() func() Noise {
	steal, ok := stolen()
	switches := involuntarySwitches()
	return func() Noise {
		after, _ := stolen()
		return Noise{Steal: after - steal, Switches: involuntarySwitches() - switches, Available: ok}
	}
}

// stolen returns the steal time of all CPUs since boot, in seconds.
func stolen() (float64, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	f := strings.Fields(line)
	if len(f) < 9 {
		return 0, false
	}
	ticks, err := strconv.ParseInt(f[8], 10, 64)
	return float64(ticks) / userHz, err == nil
}
