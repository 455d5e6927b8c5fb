package tests

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document validates a run.json, which may be stdout. More than one document,
// or anything around it, is no JSON.
func document(ts *testscript.TestScript, neg bool, args []string) {
	schema, err := jsonschema.NewCompiler().Compile("../docs/run.schema.json")
	ts.Check(err)
	record, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	if err := schema.Validate(record); (err == nil) == neg {
		ts.Fatalf("%s: %v", args[0], err)
	}
}
