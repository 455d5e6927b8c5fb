package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deletecost/runner"
)

// run is the part of the page about the run as a whole.
type run struct {
	Machine, Versions []pair
	Command           string
	Again             []pair
}

// pair is a name with its value; Code sets the value in a fixed width.
type pair struct {
	Name, Value string
	Code        bool
}

func newRun(r runner.Record) run {
	return run{Machine: machine(r.Machine), Versions: versions(r), Command: command(r.Command), Again: again(r)}
}

func machine(m runner.Machine) []pair {
	all := []pair{{Name: "Operating system", Value: m.OS}, {Name: "Kernel", Value: m.Kernel}, {Name: "Processor", Value: m.CPU}}
	if m.CPUs > 0 {
		all = append(all, pair{Name: "Processors", Value: strconv.Itoa(m.CPUs)})
	}
	if m.Memory > 0 {
		all = append(all, pair{Name: "Memory", Value: runner.Humanize(strconv.FormatInt(m.Memory, 10), "bytes")})
	}
	return present(append(all, pair{Name: "File system of the data", Value: m.FileSystem}, pair{Name: "Dirty page ratios", Value: m.Dirty},
		pair{Name: "Transparent huge pages", Value: m.Pages}, pair{Name: "Clock source", Value: m.Clock}))
}

func versions(r runner.Record) []pair {
	pg := r.PostgreSQL
	all := []pair{{Name: "Program", Value: r.Program}, {Name: "PostgreSQL", Value: pg.Version}, {Name: "PostgreSQL came from", Value: pg.Source},
		{Name: "Package", Value: pg.Coordinates, Code: true}, {Name: "SHA-256 of its content", Value: pg.Digest, Code: true}}
	if pg.Version != "" && !pg.Pinned {
		all = append(all, pair{Name: "Pinned", Value: "no: the caller's own binaries, which no digest of ours vouches for"})
	}
	if r.ECharts.Version == "" {
		all = append(all, pair{Name: "ECharts", Value: "could not be had; the figures are not drawn"})
	}
	return present(append(all, pair{Name: "ECharts", Value: r.ECharts.Version}, pair{Name: "ECharts came from", Value: r.ECharts.Source},
		pair{Name: "SHA-256 of echarts.min.js", Value: r.ECharts.Digest, Code: true}))
}

func again(r runner.Record) []pair {
	all := []pair{{Name: "PostgreSQL", Value: r.PostgreSQL.Version}, {Name: "Scale", Value: string(r.Scale)},
		{Name: "Seed", Value: strconv.FormatUint(r.Seed, 10)}}
	if r.FirstQuery > 0 {
		all = append(all, pair{Name: "From start to first answered query", Value: runner.Humanize(decimal(r.FirstQuery), "s")})
	}
	return present(all)
}

// present leaves out what is not known.
func present(all []pair) []pair {
	return slices.DeleteFunc(all, func(p pair) bool { return p.Value == "" })
}

// command is the command line as a shell takes it.
func command(words []string) string {
	all := []string{"deletecost"}
	for _, w := range words {
		if w == "" || strings.ContainsFunc(w, special) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		all = append(all, w)
	}
	return strings.Join(all, " ")
}

func special(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:@+%", r))
}

// knobs are the parameters of an experiment, by name.
func knobs(v runner.Values) []pair {
	var all []pair
	for name, value := range v {
		all = append(all, pair{Name: name, Value: runner.Humanize(strconv.FormatInt(value, 10), "")})
	}
	slices.SortFunc(all, func(a, b pair) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// servers are those with the same version and settings.
type servers struct {
	Names     string
	Version   string
	Changed   []runner.Setting
	Unchanged []runner.Setting
}

// groupServers puts servers that do not differ together, in the order of their starts.
func groupServers(records []runner.ServerRecord) []servers {
	var all []servers
	at := map[string]int{}
	for _, r := range records {
		same := fmt.Sprint(r.Version, "\x00", r.Settings)
		if i, ok := at[same]; ok {
			all[i].Names += ", " + r.Name
			continue
		}
		at[same] = len(all)
		s := servers{Names: r.Name, Version: r.Version}
		for _, v := range r.Settings {
			if v.Changed {
				s.Changed = append(s.Changed, v)
			} else {
				s.Unchanged = append(s.Unchanged, v)
			}
		}
		all = append(all, s)
	}
	return all
}

// times says where an experiment's time went.
type times struct {
	Total, Measuring, Setup, Rest string
	Steps, Setups                 []pair
}

func newTimes(o runner.Outline) times {
	if o.Seconds == 0 && len(o.Steps) == 0 {
		return times{} // killed, so that nothing of it was written down
	}
	var measuring, setup float64
	t := times{Total: runner.Humanize(decimal(o.Seconds), "s")}
	for _, s := range o.Steps {
		p := pair{Name: s.Name, Value: runner.Humanize(decimal(s.Seconds), "s")}
		if s.Setup {
			setup += s.Seconds
			t.Setups = append(t.Setups, p)
		} else {
			measuring += s.Seconds
			t.Steps = append(t.Steps, p)
		}
	}
	t.Measuring, t.Setup = runner.Humanize(decimal(measuring), "s"), runner.Humanize(decimal(setup), "s")
	// Steps that overlap leave no rest.
	t.Rest = runner.Humanize(decimal(max(0, o.Seconds-measuring-setup)), "s")
	return t
}
