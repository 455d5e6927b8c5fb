package runner

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	resourceName = regexp.MustCompile(`^([-a-z0-9._/])+$`)
	// A number as Table Schema has it: no exponent is needed, no hexadecimal, no separators.
	tableNumber = regexp.MustCompile(`^([+-]?\d+(\.\d*)?([eE][+-]?\d+)?|NaN|-?INF)$`)
)

// checkPackage holds a folder against the rules of the tabular data package:
// names, types, paths, headers and every cell.
func checkPackage(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pkg struct {
		Name, Profile, Created string
		Resources              []dataResource
	}
	if err := json.Unmarshal(text, &pkg); err != nil {
		t.Fatal(err)
	}
	if !resourceName.MatchString(pkg.Name) || pkg.Profile != "tabular-data-package" || pkg.Created == "" {
		t.Errorf("package %q of profile %q", pkg.Name, pkg.Profile)
	}
	names, paths := map[string]bool{}, map[string]bool{}
	cells := 0
	for _, r := range pkg.Resources {
		if names[r.Name] || paths[r.Path] || !resourceName.MatchString(r.Name) || r.Profile != "tabular-data-resource" || !filepath.IsLocal(r.Path) {
			t.Errorf("resource %q of %q", r.Name, r.Path)
		}
		names[r.Name], paths[r.Path] = true, true
		cells += checkResource(t, dir, r)
	}
	for _, pattern := range []string{"*.csv", "*/*.csv"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, file := range found {
			if name, _ := filepath.Rel(dir, file); !paths[filepath.ToSlash(name)] {
				t.Errorf("%s is not in the package", name)
			}
		}
	}
	return cells
}

func checkResource(t *testing.T, dir string, r dataResource) int {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, r.Path))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	for _, f := range r.Schema.Fields {
		header = append(header, f.Name)
		if f.Description == "" || (f.Type == "number") != (f.Unit != "") || f.Type != "number" && f.Type != "string" {
			t.Errorf("%s: %+v", r.Path, f)
		}
	}
	if !slices.Equal(rows[0], header) || !slices.Equal(r.Schema.MissingValues, []string{"n/a"}) {
		t.Errorf("%s: header %q, fields %q, missing %q", r.Path, rows[0], header, r.Schema.MissingValues)
	}
	cells := 0
	for i, row := range rows[1:] {
		for j, f := range r.Schema.Fields {
			cells++
			if f.Type == "number" && row[j] != "n/a" && !tableNumber.MatchString(row[j]) {
				t.Errorf("%s line %d: %s is %q", r.Path, i+2, f.Name, row[j])
			}
		}
	}
	return cells
}

func TestDataPackageIsOne(t *testing.T) {
	half, _ := runHalf(t, t.Context(), nil)
	if cells := checkPackage(t, half.Dir); cells < 350 {
		t.Errorf("%d cells, want ten of each of 35 claims, and more", cells)
	}
	old := filepath.Join(t.TempDir(), "old")
	if err := os.CopyFS(old, os.DirFS(filepath.Join("..", "report", "testdata", "schema-1"))); err != nil {
		t.Fatal(err)
	}
	f, err := Open(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := Derive(f); err != nil {
		t.Fatal(err)
	}
	checkPackage(t, old)
}

// What Table writes of a number is one in a Table Schema.
func TestDataPackageNumbers(t *testing.T) {
	var table Table
	for _, v := range []any{0, -7, int64(math.MaxInt64), uint64(math.MaxUint64), 0.5, -1e-300, 1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		if text := table.text(v); !tableNumber.MatchString(text) {
			t.Errorf("%v is written as %q", v, text)
		} else if _, ok := number(text); !ok {
			t.Errorf("%q is not read back", text)
		}
	}
}

func TestDataPackageDescribesEachField(t *testing.T) {
	for _, c := range []struct {
		column Column
		want   dataField
	}{
		{Column{Name: "p50_s", Unit: "s", Meaning: "median"}, dataField{"p50_s", "number", "median", "s"}},
		{Column{Name: "index_count"}, dataField{"index_count", "number", "index count", "1"}},
		{Column{Name: "table_name", Text: true}, dataField{"table_name", "string", "table name", ""}},
	} {
		if got := fieldOf(c.column); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	if r := resourceOf("E", TableOutline{TableSpec: TableSpec{Name: "T"}}); !resourceName.MatchString(r.Name) || strings.ToLower(r.Path) == r.Path {
		t.Errorf("%+v: names are lower case, paths are not changed", r)
	}
}
