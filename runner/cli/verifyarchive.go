package cli

import (
	"context"
	"os"
)

// verifyArchive is the word verify-archive: faults go to standard output, a
// line each, and their number is the error.
func (p *program) verifyArchive(ctx context.Context, args []string) error {
	names, err := parse(newFlags(), args, p.getenv)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return usagef("verify-archive takes one archive folder, not %d: deletecost verify-archive DIR", len(names))
	}
	if names[0] == "" {
		return usagef("verify-archive takes the name of a folder, which is empty: deletecost verify-archive DIR")
	}
	if _, err := os.ReadDir(names[0]); err != nil {
		return usagef("%q cannot be read as an archive folder: %v: name the folder that holds manifest.json", names[0], reason(err))
	}
	return p.verify(ctx, names[0], p.stdout)
}
