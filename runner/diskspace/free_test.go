package diskspace

import "testing"

func TestFree(t *testing.T) {
	if n, err := Free(t.TempDir()); err != nil || n <= 0 {
		t.Errorf("%d bytes free where a file can be written: %v", n, err)
	}
	if _, err := Free("/no/such/folder"); err == nil {
		t.Error("a folder that is not there has no free space to tell")
	}
}
