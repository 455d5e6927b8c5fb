package runner

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

func (o Outline) knobNames() []string {
	names := make([]string, 0, len(o.Knobs))
	for k := range o.Knobs {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// summaryText is the run for a terminal: the answers, then the claims in
// columns.
func summaryText(f *Folder, all []Outcome) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "PostgreSQL %s, scale %s, seed %d\n", OneLine(f.Record.PostgreSQL.Version), OneLine(string(f.Record.Scale)), f.Record.Seed)
	for _, o := range f.Record.Experiments {
		fmt.Fprintf(&b, "\n%s\n%s\n", OneLine(o.Title), OneLine(o.Question))
		for _, s := range f.answers(o) {
			fmt.Fprintf(&b, "- %s\n", OneLine(s))
		}
		if o.Error != "" {
			fmt.Fprintf(&b, "This experiment did not end: %s\n", OneLine(o.Error))
		}
	}
	fmt.Fprintf(&b, "\n%s\n\n", Count(all))
	if spent := spentText(f.Record); spent != "" {
		fmt.Fprintf(&b, "%s\n\n", spent)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "claim\tpublished\tmeasured\tverdict")
	for _, o := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", OneLine(o.Claim.ID), OneLine(o.Claim.PublishedText()), OneLine(o.Brief()), o.Verdict)
	}
	// A strings.Builder takes every write.
	_ = w.Flush()
	return []byte(b.String())
}

// answers returns an outline's answer with its values, and what disturbed them; a
// sentence that cannot be filled says why in its place.
func (f *Folder) answers(o Outline) []string {
	var all []string
	for _, s := range o.Answer {
		text, err := s.In(f.tables[o.Experiment])
		if err != nil {
			text = err.Error()
		}
		all = append(all, text)
	}
	if note := f.tables[o.Experiment].NoiseNote(); note != "" {
		all = append(all, note)
	}
	return all
}

// shortParts is the most parts that fit in one line.
const shortParts = 3

// Brief is Measured where it fits in a line.
func (o Outcome) Brief() string {
	if len(o.Cells) > shortParts {
		return fmt.Sprintf("%d values, see claims.csv", len(o.Cells))
	}
	return o.Measured()
}

// Measured returns the measured parts scaled for people, with intervals.
func (o Outcome) Measured() string {
	if len(o.Cells) == 0 {
		return NotAvailable
	}
	var parts []string
	for _, c := range o.Cells {
		text := c.String()
		if c.Unit == "bytes" {
			text += " (" + Humanize(c.Text, "") + " bytes)"
		}
		if c.Label != "" {
			text = c.Label + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// PublishedText returns the published value with the unit as the source
// printed it.
func (c Claim) PublishedText() string {
	switch c.Unit {
	case "", "bool", "text", "plan", "digest", "growth", "fit":
		return c.Published
	case "bytes":
		if v, ok := number(c.Published); ok && v >= 1<<10 {
			return Humanize(c.Published, "bytes") + " (" + grouped(v) + " bytes)"
		}
	case "x":
		return c.Published + "×"
	}
	if strings.HasPrefix(c.Published, "see ") {
		return c.Published
	}
	parts := strings.Split(c.Published, " / ")
	for i, p := range parts {
		if v, ok := number(p); ok && v == math.Trunc(v) {
			parts[i] = grouped(v)
		}
	}
	return strings.Join(parts, " / ") + " " + c.Unit
}
