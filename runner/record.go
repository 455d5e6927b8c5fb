package runner

import "time"

// SchemaVersion counts incompatible changes of run.json.
const SchemaVersion = 1

// A Record is run.json: all that the report needs besides the CSVs and plans.
type Record struct {
	Schema      int       `json:"schema"`
	Program     string    `json:"program"` // deletecost and its version
	Command     []string  `json:"command"` // the words after the program's name
	Started     time.Time `json:"started"` // UTC
	Seconds     float64   `json:"seconds"`
	FirstQuery  float64   `json:"first_query_seconds"` // from the start of the process to the first answered query
	Scale       Scale     `json:"scale"`
	Seed        uint64    `json:"seed"`
	PostgreSQL  Binaries  `json:"postgresql"`
	ECharts     Script    `json:"echarts"`
	Machine     Machine   `json:"machine"`
	Interrupted bool      `json:"interrupted,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"`
	Account     *Account  `json:"account,omitempty"` // nil in folders of an older release and of a run that was killed
	Experiments []Outline `json:"experiments"`
}

// Binaries says which PostgreSQL was measured and where its files came from.
type Binaries struct {
	Version     string `json:"version"`     // "17.10"
	Source      string `json:"source"`      // cache, maven, npm, pg-bin
	Coordinates string `json:"coordinates"` // the package, as its registry names it
	Digest      string `json:"digest"`      // SHA-256 over the unpacked content
	Pinned      bool   `json:"pinned"`      // false: the caller's own binaries
}

// Script says which ECharts draws the figures; a zero Script means that none
// could be had and the report has tables only.
type Script struct {
	Version string `json:"version,omitempty"`
	Source  string `json:"source,omitempty"`
	Digest  string `json:"digest,omitempty"` // SHA-256 of echarts.min.js
}

// A StepRecord is how long one step took; set-up is shown apart.
type StepRecord struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Setup   bool    `json:"setup,omitempty"`
}

// A ServerRecord is one server that an experiment used.
type ServerRecord struct {
	Name     string    `json:"name"`
	Version  string    `json:"version"` // SELECT version()
	Settings []Setting `json:"settings"`
}

// A Setting is one server setting that is part of every number measured there.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"`   // with its unit, as SHOW prints it
	Default string `json:"default"` // the value built into the server, in the setting's base unit
	Changed bool   `json:"changed"` // differs from the built-in default
}

// A Machine is what the run ran on.
type Machine struct {
	OS         string `json:"os"` // GOOS/GOARCH
	Kernel     string `json:"kernel,omitempty"`
	CPU        string `json:"cpu,omitempty"`
	CPUs       int    `json:"cpus"`
	Memory     int64  `json:"memory_bytes,omitempty"`
	FileSystem string `json:"file_system,omitempty"` // of the data directory, with its mount options
	Dirty      string `json:"dirty_ratios,omitempty"`
	Pages      string `json:"huge_pages,omitempty"` // transparent huge pages
	Clock      string `json:"clock_source,omitempty"`
}
