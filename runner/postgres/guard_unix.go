//go:build unix

package postgres

import "os"

// unwatched is the guard of a child that the system itself ends, or that soon ends by itself.
type unwatched struct{}

func (unwatched) watch(*os.Process) error { return nil }
func (unwatched) release()                {}
