package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A Report says what was read of an archive.
type Report struct {
	Tables   int   // of the manifest
	Parts    int   // that were read to their end
	Rows     int64 // that were read, over all parts
	RawBytes int64 // that were read, over all parts, before compression
	Bytes    int64 // that were read, over all part files
}

// Verify reads a whole archive and returns what is wrong with it, in the order
// of the manifest. It needs no server and 2 MiB a processor, and room for the
// longest line. An error says that the folder cannot be read at all.
func Verify(dir string) (Report, []Fault, error) {
	return VerifyContext(context.Background(), dir)
}

// VerifyContext is Verify until the context ends; the error is the context's
// then, and the faults are those that were found so far.
func VerifyContext(ctx context.Context, dir string) (Report, []Fault, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Report{}, nil, fmt.Errorf("reading archive folder %q: %w", dir, err)
	}
	m, faults := checkManifest(dir)
	if m == nil {
		return Report{}, faults, nil
	}
	report, more := verifyParts(ctx, dir, m)
	faults = append(faults, more...)
	return report, append(faults, extraFiles(entries, m)...), ctx.Err()
}

// verifyParts reads the parts of all tables, as many at a time as there are
// processors.
func verifyParts(ctx context.Context, dir string, m *Manifest) (Report, []Fault) {
	type job struct {
		table *TableManifest
		part  Part
		sum   partSum
		fault []Fault
	}
	var jobs []*job
	for i := range m.Tables {
		for _, p := range m.Tables[i].Parts {
			jobs = append(jobs, &job{table: &m.Tables[i], part: p})
		}
	}
	next := make(chan *job)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		workers.Go(func() {
			for j := range next {
				j.sum, j.fault = verifyPart(dir, j.table, j.part, m, unpaced)
			}
		})
	}
	for _, j := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- j
	}
	close(next)
	workers.Wait()
	report, faults := Report{Tables: len(m.Tables)}, []Fault(nil)
	digests, sound := map[*TableManifest]*rowDigest{}, map[*TableManifest]bool{}
	for i := range m.Tables {
		digests[&m.Tables[i]], sound[&m.Tables[i]] = &rowDigest{}, ctx.Err() == nil
	}
	for _, j := range jobs {
		report.add(j.sum)
		faults = append(faults, j.fault...)
		digests[j.table].merge(j.sum.digest)
		sound[j.table] = sound[j.table] && len(j.fault) == 0
	}
	for i := range m.Tables { // that parts with a fault have another digest is no news
		t := &m.Tables[i]
		if what := digests[t].compare(t); what != "" && sound[t] {
			faults = append(faults, Fault{ManifestName, what})
		}
	}
	return report, faults
}

func (r *Report) add(s partSum) {
	if s.whole {
		r.Parts++
	}
	r.Rows += s.rows
	r.RawBytes += s.rawBytes
	r.Bytes += s.bytes
}

// extraFiles names what an archive does not hold. Missing parts are told by
// reading them.
func extraFiles(entries []os.DirEntry, m *Manifest) []Fault {
	known := map[string]bool{ManifestName: true, SumName: true, MarkerName: true}
	for _, t := range m.Tables {
		for _, p := range t.Parts {
			known[p.File] = true
		}
	}
	var faults []Fault
	for _, e := range entries {
		switch {
		case known[e.Name()]:
		case strings.HasSuffix(e.Name(), TempSuffix):
			faults = append(faults, Fault{e.Name(), "is left over from a file that was never complete"})
		default:
			faults = append(faults, Fault{e.Name(), "is not in the manifest"})
		}
	}
	return faults
}

// Rehash reads the files of an archive's parts once more and compares their
// sizes and SHA-256 with a manifest that was verified before. Nothing is
// decompressed.
func Rehash(dir string, m *Manifest) []Fault {
	var faults []Fault
	for i := range m.Tables {
		for _, p := range m.Tables[i].Parts {
			faults = append(faults, rehashPart(dir, p, m)...)
		}
	}
	return faults
}

func rehashPart(dir string, p Part, m *Manifest) []Fault {
	f, err := openPart(dir, p)
	if err != nil {
		return []Fault{unreadable(p, err)}
	}
	defer f.close()
	if err := f.drain(); err != nil {
		return []Fault{unreadable(p, err)}
	}
	return f.compareFile(m)
}

// unreadable is the fault of a file that cannot be opened or read.
func unreadable(p Part, err error) Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return Fault{p.File, "is missing"}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return Fault{p.File, fmt.Sprintf("cannot be read: %v", err)}
}

// partPath is the path of a part's file, which must not lie in another folder.
func partPath(dir string, p Part) (string, error) {
	if p.File == "" || p.File != filepath.Base(p.File) || strings.ContainsAny(p.File, `/\`) {
		return "", errors.New("its name is none of a file in this folder")
	}
	return filepath.Join(dir, p.File), nil
}
