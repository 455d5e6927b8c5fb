package retention

import (
	"time"

	"deletecost/runner"
)

var bandsTable = runner.TableSpec{Name: "bands", Title: "Steps as bands", Raw: true,
	Note:    "Seconds since the pipeline began. A step of both tables, whose spans may overlap, is one band from the first to the last.",
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "step", Text: true}, {Name: "middle_s", Unit: "s", Meaning: "since the pipeline began"}, {Name: "start_s", Unit: "s"}, {Name: "end_s", Unit: "s"}}}

// aloneBand is the band of the time before the pipeline.
const aloneBand = "writers alone"

// lanes are the steps in the order of the pipeline.
var lanes = []string{"preflight", "detach", "lock", "export", "verify", "restore", "compare", "exclusive", "recount", "rehash", "drop", "commit"}

// band writes each step down as a line from its beginning to its end.
func (b *bench) band(r *retired) {
	add := func(step string, start, end time.Duration) {
		b.bands.Add(r.name, step, (start+end)/2, start, end)
	}
	if r.writers > 0 {
		add(aloneBand, r.crewBegan.Sub(r.began), 0)
	}
	for _, step := range lanes {
		spans := r.diary.of(step)
		if len(spans) == 0 {
			continue
		}
		end := spans[0].end
		for _, s := range spans {
			if s.end.After(end) {
				end = s.end
			}
		}
		add(step, spans[0].start.Sub(r.began), end.Sub(r.began))
	}
}
