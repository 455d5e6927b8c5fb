package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"deletecost/fixtures"
)

// release is the version of this program, "devel" where the build names none.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// versionLines say what this program is and what it is pinned to.
func versionLines(pins fixtures.PinSet, platform string) string {
	return fmt.Sprintf("deletecost %s\n%s %s\nPostgreSQL %s\nECharts %s\n",
		release(), runtime.Version(), platform, pinnedServers(pins, platform), pinnedCharts(pins))
}

func pinnedServers(pins fixtures.PinSet, platform string) string {
	usual, _ := pins.Postgres(defaultVersion, platform)
	var versions []string
	for _, p := range pins.PostgreSQL {
		if p.Platform != platform {
			continue
		}
		text := p.Version
		if p.Version == usual.Version {
			text += " (default)"
		}
		versions = append(versions, text)
	}
	if len(versions) == 0 {
		return "not pinned for " + platform + ": name your own with --pg-bin DIR"
	}
	return strings.Join(versions, ", ")
}

func pinnedCharts(pins fixtures.PinSet) string {
	if len(pins.ECharts) == 0 {
		return "not pinned"
	}
	return pins.ECharts[len(pins.ECharts)-1].Version
}

// version is the word of that name.
func (p *program) version(args []string) error {
	if err := p.noArguments("version", args); err != nil {
		return err
	}
	pins, err := fixtures.Pins()
	if err != nil {
		return err
	}
	return p.print(versionLines(pins, runtime.GOOS+"/"+runtime.GOARCH))
}
