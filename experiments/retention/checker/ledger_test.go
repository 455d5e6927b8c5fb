package checker

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ledgerOf writes a ledger with acknowledged and with unknown rows of table a.
func ledgerOf(t *testing.T, acknowledged, unknown []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := OpenLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i, id := range append(append([]string{}, acknowledged...), unknown...) {
		err := l.Intent("a", id, time.Now())
		if err == nil && i < len(acknowledged) {
			err = l.Ack("a", id, time.Now())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestLedgerReadsBack(t *testing.T) {
	got, err := readLedgers([]string{ledgerOf(t, []string{"1", "2"}, []string{"3"}), ledgerOf(t, []string{"4"}, nil)})
	want := promises{{"a", "1"}: true, {"a", "2"}: true, {"a", "3"}: false, {"a", "4"}: true}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// Wherever the end of a writer cuts its file, the whole lines before it count,
// and a writer that goes on after it does not disturb them.
func TestLedgerCutAtEveryByte(t *testing.T) {
	const text = "intent a 1 5 .\nack a 1 6 .\nintent a 2 7 .\nack a 2 8 .\n"
	for cut := range len(text) + 1 {
		path := filepath.Join(t.TempDir(), "ledger")
		if err := os.WriteFile(path, []byte(text[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := readLedgers([]string{path})
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			for id, ack := range map[string]string{"1": "ack a 1 6 .", "2": "ack a 2 8 ."} {
				// Whether a line without its line break counts depends on whether a next writer ended it.
				if strings.Contains(text[:cut], ack+"\n") && !got[row{"a", id}] {
					t.Errorf("cut at %d: %v, want row %s acknowledged", cut, got, id)
				}
				if !strings.Contains(text[:cut], ack) && got[row{"a", id}] {
					t.Errorf("cut at %d: %v, want row %s not acknowledged", cut, got, id)
				}
			}
			again, err := OpenLedger(path)
			if err != nil {
				t.Fatal(err)
			}
			again.Close()
		}
	}
}

func TestLedgerThatIsNone(t *testing.T) {
	for _, text := range []string{
		"hello\n",
		"ack a 1 5 .\n",
		"intent a 1 5 .\nintent a 1 6 .\n",
		"intent a 1 5 .\nack a 1 6 .\nack a 1 7 .\n",
		"intent a 1 x .\n",
		"rollback a 1 5 .\n",
		"intent a 1 5 6 .\n",
	} {
		path := filepath.Join(t.TempDir(), "ledger")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readLedgers([]string{path}); err == nil {
			t.Errorf("%q was read as %v, want an error", text, got)
		}
	}
	if _, err := readLedgers([]string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a ledger that does not exist was read")
	}
	l, err := OpenLedger(filepath.Join(t.TempDir(), "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Intent("a", "1 2", time.Now()); err == nil {
		t.Error("an id with white space was written")
	}
}
