package runner

import (
	"encoding/json"
	"fmt"
)

// A dataResource is one CSV as the Frictionless Data Package names it
// (specs.frictionlessdata.io, version 1).
type dataResource struct {
	Name    string     `json:"name"`
	Path    string     `json:"path"`
	Title   string     `json:"title,omitempty"`
	Profile string     `json:"profile"`
	Format  string     `json:"format"`
	Schema  dataSchema `json:"schema"`
}

type dataSchema struct {
	Fields        []dataField `json:"fields"`
	MissingValues []string    `json:"missingValues"`
}

type dataField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Unit        string `json:"unit,omitempty"`
}

// dataPackage describes every table of the run for other programs.
func dataPackage(r Record) ([]byte, error) {
	resources := []dataResource{}
	for _, o := range r.Experiments {
		for _, t := range o.Tables {
			resources = append(resources, resourceOf(o.Experiment, t))
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"name":      "deletecost-results",
		"profile":   "tabular-data-package",
		"resources": resources,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing datapackage.json: %w", err)
	}
	return append(text, '\n'), nil
}

func resourceOf(experiment string, t TableOutline) dataResource {
	res := dataResource{
		Name: experiment + "." + t.Name, Path: experiment + "/" + t.Name + ".csv", Title: t.Title,
		Profile: "tabular-data-resource", Format: "csv",
		Schema: dataSchema{MissingValues: []string{"", NotAvailable}},
	}
	for _, c := range t.Columns {
		kind := "number"
		if c.Text {
			kind = "string"
		}
		res.Schema.Fields = append(res.Schema.Fields, dataField{Name: c.Name, Type: kind, Description: c.Meaning, Unit: c.Unit})
	}
	return res
}
