package archive

import (
	"fmt"
	"strings"
	"testing"
)

// hardTypes are the objects that hardColumns need.
const hardTypes = `
CREATE TYPE mood AS ENUM ('sad', 'it''s "fine"', 'a,b (c)');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN short AS varchar(5);
CREATE TYPE pair AS (a int, b text);
CREATE TYPE nest AS (p pair, list text[]);
CREATE TYPE floatrange AS RANGE (subtype = float8);`

// hardColumns are types with values of each that careless code changes.
var hardColumns = []struct{ typ, values string }{
	{"bool", "true¦false"},
	{"int2", "-32768¦32767"},
	{"int8", "-9223372036854775808¦9223372036854775807¦9007199254740993"},
	{"numeric", "'NaN'¦'Infinity'¦'-Infinity'¦1.0¦1.00¦0.10¦-0.000¦repeat('9',100)::numeric¦('0.'||repeat('0',99)||'1')::numeric¦(repeat('7',60)||'.'||repeat('3',40))::numeric"},
	{"numeric(10,2)", "12345678.90"},
	{"float8", "'NaN'¦'Infinity'¦'-Infinity'¦'-0'¦0.1¦0.30000000000000004¦1.7976931348623157e308¦5e-324¦2.2250738585072014e-308¦1e20¦123456789012345680"},
	{"float4", "'NaN'¦'-Infinity'¦1.1754944e-38¦3.4028235e38¦1e-45¦0.1¦16777216"},
	{"text", `''¦'null'¦'NaN'¦E'\\N'¦E'\\.'¦E'a\nb\r\nc\td'¦E'\\n'¦E'\b\f\v'¦E'\x01\x1f\x7f'¦'"'¦E'\\'¦E'\\"'¦'{"a":1}'¦'é漢🜁'¦U&'\2028\2029\FEFF'¦E'\\u0041'¦E'\\v'¦' '¦repeat('x"\', 100000)`},
	{"varchar(4)", "'abcd'¦'a   '"},
	{"char(4)", "'a'¦''"},
	{`"char"`, `'a'¦''¦'\'¦'"'`},
	{"name", `'a "name"'`},
	{"json", `'null'¦E'{"a":1,\n "a":2}'¦'"\u0000"'¦'{"u":"\u00e9\ud83d\ude00"}'¦'1.0'¦'1e400'¦'  [1 , 2]  '`},
	{"jsonb", `'null'¦'{"a":"\u00e9\u2028\\ \" \n"}'¦'{"u":"\ud83d\ude00"}'¦'1.10'¦'12345678901234567890123456789.1'¦'"null"'`},
	{"jsonb[]", `ARRAY['null'::jsonb, NULL, '"a,b"']¦'{}'¦'{NULL}'`},
	{"int[]", "'[0:2]={1,2,3}'¦'[-1:0][5:6]={{1,2},{3,NULL}}'¦'{}'"},
	{"text[]", `ARRAY['NULL', NULL, '', 'a"b', 'c\d', 'e,f', '{g}', ' h ', E'i\nj']`},
	{"timestamptz", "'infinity'¦'-infinity'¦'4713-01-01 00:00:00 BC'¦'2001-03-25 02:30:00.123456 Europe/Berlin'¦'294276-12-31 23:59:59.999999+00'"},
	{"timestamp", "'infinity'¦'0044-03-15 BC'¦'2001-03-25 02:30:00.000001'"},
	{"date", "'infinity'¦'-infinity'¦'4714-11-24 BC'¦'5874897-12-31'¦'0001-01-01 BC'"},
	{"time", "'24:00'¦'00:00:00.000001'"},
	{"timetz", "'24:00+15:59'¦'04:05:06.789-8'"},
	{"interval", "'1 mon -1 day 00:00:01'¦'-178000000 years'¦'-00:00:00.000001'¦'0'¦'1 year 2 mons 3 days -04:05:06.7'"},
	{"bytea", `'\x'¦'\x00ff5c0a22'¦decode(repeat('00', 1000), 'hex')`},
	{"uuid", "'00000000-0000-0000-0000-000000000000'¦'ffffffff-ffff-ffff-ffff-ffffffffffff'"},
	{"inet", "'10.0.0.1/8'¦'::1'¦'2001:db8::/32'¦'::ffff:1.2.3.4'"},
	{"cidr", "'10.0.0.0/8'"},
	{"macaddr8", "'08:00:2b:01:02:03:04:05'"},
	{"bit(5)", "B'00101'"},
	{"varbit", "B''¦B'1'"},
	{"tsvector", `'a:1A fat:2B,4C ''it''''s'' ''b\\c'''`},
	{"tsquery", "'fat & (rat | !cat:*A)'"},
	{"xml", `'<a b="c">&lt; x</a>'¦'text only'¦'<a/><b/>'`},
	{"mood", `'sad'¦'it''s "fine"'¦'a,b (c)'`},
	{"positive", "7"},
	{"short", "'abc'"},
	{"pair", `ROW(1, NULL)¦ROW(NULL, '')¦ROW(NULL, NULL)¦ROW(1, E'a"b\\c,(d)\ne')`},
	{"nest", `ROW(ROW(1, 'x"y'), ARRAY['a,b', NULL])`},
	{"pair[]", `ARRAY[ROW(1, 'a"b')::pair, NULL]`},
	{"int4range", "'empty'¦'[1,5)'¦'(,)'¦'[,3)'"},
	{"tstzrange", "'[2001-01-01 00:00+00, infinity]'"},
	{"floatrange", "'[0.1,0.30000000000000004)'"},
	{"int4multirange", "'{}'¦'{[1,2),[5,9)}'"},
	{"point", "'(0.1,1e-300)'"},
	{"polygon", "'((0,0),(0.1,0.2),(1,0))'"},
	{"pg_lsn", "'FFFFFFFF/FFFFFFFF'"},
	{"jsonpath", `'$.a ? (@ > 1)'`},
	{"oid", "4294967295"},
	{"xid8", "'18446744073709551615'"},
}

