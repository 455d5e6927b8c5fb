package runner

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// ReadMachine describes this machine; dir is on the file system of the data
// directories. What the system does not tell stays empty.
func ReadMachine(dir string) Machine {
	m := Machine{OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU()}
	m.Kernel = firstLine("/proc/sys/kernel/osrelease")
	m.CPU = field("/proc/cpuinfo", "model name")
	if kb, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64); err == nil {
		m.Memory = kb * 1024
	}
	m.FileSystem = fileSystem(dir)
	background, ratio := firstLine("/proc/sys/vm/dirty_background_ratio"), firstLine("/proc/sys/vm/dirty_ratio")
	if background != "" && ratio != "" {
		m.Dirty = background + " % background, " + ratio + " %"
	}
	m.Pages = firstLine("/sys/kernel/mm/transparent_hugepage/enabled")
	m.Clock = firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	return m
}

func firstLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// field returns the value of the first "name : value" line.
func field(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if k, v, ok := strings.Cut(in.Text(), ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// fileSystem returns the type and mount options of the file system that holds
// a folder: the mount whose point is the longest prefix of it.
func fileSystem(dir string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return ""
	}
	defer f.Close()
	longest, found := -1, ""
	for in := bufio.NewScanner(f); in.Scan(); {
		w := strings.Fields(in.Text())
		if len(w) >= 4 && inside(dir, w[1]) && len(w[1]) >= longest {
			longest, found = len(w[1]), w[2]+" ("+w[3]+")"
		}
	}
	return found
}

func inside(dir, mount string) bool {
	return mount == "/" || dir == mount || strings.HasPrefix(dir, mount+"/")
}
