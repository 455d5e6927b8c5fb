package retention

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tick is the unit of CPU time in /proc, in seconds: USER_HZ is 100 on every
// platform that the tool runs on.
const tick = 0.01

// serverCPU is the CPU time of a server with all its processes, also those that
// have ended, in seconds; negative when it cannot be read.
func serverCPU(postmaster int) float64 {
	times, _, ok := processTimes(fmt.Sprintf("/proc/%d/stat", postmaster))
	if !ok {
		return -1
	}
	sum := times[0] + times[1] + times[2] + times[3] // with its children that ended
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return -1
	}
	for _, path := range stats {
		if times, parent, ok := processTimes(path); ok && parent == postmaster {
			sum += times[0] + times[1]
		}
	}
	return sum * tick
}

// processTimes reads user and system time of a process and of its children that
// ended, in ticks, and its parent (proc(5): fields 14 to 17 and 4). The name,
// field 2, may hold spaces and ends with the last parenthesis.
func processTimes(path string) (times [4]float64, parent int, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return times, 0, false
	}
	_, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if !found || len(fields) < 15 {
		return times, 0, false
	}
	for i := range times {
		if times[i], err = strconv.ParseFloat(fields[11+i], 64); err != nil {
			return times, 0, false
		}
	}
	parent, err = strconv.Atoi(fields[1])
	return times, parent, err == nil
}
