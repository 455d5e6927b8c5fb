package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/xi2/xz"

	"deletecost/fixtures"
)

// archive is a tar file that claims to hold what a pin describes.
type archive struct {
	name   string // the package at its source, for messages
	source string
	prefix string // of the entries that are wanted: "" or "package/native/"
	pin    fixtures.Pin
}

// slack is what an archive may hold besides the pinned bytes: headers, padding, a package's own text files.
const slack = 32 << 20

// unpackTxz unpacks an xz-compressed tar file.
func (a archive) unpackTxz(ctx context.Context, file, dir string, done func(int64)) error {
	return a.unpackFile(ctx, file, dir, done, func(r io.Reader) (io.Reader, error) { return xz.NewReader(r, 0) })
}

// unpackTgz unpacks a gzip-compressed tar file.
func (a archive) unpackTgz(ctx context.Context, file, dir string, done func(int64)) error {
	return a.unpackFile(ctx, file, dir, done, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
}

func (a archive) unpackFile(ctx context.Context, file, dir string, done func(int64), decompress func(io.Reader) (io.Reader, error)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := decompress(f)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	return a.unpack(ctx, plain, dir, done)
}

// unpack unpacks a plain tar file.
func (a archive) unpack(ctx context.Context, plain io.Reader, dir string, done func(int64)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return &CacheError{Dir: dir, Err: err}
	}
	defer root.Close()
	u := unpacking{archive: a, root: root, taken: map[string]bool{}, done: done}
	return u.all(ctx, &boundedReader{ctx: ctx, r: plain, left: a.pin.Bytes + slack, over: a.broken("", "is larger than its pin allows")})
}

func (a archive) broken(entry, reason string) error {
	return &ArchiveError{File: a.name, Source: a.source, Entry: entry, Reason: reason}
}

// unpacking is the state of one pass through an archive.
type unpacking struct {
	archive
	root    *os.Root        // nothing can be written outside of it, whatever a name says
	taken   map[string]bool // every path written: true for files, false for folders
	entries int
	files   int
	bytes   int64
	done    func(int64)
}

func (u *unpacking) all(ctx context.Context, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return readError(ctx, err)
		}
		if err := u.entry(h, t); err != nil {
			return readError(ctx, err)
		}
	}
}

// readError keeps the errors that have a meaning of their own and explains the others.
func readError(ctx context.Context, err error) error {
	if err == nil || fatal(ctx, err) {
		return err
	}
	return fmt.Errorf("reading the archive: %w", err)
}

func (u *unpacking) entry(h *tar.Header, r io.Reader) error {
	if u.entries++; u.entries > 2*(u.pin.Files+len(u.pin.Links))+1000 {
		return u.broken("", "has more entries than its pin allows")
	}
	name, err := u.safeName(h.Name)
	if err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeDir:
	case tar.TypeSymlink, tar.TypeXGlobalHeader:
		return nil // the links that we make come from the pin
	default:
		return u.broken(h.Name, fmt.Sprintf("has type %q, which is neither a file nor a folder", h.Typeflag))
	}
	inside, ok := strings.CutPrefix(name+"/", u.prefix)
	inside = strings.TrimSuffix(inside, "/")
	if top, _, _ := strings.Cut(inside, "/"); !ok || !slices.Contains(roots, top) {
		return nil
	}
	if h.Typeflag == tar.TypeDir {
		return u.folder(inside)
	}
	return u.file(inside, h.Size, r)
}

// safeName refuses the names that would leave the folder, also those that only another system would follow.
func (u *unpacking) safeName(name string) (string, error) {
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if clean == "" {
		clean = "."
	}
	if !fs.ValidPath(clean) || strings.ContainsAny(clean, "\\:\x00") {
		return "", u.broken(name, "has a name that could lead outside of its folder")
	}
	return clean, nil
}

func (u *unpacking) folder(name string) error {
	for dir := range parents(name) {
		isFile, exists := u.taken[dir]
		if isFile {
			return u.broken(name, "lies below a file")
		}
		if exists {
			continue
		}
		u.taken[dir] = false
		if err := u.makeFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacking) makeFolder(dir string) error {
	err := u.root.Mkdir(dir, 0o755)
	if err == nil {
		err = u.root.Chmod(dir, 0o755) // the umask may have taken away what the server's account needs
	}
	if err != nil {
		return &CacheError{Dir: u.root.Name(), Err: err}
	}
	return nil
}

// parents yields a path and all above it, the outermost first.
func parents(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i <= len(name); i++ {
			if (i == len(name) || name[i] == '/') && !yield(name[:i]) {
				return
			}
		}
	}
}

func (u *unpacking) file(name string, size int64, r io.Reader) error {
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	if _, exists := u.taken[name]; exists {
		return u.broken(name, "comes twice")
	}
	u.taken[name] = true
	if u.files++; u.files > u.pin.Files {
		return u.broken(name, fmt.Sprintf("is more than the %d files that its pin allows", u.pin.Files))
	}
	if size > u.pin.Bytes-u.bytes {
		return u.broken(name, fmt.Sprintf("goes beyond the %d bytes that its pin allows", u.pin.Bytes))
	}
	u.bytes += size
	if err := u.write(name, r); err != nil {
		return err
	}
	u.done(u.bytes)
	return nil
}

func (u *unpacking) write(name string, r io.Reader) error {
	f, err := u.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return &CacheError{Dir: u.root.Name(), Err: err}
	}
	_, err = io.Copy(cacheWriter{f, u.root.Name()}, r)
	if chmodErr := f.Chmod(fileMode(name)); err == nil && chmodErr != nil {
		err = &CacheError{Dir: u.root.Name(), Err: chmodErr}
	}
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = &CacheError{Dir: u.root.Name(), Err: closeErr}
	}
	return err
}

// fileMode is the permission of an unpacked file; what an archive says about it is not used.
func fileMode(name string) fs.FileMode {
	if executable(name) {
		return 0o755
	}
	return 0o644
}
