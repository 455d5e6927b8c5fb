package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

func TestBoundedReader(t *testing.T) {
	for left, want := range map[int64]error{5: nil, 4: errTooLarge, 0: errTooLarge} {
		r := &boundedReader{context.Background(), bytes.NewReader([]byte("12345")), left, errTooLarge}
		if _, err := io.ReadAll(r); !errors.Is(err, want) {
			t.Errorf("5 bytes where %d are allowed: %v, want %v", left, err, want)
		}
	}
}
