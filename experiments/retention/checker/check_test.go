package checker

import (
	"slices"
	"strings"
	"testing"
)

// month is table a, whose month public.m was loaded with rows.
func month(loaded ...string) []Table {
	return []Table{{Name: "a", Months: []string{"public.m"}, Loaded: loaded}}
}

// lines are the violations of a report.
func lines(r Report) []string {
	var all []string
	for _, v := range r.Violations {
		all = append(all, v.String())
	}
	return all
}

// digestOf is the digest of ids.
func digestOf(ids ...string) *Digest {
	d := &Digest{}
	for _, id := range ids {
		d.Add(id)
	}
	return d
}

// Without a server, all rows must be in the archives.
func TestArchivesAlone(t *testing.T) {
	for _, test := range []struct {
		name                  string
		parts                 [][]string
		loaded                []string
		acknowledged, unknown []string
		want                  []string
	}{
		{"all there", [][]string{{"1", "2"}, {"3"}}, []string{"1", "2", "3"}, nil, nil, nil},
		{"no rows", nil, nil, nil, nil, nil},
		{"one lost", [][]string{{"1"}, {"3"}}, []string{"1", "2", "3"}, nil, nil, []string{"lost: a 2 (loaded, nowhere)"}},
		{"one twice", [][]string{{"1", "2"}, {"2", "3"}}, []string{"1", "2", "3"}, nil, nil, []string{"twice: a 2 (2 times archived)"}},
		{"one of nobody", [][]string{{"1", "9"}}, []string{"1"}, nil, nil, []string{"stray: a 9 (1 times archived)"}},
		{"one exchanged", [][]string{{"1", "9"}}, []string{"1", "2"}, nil, nil, []string{"lost: a 2 (loaded, nowhere)", "stray: a 9 (1 times archived)"}},
		{"an acknowledged one missing", [][]string{{"1"}}, []string{"1"}, []string{"7"}, nil, []string{"lost: a 7 (acknowledged, nowhere)"}},
		{"an acknowledged one there", [][]string{{"1", "7"}}, []string{"1"}, []string{"7"}, nil, nil},
		{"an acknowledged one twice", [][]string{{"1", "7"}, {"7"}}, []string{"1"}, []string{"7"}, nil, []string{"twice: a 7 (2 times archived)"}},
		{"an unknown one missing", [][]string{{"1"}}, []string{"1"}, nil, []string{"8"}, nil},
		{"an unknown one there", [][]string{{"1", "8"}}, []string{"1"}, nil, []string{"8"}, nil},
		{"an unknown one twice", [][]string{{"1", "8"}, {"8"}}, []string{"1"}, nil, []string{"8"}, []string{"twice: a 8 (2 times archived)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			places := Places{Ledgers: []string{ledgerOf(t, test.acknowledged, test.unknown)}, Tables: month(test.loaded...), Archives: []string{archiveOf(t, test.parts...)}}
			r, err := Check(t.Context(), nil, places)
			if err != nil || !slices.Equal(lines(r), test.want) {
				t.Errorf("%v, %v; want violations %q", r, err, test.want)
			}
			if r.Acknowledged != int64(len(test.acknowledged)) || r.Unknown != int64(len(test.unknown)) || r.Loaded != int64(len(test.loaded)) {
				t.Errorf("%v; want acknowledged %d, unknown %d, loaded %d", r, len(test.acknowledged), len(test.unknown), len(test.loaded))
			}
			byDigest := month()
			byDigest[0].Digest = digestOf(test.loaded...)
			places.Tables = byDigest
			r, err = Check(t.Context(), nil, places)
			if err != nil || (len(r.Violations) > 0) != (test.want != nil) {
				t.Errorf("by digest: %v, %v; want violations: %v", r, err, test.want != nil)
			}
		})
	}
}

// Two archives of the same rows hold each of them twice.
func TestTwoArchivesOfOneMonth(t *testing.T) {
	r, err := Check(t.Context(), nil, Places{Tables: month("1"), Archives: []string{archiveOf(t, []string{"1"}), archiveOf(t, []string{"1"})}})
	if err != nil || !slices.Equal(lines(r), []string{"twice: a 1 (2 times archived)"}) {
		t.Errorf("%v, %v; want row 1 twice", r, err)
	}
}

// What cannot be looked at is an error, never a proof.
func TestWhatCannotBeChecked(t *testing.T) {
	ledger := ledgerOf(t, []string{"1"}, nil)
	for _, test := range []struct {
		places Places
		want   string
	}{
		{Places{Ledgers: []string{ledger}}, "no table has that name"},
		{Places{Ledgers: []string{"/no/ledger"}}, "no such file"},
		{Places{Tables: []Table{{Name: "a"}, {Name: "a"}}}, "named twice"},
		{Places{Tables: []Table{{Name: "a", Months: []string{"public.m"}}, {Name: "b", Months: []string{"public.m"}}}}, "named twice"},
		{Places{Tables: []Table{{Name: "a", Loaded: []string{"1"}, Digest: &Digest{}}}}, "both ids and a digest"},
	} {
		if _, err := Check(t.Context(), nil, test.places); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v; want an error with %q", test.places, err, test.want)
		}
	}
	r, err := Check(t.Context(), nil, Places{Tables: []Table{{Name: "a", Months: []string{"public.other"}}}, Archives: []string{archiveOf(t, []string{"1"})}})
	if err != nil || r.Archives[0].Verified || !strings.Contains(r.Archives[0].Fault, "none of the months") {
		t.Errorf("an archive of another relation: %+v, %v; want a fault", r.Archives, err)
	}
}

// Equal sets in any order have equal digests, and repeated ids do not cancel.
func TestDigest(t *testing.T) {
	if *digestOf("1", "2", "3") != *digestOf("3", "1", "2") {
		t.Error("the order changes the digest")
	}
	for _, other := range []*Digest{digestOf("1", "2"), digestOf("1", "2", "4"), digestOf("1", "2", "2"), digestOf("3", "3", "3"), digestOf("1", "1", "3")} {
		if *digestOf("1", "2", "3") == *other {
			t.Errorf("%v is the digest of two sets", other)
		}
	}
}
