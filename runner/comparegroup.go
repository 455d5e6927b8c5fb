package runner

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Group is the folders of one version, machine and set of parameters:
// repeats of the same run.
type Group struct {
	Name    string
	Members []int // places among the comparison's members
}

// group puts each folder to the first one that it repeats.
func (c *Comparison) group() {
	for i, m := range c.Members {
		k := slices.IndexFunc(c.Groups, func(g Group) bool { return repeats(c.Members[g.Members[0]].Folder, m.Folder) })
		if k < 0 {
			k = len(c.Groups)
			c.Groups = append(c.Groups, Group{})
		}
		c.Groups[k].Members = append(c.Groups[k].Members, i)
	}
	for k := range c.Groups {
		c.Groups[k].Name = c.groupName(k)
	}
}

// groupName is the version where that tells the groups apart, or else the
// names of the folders.
func (c *Comparison) groupName(k int) string {
	version := func(g Group) string { return c.Members[g.Members[0]].Folder.Record.PostgreSQL.Version }
	same := slices.ContainsFunc(c.Groups, func(g Group) bool {
		return g.Members[0] != c.Groups[k].Members[0] && version(g) == version(c.Groups[k])
	})
	if v := version(c.Groups[k]); v != "" && !same {
		return "PostgreSQL " + v
	}
	var names []string
	for _, i := range c.Groups[k].Members {
		names = append(names, c.Members[i].Name)
	}
	return strings.Join(names, ", ")
}

// First returns the first folder of a group.
func (c *Comparison) First(g Group) *Folder { return c.Members[g.Members[0]].Folder }

// Repeated says whether some run was made more than once.
func (c *Comparison) Repeated() bool {
	return slices.ContainsFunc(c.Groups, func(g Group) bool { return len(g.Members) > 1 })
}

// repeats says whether two folders are of runs that differ in nothing but the
// time and the seed. Servers and knobs are held against each other where both
// folders have them.
func repeats(a, b *Folder) bool {
	r, s := a.Record, b.Record
	if r.PostgreSQL.Version != s.PostgreSQL.Version || r.PostgreSQL.Digest != s.PostgreSQL.Digest || r.Machine != s.Machine ||
		r.Scale != s.Scale || r.Program != s.Program {
		return false
	}
	for _, o := range r.Experiments {
		p := b.outline(o.Experiment)
		if p == nil {
			continue
		}
		if !maps.Equal(o.Knobs, p.Knobs) || !sameSettings(o.servers(), p.servers()) {
			return false
		}
	}
	return true
}

// servers are the settings of an experiment's servers, by their names; of a
// name that comes again, with its number.
func (o *Outline) servers() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, s := range o.Servers {
		name := s.Name
		for n := 2; all[name] != nil; n++ {
			name = fmt.Sprintf("%s #%d", s.Name, n)
		}
		all[name] = map[string]string{}
		for _, v := range s.Settings {
			all[name][v.Name] = v.Value
		}
	}
	return all
}

func sameSettings(a, b map[string]map[string]string) bool {
	for name, settings := range a {
		if other, both := b[name]; both && !maps.Equal(settings, other) {
			return false
		}
	}
	return true
}
