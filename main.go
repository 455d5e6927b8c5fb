// Deletecost measures what deleting data costs in PostgreSQL and judges
// published claims about it.
package main

import (
	"os"

	"deletecost/experiments"
	"deletecost/experiments/retention/archive"
	"deletecost/report"
	"deletecost/runner/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], experiments.All(), report.Render, report.Charts, report.Compare, archive.WriteVerdict))
}
