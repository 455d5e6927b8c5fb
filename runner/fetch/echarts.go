package fetch

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"deletecost/fixtures"
)

// ECharts finds or fetches the pinned chart library: in the cache, in Options.Bundle, as a webjar of the Maven repository, or by the user's npm client. Errors are those of Postgres.
func ECharts(ctx context.Context, opts Options) (Script, error) {
	pins, err := fixtures.Pins()
	if err != nil {
		return Script{}, err
	}
	if len(pins.ECharts) == 0 {
		return Script{}, fmt.Errorf("finding ECharts: nothing is pinned")
	}
	return pinnedECharts(ctx, opts, pins.ECharts[len(pins.ECharts)-1])
}

func pinnedECharts(ctx context.Context, opts Options, pin fixtures.Pin) (Script, error) {
	f, err := opts.script(ctx, pin)
	if err != nil {
		return Script{}, err
	}
	js, err := os.ReadFile(filepath.Join(f.dir, path.Base(pin.File)))
	if err == nil && digest(js) != pin.Digest {
		err = fmt.Errorf("%q changed while it was read", path.Base(pin.File))
	}
	if err != nil {
		return Script{}, &CacheError{Dir: filepath.Dir(f.dir), Err: err}
	}
	return Script{Version: pin.Version, Source: f.source, Digest: pin.Digest, JS: js}, nil
}

// script finds or fetches the chart library.
func (o Options) script(ctx context.Context, pin fixtures.Pin) (found, error) {
	ways := []string{"--bundle FILE with a bundle made elsewhere", "--pg-mirror URL for another Maven repository", "an npm client in PATH that can download",
		"--cache DIR with a cache that was filled elsewhere"}
	return o.obtain(ctx, func(cache string) entry {
		return newEntry(cache, "echarts", "ECharts "+pin.Version, pin, ways, o.Progress)
	},
		func(e entry) []source { return e.scriptSources(o) })
}

func (e entry) scriptSources(opts Options) []source {
	var sources []source
	if opts.Bundle != nil {
		sources = append(sources, e.bundleSource(opts.Bundle))
	}
	if name := e.pin.Sources["webjar"]; name != "" {
		sources = append(sources, source{"webjar", name, func(ctx context.Context, work, tree string) error {
			return e.fromWebjar(ctx, opts.Mirror, name, work, tree)
		}})
	}
	if name := e.pin.Sources["npm"]; name != "" {
		sources = append(sources, source{"npm", name, func(ctx context.Context, work, tree string) error {
			return e.fileFromNpm(ctx, name, work, tree)
		}})
	}
	return sources
}

func (e entry) fromWebjar(ctx context.Context, mirror, name, work, tree string) error {
	base, err := repositoryBase(ctx, mirror, work)
	if err != nil {
		return err
	}
	address, err := jarAddress(base, name)
	if err != nil {
		return err
	}
	e.rep.say("webjar", "downloading "+name)
	d, err := get(ctx, address, e.bytes("webjar", "downloading"))
	if err != nil {
		return err
	}
	z, err := openJar(d, redacted(address))
	if err != nil {
		return err
	}
	parts := strings.Split(name, ":")
	return e.copyMember(ctx, z, path.Join("META-INF/resources/webjars", parts[1], parts[2], e.pin.File), tree)
}

// jarAddress is where a Maven repository has the jar of group:artifact:version.
func jarAddress(base, name string) (string, error) {
	parts := strings.Split(name, ":")
	if len(parts) != 3 {
		return "", fmt.Errorf("reading %q: want group:artifact:version", name)
	}
	group, artifact, version := strings.ReplaceAll(parts[0], ".", "/"), parts[1], parts[2]
	return fmt.Sprintf("%s/%s/%s/%s/%s-%s.jar", base, group, artifact, version, artifact, version), nil
}

func (e entry) copyMember(ctx context.Context, z *zip.Reader, member, tree string) error {
	r, err := z.Open(member)
	if err != nil {
		return fmt.Errorf("reading the jar: %w", err)
	}
	defer r.Close()
	return e.keepFile(ctx, r, tree)
}

// keepFile writes the one wanted file, which cannot be larger than its pin says.
func (e entry) keepFile(ctx context.Context, r io.Reader, tree string) error {
	w, err := os.OpenFile(filepath.Join(tree, path.Base(e.pin.File)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	_, err = io.Copy(cacheWriter{w, e.cache}, &boundedReader{ctx, r, e.pin.Bytes, errTooLarge})
	if chmodErr := w.Chmod(0o644); err == nil && chmodErr != nil {
		err = &CacheError{Dir: e.cache, Err: chmodErr} // whatever the umask is, as in makeFolders
	}
	if closeErr := w.Close(); err == nil && closeErr != nil {
		err = &CacheError{Dir: e.cache, Err: closeErr}
	}
	return readError(ctx, err)
}
