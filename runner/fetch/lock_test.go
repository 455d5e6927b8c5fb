package fetch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestLockFileIsRemoved hands a lock over to somebody who has opened the file before it was removed.
func TestLockFileIsRemoved(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.lock")
	first, err := lock(context.Background(), name, func() { t.Error("nobody has it, and it waits") })
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan *os.File)
	go func() {
		f, err := lock(context.Background(), name, func() { unlock(first) })
		if err != nil {
			t.Error(err)
		}
		second <- f
	}()
	f := <-second
	if third, err := tryLockFile(name); third != nil || err != nil {
		t.Errorf("a third one got it, too: %v, %v", third, err)
	}
	unlock(f)
	if _, err := os.Lstat(name); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}

func TestRemovedFileLocksNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.lock")
	f, err := tryLockFile(name)
	if err != nil || f == nil || !isAt(f, name) {
		t.Fatalf("%v, %v", f, err)
	}
	defer f.Close()
	if err := os.Remove(name); err != nil || isAt(f, name) {
		t.Errorf("removed, and still taken for the lock: %v", err)
	}
	if err := os.WriteFile(name, nil, 0o644); err != nil || isAt(f, name) {
		t.Errorf("another file is taken for the lock: %v", err)
	}
}
