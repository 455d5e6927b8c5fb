package fetch

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"deletecost/fixtures"
)

// BundleRoom is what a bundle of the pins, and of the newest ECharts, takes at the most, in bytes: their files as they are.
func BundleRoom(pins []fixtures.Pin) (int64, error) {
	all, err := withCharts(pins)
	if err != nil {
		return 0, err
	}
	room := int64(1 << 20) // the manifest and the headers
	for _, p := range all {
		room += p.Bytes
	}
	return room, nil
}

// WriteBundle fetches what the pins name and the newest ECharts, and writes them into one new file, which gets its name only when it is whole. Files of another
// platform come from the cache or by npm. The same pins in the same order give the same bytes. Errors are those of Postgres, of the file system for name, or
// fs.ErrExist.
func WriteBundle(ctx context.Context, opts Options, name string, pins []fixtures.Pin) error {
	all, err := withCharts(pins)
	if err != nil {
		return err
	}
	return opts.bundle(ctx, name, all)
}

// bundle writes exactly these pins.
func (o Options) bundle(ctx context.Context, name string, all []fixtures.Pin) (err error) {
	dirs := make([]string, len(all))
	for i, pin := range all {
		if dirs[i], err = o.fetched(ctx, pin); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".deletecost-*")
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	p := packing{ctx: ctx, file: f, rep: newReporter("bundle", o.Progress)}
	if err := p.all(all, dirs); err != nil {
		return err
	}
	return publish(f, name)
}

func withCharts(pins []fixtures.Pin) ([]fixtures.Pin, error) {
	set, err := fixtures.Pins()
	if err != nil {
		return nil, err
	}
	if len(set.ECharts) == 0 {
		return nil, errors.New("making a bundle: no ECharts is pinned")
	}
	return append(pins[:len(pins):len(pins)], set.ECharts[len(set.ECharts)-1]), nil
}

// fetched returns the folder of a pin in the cache.
func (o Options) fetched(ctx context.Context, pin fixtures.Pin) (string, error) {
	get := o.tree
	if pin.File != "" {
		get = o.script
	}
	f, err := get(ctx, pin)
	return f.dir, err
}

// publish gives a whole file its name, which nobody must have taken meanwhile.
func publish(f *os.File, name string) error {
	err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if _, err := os.Lstat(name); err == nil {
		return &os.PathError{Op: "create", Path: name, Err: os.ErrExist}
	}
	return os.Rename(f.Name(), name)
}

// packing writes a bundle. The manifest gets its place first and its text last, when the sizes are known.
type packing struct {
	ctx  context.Context
	file *os.File
	rep  *reporter
	at   int64 // where the next entry begins
}

func (p *packing) all(pins []fixtures.Pin, dirs []string) error {
	m := manifest{Format: bundleFormat}
	for _, pin := range pins {
		m.Entries = append(m.Entries, newMember(pin))
	}
	room, err := m.room()
	if err != nil {
		return err
	}
	p.at = tarBlock + padded(room)
	for i, pin := range pins {
		if err := p.entry(&m.Entries[i], pin, dirs[i]); err != nil {
			return fmt.Errorf("packing %s: %w", m.Entries[i], err)
		}
	}
	if err := p.manifest(m, room); err != nil {
		return err
	}
	return p.seal()
}

// entry compresses one pin behind the place of its header.
func (p *packing) entry(m *packedMember, pin fixtures.Pin, dir string) error {
	begin := p.at + tarBlock
	h := sha256.New()
	out := &counter{w: io.MultiWriter(io.NewOffsetWriter(p.file, begin), h)}
	z := gzip.NewWriter(out)
	err := p.content(z, pin, dir)
	if closeErr := z.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	m.Size, m.SHA256 = out.n, hex.EncodeToString(h.Sum(nil))
	p.at = begin + padded(m.Size)
	return p.header(m.Path, m.Size, begin-tarBlock)
}

func (p *packing) content(w io.Writer, pin fixtures.Pin, dir string) error {
	if pin.File == "" {
		t := treeWriter{packing: p, pin: pin, dir: dir}
		return t.write(w)
	}
	data, err := os.ReadFile(filepath.Join(dir, path.Base(pin.File)))
	if err != nil {
		return err
	}
	if digest(data) != pin.Digest {
		return errChanged
	}
	_, err = w.Write(data)
	return err
}

// errChanged says that a file of the cache is no longer what it was when it was verified.
var errChanged = errors.New("its files in the cache changed while they were read: try again")

func (p *packing) header(name string, size, at int64) error {
	h, err := tarHeader(name, size)
	if err != nil {
		return err
	}
	_, err = p.file.WriteAt(h, at)
	return err
}

func (p *packing) manifest(m manifest, room int64) error {
	text, err := m.text()
	if err != nil {
		return err
	}
	for int64(len(text)) < room {
		text = append(text, ' ')
	}
	if err := p.header(manifestName, room, 0); err != nil {
		return err
	}
	_, err = p.file.WriteAt(text, tarBlock)
	return err
}

func (p *packing) seal() error {
	// Where the padding of the last entry ends, the file does not reach yet.
	if err := p.file.Truncate(p.at); err != nil {
		return err
	}
	sum, err := sumOf(p.ctx, io.NewSectionReader(p.file, 0, p.at))
	if err != nil {
		return err
	}
	seal, err := sealOf(sum)
	if err != nil {
		return err
	}
	_, err = p.file.WriteAt(seal, p.at)
	return err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
