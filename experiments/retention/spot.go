package retention

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"deletecost/experiments/retention/archive"
	"deletecost/runner/stat"
)

// spots is how many parts the source looked at.
const spots = 6

// A spotCheck is what a look at random parts found.
type spotCheck struct {
	parts, wrong int
}

// passed says whether a part was looked at and none was wrong.
func (s spotCheck) passed() bool { return s.parts > 0 && s.wrong == 0 }

// spotCheck decompresses six random parts with the standard library, counts
// their lines and compares both digests with the manifest, as the source did.
func (b *bench) spotCheck(dir string, r *retired) (spotCheck, error) {
	var all []archive.Part
	for _, t := range r.outcome.Manifest.Tables {
		all = append(all, t.Parts...)
	}
	var found spotCheck
	order := stat.Order(b.lab.Rand("spots/"+r.name), len(all))
	for _, i := range order[:min(spots, len(all))] {
		ok, err := asManifest(dir, all[i])
		if err != nil {
			return found, err
		}
		found.parts++
		if !ok {
			found.wrong++
		}
	}
	return found, nil
}

// asManifest says whether a part has the lines and the digests that the
// manifest has of it. A part that cannot be decompressed has not.
func asManifest(dir string, p archive.Part) (bool, error) {
	file, err := os.Open(filepath.Join(dir, p.File))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("checking a part: %w", err)
	}
	defer file.Close()
	packed, raw := sha256.New(), sha256.New()
	in := io.TeeReader(file, packed)
	unzip, err := gzip.NewReader(bufio.NewReader(in))
	if err != nil {
		return false, nil
	}
	lines, err := countLines(io.TeeReader(unzip, raw))
	if err != nil {
		return false, nil
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return false, fmt.Errorf("checking a part: %w", err)
	}
	return lines == p.Rows && hex.EncodeToString(packed.Sum(nil)) == p.SHA256 && hex.EncodeToString(raw.Sum(nil)) == p.RawSHA256, nil
}

// countLines counts line breaks.
func countLines(r io.Reader) (n int64, err error) {
	buffer := make([]byte, 64<<10)
	for {
		got, err := r.Read(buffer)
		for _, c := range buffer[:got] {
			if c == '\n' {
				n++
			}
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
