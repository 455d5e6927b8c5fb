package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// docSchema reads docs/run.schema.json.
func docSchema(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "run.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// The schema knows the fields of run.json, and no others; each object of it is
// a struct.
func TestSchemaHasEveryField(t *testing.T) {
	doc := docSchema(t)
	defs := doc["$defs"].(map[string]any)
	structs := map[string]any{"": Record{}, "binaries": Binaries{}, "script": Script{}, "machine": Machine{}, "outline": Outline{}, "ref": Ref{}, "sentence": Sentence{},
		"column": Column{}, "table": TableOutline{}, "layer": Layer{}, "figure": Figure{}, "plan": Plan{}, "claim": Claim{}, "finding": Finding{}, "setting": Setting{},
		"server": ServerRecord{}, "step": StepRecord{}, "spent": Spent{}, "phases": Phases{}, "account": Account{}}
	if len(defs) != len(structs)-1 {
		t.Errorf("%d definitions for %d structs", len(defs), len(structs)-1)
	}
	for name, v := range structs {
		object := doc
		if name != "" {
			object = defs[name].(map[string]any)
		}
		if object["additionalProperties"] != false {
			t.Errorf("%q permits other properties", name)
		}
		all, required := fields(reflect.TypeOf(v))
		if got := keys(object["properties"]); !slices.Equal(got, all) {
			t.Errorf("%q has properties %q, the struct %q", name, got, all)
		}
		var want []string
		for _, n := range object["required"].([]any) {
			want = append(want, n.(string))
		}
		if slices.Sort(want); !slices.Equal(want, required) {
			t.Errorf("%q requires %q, the struct always has %q", name, want, required)
		}
	}
}

// fields returns a struct's names in JSON, and those that are always there.
func fields(typ reflect.Type) (all, required []string) {
	for _, f := range reflect.VisibleFields(typ) {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		if all = append(all, name); option != "omitempty" {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

func keys(object any) []string {
	var all []string
	for k := range object.(map[string]any) {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// Every property says what it is, and every number its unit.
func TestSchemaDescribesEveryField(t *testing.T) {
	var walk func(path string, at any)
	walk = func(path string, at any) {
		s, ok := at.(map[string]any)
		if !ok {
			return
		}
		_, isRef := s["$ref"]
		if d, _ := s["description"].(string); !isRef && len(d) < 5 {
			t.Errorf("%s has no description", path)
		}
		if u, _ := s["unit"].(string); (s["type"] == "integer" || s["type"] == "number") && u == "" {
			t.Errorf("%s has no unit", path)
		}
		walk(path+"/items", s["items"])
		walk(path+"/additionalProperties", s["additionalProperties"])
		for _, in := range []string{"properties", "$defs"} {
			children, _ := s[in].(map[string]any)
			for name, child := range children {
				walk(path+"/"+name, child)
			}
		}
	}
	walk("", docSchema(t))
}

// runSchema compiles the schema.
func runSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("run.schema.json", docSchema(t)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("run.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemaHoldsForRecords(t *testing.T) {
	s := runSchema(t)
	half, _ := runHalf(t, t.Context(), nil)
	empty := t.TempDir()
	if _, err := Run(t.Context(), Config{Dir: empty, Record: Record{Program: "deletecost test"}, ProcessStart: time.Now(), Derive: Derive}); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("..", "report", "testdata")
	for _, dir := range []string{half.Dir, empty, filepath.Join(golden, "folder"), filepath.Join(golden, "schema-1")} {
		text, err := os.ReadFile(filepath.Join(dir, "run.json"))
		if err != nil {
			t.Fatal(err)
		}
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(record); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := runSchema(t)
	for name, change := range map[string]func(map[string]any){
		"another schema":   func(r map[string]any) { r["schema"] = json.Number("2") },
		"an unknown field": func(r map[string]any) { r["extra"] = "x" },
		"no machine":       func(r map[string]any) { delete(r, "machine") },
		"another program":  func(r map[string]any) { r["program"] = "x 1.0" },
		"a negative time":  func(r map[string]any) { r["seconds"] = json.Number("-1") },
	} {
		text, err := json.Marshal(Record{Schema: SchemaVersion, Program: "deletecost test"})
		if err != nil {
			t.Fatal(err)
		}
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil || s.Validate(record) != nil {
			t.Fatal(err, s.Validate(record))
		}
		change(record.(map[string]any))
		if s.Validate(record) == nil {
			t.Errorf("%s is valid", name)
		}
	}
}
