package fetch

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"deletecost/fixtures"
)

// Bundle is a file with the downloads of one or more platforms, which was whole when it was opened. It also keeps the temporary folder that is used where the
// cache cannot be.
type Bundle struct {
	name    string // as given
	file    *os.File
	members []packedMember
	at      []int64 // where each member begins in the file
	scratch *scratch
	kept    bool
}

// OpenBundle opens a bundle and compares all of it with its seal. Errors: *BundleError when the file is none, *BundleDamageError when it was one, or the cause
// of ctx.
func OpenBundle(ctx context.Context, name string) (*Bundle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &BundleError{File: name, Reason: "cannot be read: " + pathless(err)}
	}
	b := &Bundle{name: name, file: f}
	if err := b.check(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

// pathless is an error of the file system without the name, which the message has.
func pathless(err error) string {
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return bad.Err.Error()
	}
	return err.Error()
}

func (b *Bundle) check(ctx context.Context) error {
	info, err := b.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return &BundleError{File: b.name, Reason: "is not a file"}
	}
	size := info.Size()
	if !looksBegun(b.file) && !looksSealed(b.file, size) {
		return &BundleError{File: b.name, Reason: "is not a bundle of deletecost"}
	}
	room, m, broken := readManifest(b.file, size)
	if broken == nil && m.Format == bundleFormat && m.whole(room) != size {
		return &BundleDamageError{b.name, fmt.Sprintf("has %d bytes of %d", size, m.whole(room))}
	}
	sealed, err := isSealed(ctx, b.file, size)
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("reading bundle %q: %w", b.name, context.Cause(ctx))
	case err != nil:
		return &BundleError{File: b.name, Reason: "cannot be read: " + pathless(err)}
	case sealed && broken != nil:
		return &BundleError{File: b.name, Reason: "has a manifest that cannot be read: " + broken.Error()}
	case sealed && m.Format != bundleFormat:
		return &BundleError{File: b.name, Reason: fmt.Sprintf("has format %d, and this release reads format %d", m.Format, bundleFormat)}
	case broken != nil || m.Format != bundleFormat:
		return &BundleDamageError{b.name, "has a manifest that is not as it was written"}
	}
	b.members, b.at = m.Entries, m.offsets(room)
	if !sealed {
		return &BundleDamageError{b.name, b.findDamage(ctx)}
	}
	return nil
}

// readManifest reads the first entry, whose header says how large it is.
func readManifest(r io.ReaderAt, size int64) (room int64, m manifest, err error) {
	header := make([]byte, tarBlock)
	if _, err := r.ReadAt(header, 0); err != nil {
		return 0, m, err
	}
	if _, err := fmt.Sscanf(string(header[124:135]), "%o", &room); err != nil || room <= 0 || room > min(maxManifest, size) {
		return 0, m, errors.New("its size is unknown")
	}
	want, err := tarHeader(manifestName, room)
	if err != nil || !bytes.Equal(header, want) {
		return 0, m, errors.New("its header is not one of a bundle")
	}
	text := make([]byte, room)
	if _, err := r.ReadAt(text, tarBlock); err != nil {
		return 0, m, err
	}
	m, err = parseManifest(text)
	return room, m, err
}

// offsets are where the contents of the entries begin.
func (m manifest) offsets(room int64) []int64 {
	var offsets []int64
	at := tarBlock + padded(room)
	for _, e := range m.Entries {
		offsets = append(offsets, at+tarBlock)
		at += tarBlock + padded(e.Size)
	}
	return offsets
}

// findDamage names the entry that is not as it was written.
func (b *Bundle) findDamage(ctx context.Context) string {
	for i, m := range b.members {
		sum, err := sumOf(ctx, b.section(i))
		if err != nil || hex.EncodeToString(sum) != m.SHA256 {
			return fmt.Sprintf("holds %s (%q) with another content than was written", m, m.Path)
		}
	}
	return "is not as it was written, outside of what it holds"
}

func (b *Bundle) section(i int) *io.SectionReader {
	return io.NewSectionReader(b.file, b.at[i], b.members[i].Size)
}

// Check tells whether the bundle holds the PostgreSQL that a version word names on this machine; the error is a *BundleError. A word or a machine that nothing is
// pinned for is not its matter.
func (b *Bundle) Check(version string) error {
	pins, err := fixtures.Pins()
	if err != nil {
		return err
	}
	pin, ok := pins.Postgres(version, platform())
	if !ok {
		return nil
	}
	_, err = b.find(pin)
	return err
}

// find returns the index of a pin's member.
func (b *Bundle) find(pin fixtures.Pin) (int, error) {
	wanted := newMember(pin)
	var held []string
	for i, m := range b.members {
		if !m.is(wanted) {
			held = append(held, m.String())
			continue
		}
		if m.Digest != pin.Digest {
			return 0, &BundleError{File: b.name, Reason: fmt.Sprintf("holds %s as another release pins it (digest %.12s, here %.12s)", m, m.Digest, pin.Digest), Flags: flagsFor(pin)}
		}
		return i, nil
	}
	return 0, &BundleError{b.name, fmt.Sprintf("does not hold %s, only %s", wanted, strings.Join(held, ", ")), flagsFor(pin)}
}

// flagsFor are what the word bundle needs to put a pin into one.
func flagsFor(pin fixtures.Pin) string {
	if pin.File != "" {
		return ""
	}
	return " --pg " + pin.Version + " --platform " + pin.Platform
}

// Close removes the temporary folder of the bundle, if there is one and it is not kept. It may be called again, and on nil.
func (b *Bundle) Close() error {
	if b == nil {
		return nil
	}
	b.file.Close()
	if b.kept {
		b.scratch.keep()
		return nil
	}
	return b.scratch.remove()
}

// Instead is the temporary folder that stands for the cache in this run, or "" while the cache is used. It may be called on nil.
func (b *Bundle) Instead() string {
	if b == nil || b.scratch == nil {
		return ""
	}
	return b.scratch.dir
}

// Keep lets Close leave the temporary folder behind; it is for servers whose files are kept.
func (b *Bundle) Keep() { b.kept = true }
