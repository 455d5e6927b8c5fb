package archive

import (
	"context"
	"fmt"
	"io"
)

// WriteVerdict verifies an archive and writes what it found: a line for each
// fault, which names the file, or one line for an archive that is sound. With
// faults it returns an error that counts them.
func WriteVerdict(ctx context.Context, dir string, out io.Writer) error {
	report, faults, err := VerifyContext(ctx, dir)
	if err != nil {
		return err
	}
	for _, f := range faults {
		if _, err := fmt.Fprintln(out, f); err != nil {
			return fmt.Errorf("writing faults: %w", err)
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("archive %q: %s found: take these files from another copy, or archive again if the tables are still there", dir, count(len(faults), "fault"))
	}
	_, err = fmt.Fprintf(out, "sound: %s, %s, %s, %d bytes (%d before compression)\n",
		count(report.Tables, "table"), count(report.Parts, "part"), count(report.Rows, "row"), report.Bytes, report.RawBytes)
	return err
}

func count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
