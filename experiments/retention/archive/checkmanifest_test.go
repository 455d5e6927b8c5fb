package archive

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// edits calls try with each version of a JSON value in which one leaf is
// changed or one key or element is gone, and says where.
func edits(value any, where string, try func(where string, edited any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			without := maps.Clone(v)
			delete(without, key)
			try("-"+where+"."+key, without)
			edits(v[key], where+"."+key, func(where string, edited any) {
				with := maps.Clone(v)
				with[key] = edited
				try(where, with)
			})
		}
	case []any:
		for i := range v {
			try(fmt.Sprintf("-%s.%d", where, i), slices.Delete(slices.Clone(v), i, i+1))
			edits(v[i], fmt.Sprintf("%s.%d", where, i), func(where string, edited any) {
				with := slices.Clone(v)
				with[i] = edited
				try(where, with)
			})
		}
	case string:
		try(where, edited(v))
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			panic(err)
		}
		try(where, json.Number(fmt.Sprint(n+1)))
		try(where, json.Number(fmt.Sprint(-n)))
	}
}

// edited is a string of the same kind: a time, a way to carry, hexadecimal.
func edited(text string) string {
	switch {
	case strings.HasPrefix(text, "2026-"):
		return "2027-" + text[5:]
	case text == CarryJSON:
		return CarryText
	case text == CarryText:
		return CarryJSON
	case text != "" && text[len(text)-1] == '0':
		return text[:len(text)-1] + "1"
	}
	return text[:max(0, len(text)-1)] + "0"
}

// TestManifestEditedInEveryField changes, and takes out, every field. The sum
// beside the manifest tells it each time. Somebody who makes the sum again is
// found where the parts, or the manifest itself, contradict; what is left are
// the things that only the server knew.
func TestManifestEditedInEveryField(t *testing.T) {
	dir, _ := small(t)
	all := files(t, dir)
	text, sum := all[ManifestName], all[SumName]
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	unknown := make(map[string]bool)
	tried := 0
	edits(value, "", func(where string, edited any) {
		tried++
		b, err := json.Marshal(edited)
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, ManifestName, b)
		put(t, dir, SumName, sum)
		wantFault(t, faultsOf(t, dir), ManifestName+": is not what "+SumName+" says")
		again, err := decodeManifest(b)
		if err != nil {
			return // a fault in itself
		}
		if b, err = again.encode(); err != nil {
			t.Fatal(err)
		}
		put(t, dir, ManifestName, b)
		put(t, dir, SumName, sumLine(b))
		if len(faultsOf(t, dir)) == 0 {
			unknown[where] = true
		}
	})
	for where := range unknown {
		if !onlyServerKnew(where) {
			t.Errorf("%s was edited and its sum made again: no fault", where)
		}
	}
	if tried < 150 || !unknown[".server"] || unknown[".tables.0.digest"] {
		t.Errorf("%d edits, unknown %v", tried, slices.Sorted(maps.Keys(unknown)))
	}
}

// onlyServerKnew is true of what cannot be told from an archive whose sum was
// made again: what is said about the server, the snapshot and the types,
// whether a string was carried as text, and an empty table.
func onlyServerKnew(where string) bool {
	switch {
	case strings.HasPrefix(where, "-.tables.2"), strings.HasPrefix(where, ".tables.2.") && where != ".tables.2.digest":
		return true
	case strings.HasPrefix(where, ".tables."):
		return slices.Contains([]string{"parent", "type", "carry"}, where[strings.LastIndexByte(where, '.')+1:])
	}
	return slices.Contains([]string{".created", ".snapshot", ".server", ".settings.TimeZone"}, where)
}

func TestManifestComesBack(t *testing.T) {
	dir, m := small(t)
	got, err := ReadManifest(dir)
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", m) {
		t.Errorf("%+v, %v\nwant %+v", got, err, m)
	}
	if _, err := ReadManifest(t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "reading manifest.json: ") {
		t.Errorf("%v", err)
	}
}

func TestPartNamesAreDistinct(t *testing.T) {
	for _, c := range []struct{ schema, table, want string }{
		{"public", "activities_2001_03", "activities_2001_03-000007.jsonl.gz"},
		{"public", "a.b", "a%2Eb-000007.jsonl.gz"},
		{"a", "b", "a.b-000007.jsonl.gz"},
		{"public", "A", "%41-000007.jsonl.gz"},
		{"public", "../ü\n", "%2E%2E%2F%C3%BC%0A-000007.jsonl.gz"},
	} {
		if got := PartName(c.schema, c.table, 7); got != c.want {
			t.Errorf("%q.%q: %s, want %s", c.schema, c.table, got, c.want)
		}
	}
}

// TestManifestThatContradictsItself has manifests whose sum is right and whose
// files are as it says.
func TestManifestThatContradictsItself(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(m *Manifest)
		want string
	}{
		{"table twice", func(m *Manifest) { m.Tables = append(m.Tables, m.Tables[2]) }, `table "empty" is there twice`},
		{"no table", func(m *Manifest) { m.Tables = nil }, "names no table"},
		{"column twice", func(m *Manifest) { m.Tables[2].Columns = slices.Repeat(m.Tables[2].Columns, 2) }, `table "empty": column "x" is there twice`},
		{"column without a way", func(m *Manifest) { m.Tables[2].Columns[0].Carry = "hex" }, `table "empty": column 1 ("x") has no name or type, or is carried in no known way`},
		{"foreign key column", func(m *Manifest) { m.Tables[2].Key = []string{"y"} }, `table "empty": key column "y" is not among the columns`},
		{"part twice", func(m *Manifest) {
			p := &m.Tables[0].Parts[1]
			m.Tables[0].Rows, m.Tables[0].RawBytes = 25, m.Tables[0].RawBytes-p.RawBytes+m.Tables[0].Parts[0].RawBytes
			*p = m.Tables[0].Parts[0]
			p.File = secondPart
		}, `table "m_2001_03": part 2 ("m_2001_03-000002.jsonl.gz") has the content of a part before it`},
		{"key of a part", func(m *Manifest) { m.Tables[0].Parts[0].LastKey = []string{"1", "2"} }, `table "m_2001_03": part 1 ("m_2001_03-000001.jsonl.gz") has a first or last key of another number of columns`},
		{"digest", func(m *Manifest) { m.Tables[0].Digest = "x" }, `table "m_2001_03": its schema, name, parent or digest is not there`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, m := small(t)
			c.do(m)
			if err := WriteManifest(nil, dir, m); err != nil {
				t.Fatal(err)
			}
			wantFault(t, faultsOf(t, dir), ManifestName+": "+c.want)
		})
	}
}

func TestManifestOfAnotherWriter(t *testing.T) {
	for _, c := range []struct{ old, by, want string }{
		{`"format": 1,`, `"format": 1, "format": 1,`, "is not written as this program writes it"},
		{`"format": 1,`, `"format": 1, "more": 1,`, `is not a manifest: json: unknown field "more"`},
		{`"rows": 25,`, `"rows": 25.0,`, "is not a manifest: json: cannot unmarshal number 25.0"},
		{"\n}\n", "\n}{}\n", "is not a manifest: there is more after the manifest"},
	} {
		dir, _ := small(t)
		text := []byte(strings.Replace(string(files(t, dir)[ManifestName]), c.old, c.by, 1))
		put(t, dir, ManifestName, text)
		put(t, dir, SumName, sumLine(text))
		faults := faultsOf(t, dir)
		wantFault(t, faults, ManifestName+": "+c.want)
		if len(faults) != 1 {
			t.Errorf("%q: %d faults %q, want 1", c.by, len(faults), faults)
		}
	}
}
