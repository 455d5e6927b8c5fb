package report

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"deletecost/runner"
)

// comparison is all that the templates of a comparison read.
type comparison struct {
	Policy string
	CSS    template.CSS

	Title           string
	Facts           []string
	Banners         []banner
	Folders         []comparedFolder
	Heads           []groupHead // of the groups
	Glances         []glance
	Checksums       string
	Alone           []string
	Experiments     []compared
	Differing, Same []runner.Property
	Method          []string
	Command         string // "" when the folders were named one by one
}

// groupHead is a group where it is a column or a series: a name with a colour and a
// shape that it keeps through the page.
type groupHead struct {
	Name string
	Mark mark
}

// mark tells a group by colour and shape.
type mark struct {
	Colour int
	Symbol string
}

func newMark(group int) mark { return mark{group % paletteSize, symbol(group)} }

// comparedFolder is one line of the table of folders.
type comparedFolder struct {
	Name, Link                                   string
	Mark                                         mark
	Version, Scale, Seed, Started, Took, Machine string
	Counts                                       []count
}

// glance says in a line how a group stands to the first one, or how its runs do
// to each other.
type glance struct {
	Mark       mark
	Head, Text string
	Lists      []list
}

func newComparison(c *runner.Comparison) *comparison {
	p := &comparison{Title: comparisonTitle(c), Alone: c.Alone, Differing: c.Differing, Banners: comparisonBanners(c)}
	for k, g := range c.Groups {
		p.Heads = append(p.Heads, groupHead{g.Name, newMark(k)})
		for _, i := range g.Members {
			p.Folders = append(p.Folders, newComparedFolder(c, c.Members[i], newMark(k)))
		}
	}
	for _, same := range c.Same {
		same.Values = same.Values[:1]
		p.Same = append(p.Same, same)
	}
	p.Facts = append(p.Facts, counted(len(c.Members), "results folder", "results folders"))
	if c.Repeated() {
		p.Facts = append(p.Facts, counted(len(c.Groups), "version, machine and set of parameters", "versions, machines or sets of parameters"))
	}
	if c.Matrix != nil {
		p.Command = command(c.Matrix.Command)
		p.Facts = append(p.Facts, c.Matrix.Program)
	}
	p.Glances, p.Checksums, p.Method = glances(c), checksums(c), comparisonMethod(c)
	return p
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// comparisonTitle names the versions where that is what differs.
func comparisonTitle(c *runner.Comparison) string {
	var versions []string
	seen := map[string]bool{}
	for _, g := range c.Groups {
		v := c.First(g).Record.PostgreSQL.Version
		if !seen[v] && v != "" {
			versions = append(versions, v)
		}
		seen[v] = true
	}
	switch n := len(versions); n {
	case 0:
		return "What deleting costs, side by side"
	case 1:
		return "What deleting costs in PostgreSQL " + versions[0] + ", side by side"
	default:
		return "What deleting costs in PostgreSQL " + strings.Join(versions[:n-1], ", ") + " and " + versions[n-1]
	}
}

func newComparedFolder(c *runner.Comparison, m runner.Member, mark mark) comparedFolder {
	r := m.Folder.Record
	f := comparedFolder{Name: m.Name, Mark: mark, Version: r.PostgreSQL.Version, Scale: string(r.Scale), Seed: strconv.FormatUint(r.Seed, 10),
		Took: runner.Humanize(decimal(r.Seconds), "s"), Machine: r.Machine.CPU, Counts: countVerdicts(m.Claims)}
	if f.Machine == "" {
		f.Machine = r.Machine.OS
	}
	if !r.Started.IsZero() {
		f.Started = r.Started.UTC().Format("2006-01-02 15:04 UTC")
	}
	if c.Matrix != nil {
		f.Link = linkTo(m.Name)
	}
	return f
}

// linkTo is the report of a run beside the comparison of the matrix.
func linkTo(name string) string { return "./" + name + "/report.html" }

// comparisonBanners say what a reader must know before any number.
func comparisonBanners(c *runner.Comparison) []banner {
	var all []banner
	if m := c.Matrix; m != nil && len(c.Members) < len(m.Folders) {
		all = append(all, banner{Head: fmt.Sprintf("%d of %s planned came to their end;", len(c.Members), counted(len(m.Folders), "run", "runs")),
			Text: "the comparison is over those."})
	}
	for _, name := range c.Unfinished {
		all = append(all, banner{Head: name + " was not run to its end.", Text: "It is not compared.", Anchor: linkTo(name)})
	}
	for _, m := range c.Members {
		if m.Folder.Record.Interrupted {
			all = append(all, banner{Head: m.Name + " was interrupted.", Text: "What had been measured until then is compared."})
		}
		for _, o := range m.Folder.Record.Experiments {
			if o.Error != "" {
				all = append(all, banner{Head: m.Name + ": " + o.Title + " did not run to its end:", Text: o.Error})
			}
		}
	}
	if _, _, same := c.Checksums(); !same {
		all = append(all, banner{Head: "Data checksums differ between the folders.", Text: "Bytes of WAL and all that follows from them do not compare; see what differs."})
	}
	return all
}
