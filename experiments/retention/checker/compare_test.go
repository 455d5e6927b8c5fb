package checker

import (
	"context"
	"strings"
	"testing"

	"deletecost/runner/postgres/testserver"
)

// Values that JSON numbers and records are known to lose come back, and one
// that differs in its last digit is found.
func TestCompare(t *testing.T) {
	conn, err := testserver.Start(t, "17").Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	const rows = `{"id":"1","f":0.1,"n":12345678901234567890.10,"j":"null","a":"[0:1]={1,NULL}","t":"a\nb\\"}
{"id":"2","f":"NaN","n":"NaN","j":"{\"a\":1, \"a\":2}","a":null,"t":null}
{"id":"3","f":-0,"n":1,"j":null,"a":"{}","t":""}
`
	do(t, conn, `CREATE TABLE o (id text, f float8, n numeric, j json, a int[], t text);
		INSERT INTO o VALUES ('1', 0.1, 12345678901234567890.10, 'null', '[0:1]={1,NULL}', E'a\nb\\'), ('2', 'NaN', 'NaN', '{"a":1, "a":2}', NULL, NULL), ('3', '-0', 1, NULL, '{}', '')`)
	for _, test := range []struct {
		from, to string
		want     int64
	}{
		{"", "", 0}, {"0.1", "0.10000000000000002", 1}, {`"j":null`, `"j":"null"`, 1}, {`"t":null`, `"t":""`, 1},
		{"890.10", "890.1", 1}, {`[0:1]=`, "", 1}, {`"f":-0`, `"f":0`, 1}, {`1, \"a\":2`, `2`, 1},
	} {
		raw := strings.Replace(rows, test.from, test.to, 1)
		only, lacks, err := Compare(t.Context(), conn, rawArchive(t, raw), "public.m", "public.o")
		if err != nil || only != test.want || lacks != test.want {
			t.Errorf("%q instead of %q: %d and %d rows differ, %v; want %d", test.to, test.from, only, lacks, err, test.want)
		}
	}
	if _, _, err := Compare(t.Context(), conn, rawArchive(t, rows), "public.other", "public.o"); err == nil {
		t.Error("a relation that the archive does not hold was compared")
	}
	var left bool
	if err := conn.QueryRow(t.Context(), "SELECT to_regclass('checker_read') IS NOT NULL").Scan(&left); err != nil || left {
		t.Errorf("the temporary table is left: %v, %v", left, err)
	}
}

// rawArchive is an archive of public.m with one part of the given lines.
func rawArchive(t *testing.T, raw string) string {
	t.Helper()
	dir := t.TempDir()
	file := zipped(t, []byte(raw))
	rows := int64(strings.Count(raw, "\n"))
	p := listedPart{File: firstPart, Rows: rows, RawBytes: int64(len(raw)), RawSHA256: sumOf([]byte(raw)), Bytes: int64(len(file)), SHA256: sumOf(file)}
	columns := []listedColumn{{Name: "id", Type: "text"}, {Name: "f", Type: "double precision"}, {Name: "n", Type: "numeric"},
		{Name: "j", Type: "json"}, {Name: "a", Type: "integer[]"}, {Name: "t", Type: "text"}}
	writeFile(t, dir, firstPart, file)
	writeManifest(t, dir, listed{Format: 1, Tables: []listedTable{{Schema: "public", Name: "m", Columns: columns, Rows: rows, RawBytes: p.RawBytes, Parts: []listedPart{p}}}})
	return dir
}
