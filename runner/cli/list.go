package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"deletecost/runner"
)

// list is the word of that name.
func (p *program) list(args []string) error {
	if err := p.noArguments("list", args); err != nil {
		return err
	}
	claims, err := runner.Claims()
	if err != nil {
		return err
	}
	return p.print(listing(p.experiments, claims))
}

// listing describes every experiment with its claims.
func listing(experiments []*runner.Experiment, claims []runner.Claim) string {
	var b strings.Builder
	for i, e := range experiments {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n    %s\n", e.Name, e.Title, e.Question)
		listKnobs(&b, e.Knobs)
		listClaims(&b, fmt.Sprintf("claim of %s", e.Source), claimsOf(e.Name, claims))
	}
	return b.String()
}

func claimsOf(experiment string, claims []runner.Claim) []runner.Claim {
	var own []runner.Claim
	for _, c := range claims {
		if c.Experiment == experiment {
			own = append(own, c)
		}
	}
	return own
}

func listKnobs(w io.Writer, knobs []runner.Knob) {
	if len(knobs) == 0 {
		return
	}
	table := newTable(w)
	fmt.Fprintln(table, "\n    knob\tsmoke\tlaptop\tpublished\trange\tunit\tmeaning")
	for _, k := range knobs {
		if k.Switch {
			fmt.Fprintf(table, "    %s\t%t\t%t\t%t\tfalse or true\t\t%s\n", k.Name, k.Smoke == 1, k.Laptop == 1, k.Published == 1, k.Meaning)
			continue
		}
		fmt.Fprintf(table, "    %s\t%d\t%d\t%d\t%d to %d\t%s\t%s\n",
			k.Name, k.Smoke, k.Laptop, k.Published, k.Min, k.Max, k.Unit, k.Meaning)
	}
	table.Flush()
}

func listClaims(w io.Writer, heading string, claims []runner.Claim) {
	if len(claims) == 0 {
		return
	}
	table := newTable(w)
	fmt.Fprintf(table, "\n    %s\tpublished\tstatement\n", heading)
	for _, c := range claims {
		fmt.Fprintf(table, "    %s\t%s\t%s\n", c.ID, c.PublishedText(), c.Statement)
	}
	table.Flush()
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }
