//go:build !linux

package postgres_test

import "errors"

// place would bind client and server to processors.
func place(int, bool) error { return errors.New("only on Linux") }
