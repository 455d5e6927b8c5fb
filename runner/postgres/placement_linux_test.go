package postgres_test

import (
	"deletecost/runner/postgres"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// place binds the calling thread, with what it starts, to one processor and a server's postmaster, with the sessions
// that begin later, to one; they are two processors when they are to be apart. It is an error when there are no two.
func place(postmaster int, apart bool) error {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return fmt.Errorf("reading the processors: %w", err)
	}
	client, server, ok := postgres.TwoOf(&allowed)
	if !ok {
		return errors.New("only one processor")
	}
	if !apart {
		client = server
	}
	if err := postgres.Bind(postmaster, server); err != nil {
		return err
	}
	return postgres.Bind(0, client)
}
