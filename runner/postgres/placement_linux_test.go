package postgres_test

import (
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
	var processors []int
	for i := 0; len(processors) < 2 && i < len(allowed)*64; i++ {
		if allowed.IsSet(i) {
			processors = append(processors, i)
		}
	}
	if len(processors) < 2 {
		return fmt.Errorf("only %d processor", len(processors))
	}
	client, server := processors[0], processors[1]
	if !apart {
		client = server
	}
	if err := bind(postmaster, server); err != nil {
		return err
	}
	return bind(0, client)
}

func bind(pid, processor int) error {
	var only unix.CPUSet
	only.Set(processor)
	if err := unix.SchedSetaffinity(pid, &only); err != nil {
		return fmt.Errorf("binding process %d to processor %d: %w", pid, processor, err)
	}
	return nil
}
