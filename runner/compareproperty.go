package runner

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Property is something that is part of every number: of the machine, the
// binaries, the parameters, a server's setting.
type Property struct {
	Where  string // machine, PostgreSQL, run, or the servers that have the setting
	Name   string
	Values []string // by group; "" where there is no such thing
}

// same says whether all groups have one value.
func (p Property) same() bool {
	return !slices.ContainsFunc(p.Values, func(v string) bool { return v != p.Values[0] })
}

// findProperties sorts every property to those that differ or to those that
// do not.
func (c *Comparison) findProperties() {
	for _, p := range append(c.recordProperties(), c.settings()...) {
		if p.same() {
			c.Same = append(c.Same, p)
		} else {
			c.Differing = append(c.Differing, p)
		}
	}
}

// recordProperties are those that a record has.
func (c *Comparison) recordProperties() []Property {
	var all []Property
	add := func(where, name string, value func(Record) string) {
		p := Property{Where: where, Name: name}
		for _, g := range c.Groups {
			p.Values = append(p.Values, value(c.First(g).Record))
		}
		if slices.ContainsFunc(p.Values, func(v string) bool { return v != "" }) {
			all = append(all, p)
		}
	}
	for _, m := range machineProperties {
		add("machine", m.name, func(r Record) string { return m.value(r.Machine) })
	}
	add("PostgreSQL", "version", func(r Record) string { return r.PostgreSQL.Version })
	add("PostgreSQL", "package", func(r Record) string { return r.PostgreSQL.Coordinates })
	add("PostgreSQL", "digest of its content", func(r Record) string { return r.PostgreSQL.Digest })
	add("PostgreSQL", "pinned", func(r Record) string { return strconv.FormatBool(r.PostgreSQL.Pinned) })
	add("PostgreSQL", "build", Record.build)
	add("run", "program", func(r Record) string { return r.Program })
	add("run", "scale", func(r Record) string { return string(r.Scale) })
	add("run", "seed", func(r Record) string { return strconv.FormatUint(r.Seed, 10) })
	for _, e := range c.Experiments {
		for _, knob := range c.knobs(e.Name) {
			add("run", e.Name+"."+knob, func(r Record) string { return r.knob(e.Name, knob) })
		}
	}
	return all
}

var machineProperties = []struct {
	name  string
	value func(Machine) string
}{
	{"operating system", func(m Machine) string { return m.OS }},
	{"kernel", func(m Machine) string { return m.Kernel }},
	{"processor", func(m Machine) string { return m.CPU }},
	{"processors", func(m Machine) string { return strconv.Itoa(m.CPUs) }},
	{"memory", func(m Machine) string { return Humanize(strconv.FormatInt(m.Memory, 10), "bytes") }},
	{"file system of the data", func(m Machine) string { return m.FileSystem }},
	{"dirty page ratios", func(m Machine) string { return m.Dirty }},
	{"transparent huge pages", func(m Machine) string { return m.Pages }},
	{"clock source", func(m Machine) string { return m.Clock }},
}

// build is what the first server says of itself.
func (r Record) build() string {
	for _, o := range r.Experiments {
		for _, s := range o.Servers {
			return s.Version
		}
	}
	return ""
}

// knobs names an experiment's parameters, in order.
func (c *Comparison) knobs(experiment string) []string {
	all := map[string]bool{}
	for _, g := range c.Groups {
		if o := c.First(g).outline(experiment); o != nil {
			for name := range o.Knobs {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (r Record) knob(experiment, name string) string {
	o := (&Folder{Record: r}).outline(experiment)
	if o == nil {
		return ""
	}
	v, ok := o.Knobs[name]
	if !ok {
		return ""
	}
	return strconv.FormatInt(v, 10)
}

// settings are the servers' settings, those together that have the same values
// on several servers.
func (c *Comparison) settings() []Property {
	var all []Property
	servers := map[string]int{} // setting and values: its place in all
	on := c.eachServer(func(where string, by []map[string]string) {
		for _, name := range settingNames(by) {
			p := Property{Where: where, Name: name}
			for _, settings := range by {
				p.Values = append(p.Values, settings[name])
			}
			key := name + "\x00" + strings.Join(p.Values, "\x00")
			if k, known := servers[key]; known {
				all[k].Where += ", " + where
				continue
			}
			servers[key] = len(all)
			all = append(all, p)
		}
	})
	for i := range all {
		if len(on) > 1 && all[i].Where == strings.Join(on, ", ") {
			all[i].Where = "all " + strconv.Itoa(len(on)) + " servers"
		}
	}
	slices.SortStableFunc(all, func(a, b Property) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// eachServer visits the servers that all groups have, with their settings by
// group, and returns their names.
func (c *Comparison) eachServer(visit func(where string, by []map[string]string)) []string {
	var on []string
	for _, e := range c.Experiments {
		all := make([]map[string]map[string]string, len(c.Groups))
		for k, g := range c.Groups {
			if o := c.First(g).outline(e.Name); o != nil {
				all[k] = o.servers()
			}
		}
		for _, name := range slices.Sorted(maps.Keys(all[0])) {
			by := make([]map[string]string, len(all))
			missing := false
			for k := range all {
				by[k] = all[k][name]
				missing = missing || by[k] == nil
			}
			if !missing {
				where := e.Name
				if name != e.Name {
					where += " " + name
				}
				visit(where, by)
				on = append(on, where)
			}
		}
	}
	return on
}

func settingNames(by []map[string]string) []string {
	all := map[string]bool{}
	for _, settings := range by {
		for name := range settings {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Checksums counts the servers that all groups have with data checksums on and
// off. same is false when one of them has them on in one group and off in
// another: then their numbers do not compare.
func (c *Comparison) Checksums() (on, off int, same bool) {
	same = true
	c.eachServer(func(_ string, by []map[string]string) {
		for _, settings := range by {
			same = same && settings["data_checksums"] == by[0]["data_checksums"]
		}
		switch by[0]["data_checksums"] {
		case "on":
			on++
		case "off":
			off++
		}
	})
	return on, off, same
}
