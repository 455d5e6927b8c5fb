package cli

import (
	"fmt"

	"deletecost/runner"
)

// What must be free beside what the experiments say.
const (
	spareSpace   = 64 << 20 // bytes, for the server: a ready cluster and its first WAL
	resultsSpace = 50 << 20 // bytes, for the results
)

// space returns the bytes that the servers of a request need at the most. The
// files of one experiment are gone before the next one starts, unless they are kept.
func (r *request) space() int64 {
	var most, all int64
	for _, e := range r.experiments {
		var need int64
		if e.Space != nil {
			need = e.Space(r.knobs[e.Name])
		}
		most, all = max(most, need), all+need
	}
	if r.keep {
		return all + spareSpace
	}
	return most + spareSpace
}

// checkSpace says that a disk will be full before it is. What the system does
// not tell is not checked.
func (r *request) checkSpace(temp, results string, free func(dir string) (int64, error)) error {
	if have, err := free(temp); err == nil && have < r.space() {
		return tooFull("the server", r.space(), temp, have, r.serverRemedy())
	}
	if have, err := free(results); err == nil && have < resultsSpace {
		return tooFull("the results", resultsSpace, results, have, "name a folder on another file system with --out")
	}
	return nil
}

func (r *request) serverRemedy() string {
	remedy := "free space there, or set TMPDIR to a folder with more room"
	if r.scale != runner.Smoke {
		remedy += ", or choose a smaller --scale"
	}
	return remedy
}

func tooFull(what string, need int64, dir string, have int64, remedy string) error {
	bytes := func(n int64) string { return runner.Humanize(fmt.Sprint(n), "bytes") }
	return &shortageError{fmt.Sprintf("%s may need %s in %q, where %s are free: %s", what, bytes(need), dir, bytes(have), remedy)}
}
