package fetch

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
)

// bundleSource is the bundle as a source of an entry; its links and its digest come from the pin as everywhere.
func (e entry) bundleSource(b *Bundle) source {
	coordinates := newMember(e.pin).Path
	return source{"bundle", coordinates, func(ctx context.Context, _, tree string) error {
		i, err := b.find(e.pin)
		if err != nil {
			return err
		}
		return b.unpack(ctx, i, e, tree)
	}}
}

// unpack gives up on the bundle, and on all that would come after it, when it no longer is what it was when it was opened.
func (b *Bundle) unpack(ctx context.Context, i int, e entry, tree string) error {
	err := e.unpackMember(ctx, b.section(i), b.members[i].Path, tree)
	if err == nil || fatal(ctx, err) || isFull(err) {
		return err
	}
	return &BundleDamageError{b.name, "holds " + b.members[i].String() + " that cannot be unpacked: " + oneLine(err.Error())}
}

func (e entry) unpackMember(ctx context.Context, r io.Reader, name, tree string) error {
	plain, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	if e.pin.File != "" {
		return e.keepFile(ctx, plain, tree)
	}
	a := archive{name: name, source: "bundle", pin: e.pin}
	return a.unpack(ctx, plain, tree, e.unpacked("bundle"))
}

// obtain gets an entry from the cache or its sources. With a bundle a cache that cannot be used is replaced by a temporary folder.
func (o Options) obtain(ctx context.Context, open func(cache string) entry, sources func(entry) []source) (found, error) {
	cache, err := o.cache()
	if err == nil {
		e := open(cache)
		var f found
		if f, err = e.get(ctx, sources(e)); err == nil {
			return f, nil
		}
	}
	var unusable *CacheError
	if o.Bundle == nil || !errors.As(err, &unusable) || ctx.Err() != nil {
		return found{}, err
	}
	folder, tempErr := o.Bundle.folder(ctx)
	if tempErr != nil {
		return found{}, tempErr
	}
	e := open(folder)
	e.rep.say("bundle", "unpacking it into a temporary folder, since the cache cannot be used")
	return e.get(ctx, sources(e))
}
