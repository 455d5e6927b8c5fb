package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A dataResource is one CSV as the Frictionless Data Package names it
// (specs.frictionlessdata.io, version 1).
type dataResource struct {
	Name      string     `json:"name"`
	Path      string     `json:"path"`
	Title     string     `json:"title,omitempty"`
	Notes     string     `json:"description,omitempty"`
	Profile   string     `json:"profile"`
	Format    string     `json:"format"`
	MediaType string     `json:"mediatype"`
	Encoding  string     `json:"encoding"`
	Schema    dataSchema `json:"schema"`
}

type dataSchema struct {
	Fields        []dataField `json:"fields"`
	MissingValues []string    `json:"missingValues"`
}

type dataField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Unit        string `json:"unit,omitempty"` // of a number; plainNumber where it has none
}

// plainNumber is the unit of a count or an ordinal.
const plainNumber = "1"

// dataPackage describes every CSV of the run for other programs.
func dataPackage(r Record) ([]byte, error) {
	resources := []dataResource{claimsResource(), metadataResource()}
	for _, o := range r.Experiments {
		for _, t := range o.Tables {
			resources = append(resources, resourceOf(o.Experiment, t))
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"name":        "deletecost-results",
		"title":       "What deleting costs in PostgreSQL " + r.PostgreSQL.Version,
		"description": r.Program + " at " + string(r.Scale) + " scale; run.json and its schema have the rest.",
		"created":     r.Started.UTC().Format(time.RFC3339),
		"profile":     "tabular-data-package",
		"resources":   resources,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing datapackage.json: %w", err)
	}
	return append(text, '\n'), nil
}

func resourceOf(experiment string, t TableOutline) dataResource {
	return newResource(experiment+"."+t.Name, experiment+"/"+t.Name+".csv", t.Title, t.Note, t.Columns)
}

func newResource(name, path, title, notes string, columns []Column) dataResource {
	res := dataResource{
		Name: strings.ToLower(name), Path: path, Title: title, Notes: notes,
		Profile: "tabular-data-resource", Format: "csv", MediaType: "text/csv", Encoding: "utf-8",
		Schema: dataSchema{Fields: []dataField{}, MissingValues: []string{NotAvailable}},
	}
	for _, c := range columns {
		res.Schema.Fields = append(res.Schema.Fields, fieldOf(c))
	}
	return res
}

// fieldOf describes a column; one that needs no words has those of its name.
func fieldOf(c Column) dataField {
	f := dataField{Name: c.Name, Type: "number", Description: c.Meaning, Unit: c.Unit}
	switch {
	case c.Text:
		f.Type = "string"
	case f.Unit == "":
		f.Unit = plainNumber
	}
	if f.Description == "" {
		f.Description = strings.ReplaceAll(c.Name, "_", " ")
	}
	return f
}

// claimsResource describes claims.csv, in which the values of a claim that has
// several are joined by " / ".
func claimsResource() dataResource {
	word := func(name, meaning string) Column { return Column{Name: name, Meaning: meaning, Text: true} }
	return newResource("claims", "claims.csv", "Published claims", "A claim of several values has them joined by ' / '.", []Column{
		word("id", "source and name of the claim"), word("source", "the published study"), word("published", "as its source printed it"),
		word("published_unit", "unit as the source printed it"), word("measured", "in the base unit"), word("low", "lower end of the interval"),
		word("high", "upper end of the interval"), word("unit", "base unit of measured, low and high"), word("verdict", "how measured stands to published"),
		word("why", "the mechanism, or why there is no value")})
}

func metadataResource() dataResource {
	return newResource("run_metadata", "run_metadata.csv", "The run", "Times are in seconds.", []Column{
		{Name: "key", Meaning: "what is told", Text: true}, {Name: "value", Meaning: "its value", Text: true}})
}