// hardTable makes partition h_old of h with a column for each, a row for each
// value, and a row of nulls.
func hardTable(b *bed) (rows int) {
	b.exec(hardTypes)
	names, defs := []string{}, []string{}
	for i, c := range hardColumns {
		name := fmt.Sprintf(`"c%d %s"`, i, strings.ReplaceAll(c.typ, `"`, `""`))
		names, defs = append(names, name), append(defs, name+" "+c.typ)
	}
	b.exec("CREATE TABLE h (n int, gone int, " + strings.Join(defs, ", ") + ", twice int GENERATED ALWAYS AS (n * 2) STORED) PARTITION BY RANGE (n)")
	b.exec("ALTER TABLE h DROP COLUMN gone")
	b.exec("CREATE TABLE h_old PARTITION OF h FOR VALUES FROM (0) TO (100000)")
	b.exec("INSERT INTO h (n) VALUES (0)")
	rows = 1
	for i, c := range hardColumns {
		for _, v := range strings.Split(c.values, "¦") {
			b.exec(fmt.Sprintf("INSERT INTO h (n, %s) VALUES (%d, (%s)::%s)", names[i], rows, v, c.typ))
			rows++
		}
	}
	b.exec("INSERT INTO h (n, " + strings.Join(names, ", ") + ") SELECT n, " + strings.Join(names, ", ") + " FROM h WHERE n = 5")
	return rows + 1 // one row is there twice
}

// Every value comes back as the same bytes. The judge is PostgreSQL, in a
// session with settings of its own and by the types' binary output.
func TestEveryTypeComesBack(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			b := newBed(t, version)
			b.exec("SET extra_float_digits = 3")
			rows := hardTable(b)
			b.exec("CREATE TABLE kept AS SELECT * FROM h")
			cfg := b.config("h")
			cfg.PartRows = 7
			if out := b.mustRun(cfg); out.Rows != int64(rows) {
				t.Fatalf("%d rows, want %d", out.Rows, rows)
			}
			m, err := ReadManifest(cfg.Dir)
			if err != nil {
				t.Fatal(err)
			}
			b.exec("SET extra_float_digits = 0; SET DateStyle = 'German, DMY'; SET TimeZone = 'Asia/Kolkata'; SET IntervalStyle = 'sql_standard'; SET bytea_output = 'escape'")
			if err := Restore(t.Context(), b.conn, cfg.Dir, &m.Tables[0], "back"); err != nil {
				t.Fatal(err)
			}
			b.exec("SET extra_float_digits = 3")
			for _, pair := range [][2]string{{"kept", "back"}, {"back", "kept"}} {
				query := fmt.Sprintf("SELECT t::text FROM %s t EXCEPT ALL SELECT t::text FROM %s t", pair[0], pair[1])
				if n := value[int](b, "SELECT count(*) FROM ("+query+") d"); n != 0 {
					t.Errorf("%d rows are only in %s", n, pair[0])
				}
			}
			wantSameTypesAndBytes(b)
		})
	}
}

// wantSameTypesAndBytes compares column by column what the text of a row could
// hide: the type, NULL, and the stored value by the type's send function.
func wantSameTypesAndBytes(b *bed) {
	b.t.Helper()
	const shape = "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0"
	if was, is := value[string](b, shape, "kept"), value[string](b, shape, "back"); was != is {
		b.t.Errorf("columns\n%s\nwant\n%s", is, was)
	}
	for i, c := range hardColumns {
		name := fmt.Sprintf(`"c%d %s"`, i, strings.ReplaceAll(c.typ, `"`, `""`))
		send := value[string](b, fmt.Sprintf("SELECT typsend::text FROM pg_type WHERE oid = '%s'::regtype", c.typ))
		bytes := fmt.Sprintf("%s(%s)", send, name)
		query := fmt.Sprintf("SELECT count(*) FROM kept k JOIN back b USING (n) WHERE k.%s IS NULL <> (b.%s IS NULL) OR %s IS DISTINCT FROM %s",
			name, name, strings.Replace(bytes, name, "k."+name, 1), strings.Replace(bytes, name, "b."+name, 1))
		if n := value[int](b, query); n != 0 {
			b.t.Errorf("column %s: %d values differ in their bytes", name, n)
		}
	}
}

// What would not come back is refused by name, and nothing is detached.
func TestTypesThatAreRefused(t *testing.T) {
	b := newBed(t, "17")
	b.exec("CREATE TYPE holder AS (r regclass)")
	for _, typ := range []string{"money", "regclass", "regprocedure[]", "holder", "aclitem"} {
		b.exec("DROP TABLE IF EXISTS h; CREATE TABLE h (n int, bad " + typ + ") PARTITION BY RANGE (n)")
		b.exec("CREATE TABLE h_old PARTITION OF h FOR VALUES FROM (0) TO (10)")
		wantRefused(b, b.config("h"), "h_old", ErrPreflight, `column "bad"`)
	}
}
