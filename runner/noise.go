package runner

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Noise is what disturbed one block of timings. A figure that the system does
// not tell, or that a single execution does not have, is negative.
type Noise struct {
	Steal    float64 // s of CPU that the hypervisor took, all CPUs, in steps of 0.01 s
	Pressure float64 // s in which some task waited for a CPU (pressure stall information)
	Gap      float64 // s: the longest pause of the timing thread between two executions
	Switches int64   // involuntary context switches of the timing process
}

// noisyGap is a pause that a thread which only reads the clock does not make
// by itself, in seconds: a thousand times a reading of the clock.
const noisyGap = 0.001

// Noisy marks a block that somebody else disturbed. Marked blocks are kept.
func (n Noise) Noisy() bool { return n.Steal > 0 || n.Gap > noisyGap }

// A noiseWatch watches one block.
type noiseWatch struct {
	before Noise
	left   time.Time // end of the last timed execution
	gap    time.Duration
}

func watchNoise() *noiseWatch {
	return &noiseWatch{before: readNoise()}
}

func readNoise() Noise {
	return Noise{Steal: stolen(), Pressure: cpuPressure(), Switches: involuntarySwitches()}
}

// between is called before a timed execution and after after it.
func (w *noiseWatch) between() {
	if !w.left.IsZero() {
		w.gap = max(w.gap, time.Since(w.left))
	}
}

func (w *noiseWatch) after() { w.left = time.Now() }

func (w *noiseWatch) stop() Noise {
	n := readNoise()
	n.Gap = w.gap.Seconds()
	if n.Steal >= 0 {
		n.Steal -= w.before.Steal
	}
	if n.Pressure >= 0 {
		n.Pressure -= w.before.Pressure
	}
	if n.Switches >= 0 {
		n.Switches -= w.before.Switches
	}
	return n
}

// userHz is the unit of /proc/stat on Linux: 1/100 s on every architecture
// that is supported (man 5 proc).
const userHz = 100

// stolen returns the steal time of all CPUs since boot, in seconds.
func stolen() float64 {
	f := strings.Fields(firstLine("/proc/stat"))
	if len(f) < 9 {
		return -1
	}
	ticks, err := strconv.ParseInt(f[8], 10, 64)
	if err != nil {
		return -1
	}
	return float64(ticks) / userHz
}

// cpuPressure returns the time since boot in which some task waited for a CPU,
// in seconds: the total of the line "some" of /proc/pressure/cpu.
func cpuPressure() float64 {
	text, err := os.ReadFile("/proc/pressure/cpu")
	if err != nil {
		return -1
	}
	line, _, _ := strings.Cut(string(text), "\n")
	_, total, ok := strings.Cut(line, "total=")
	us, err := strconv.ParseInt(total, 10, 64)
	if !ok || err != nil {
		return -1
	}
	return float64(us) / 1e6
}
