package cli

import (
	"context"

	"deletecost/runner"
	"deletecost/runner/fetch"
)

// fetchOptions say where a word's flags let files come from.
func (p *program) fetchOptions(o options) fetch.Options {
	return fetch.Options{Cache: o.cache, PGBin: o.pgBin, Mirror: o.mirror, Bundle: p.source, Progress: p.tell.fetching}
}

// fetchServer finds or fetches PostgreSQL.
func (p *program) fetchServer(ctx context.Context, r *request, version string) (fetch.Binaries, error) {
	start := p.now()
	b, err := fetch.Postgres(ctx, p.fetchOptions(r.options), version)
	if err != nil {
		return b, err
	}
	p.tell.step("PostgreSQL "+b.Version+" from "+b.Source, ": "+duration(p.now().Sub(start)))
	return b, nil
}

// fetchCharts finds or fetches ECharts. Without it a report has tables only,
// so that it cannot be had is a warning; a wrong digest is an error.
func (p *program) fetchCharts(ctx context.Context, o options) (fetch.Script, error) {
	script, err := p.findCharts(ctx, o)
	if err == nil || ctx.Err() != nil || wrongContent(err) {
		return script, err
	}
	p.noCharts(err)
	return fetch.Script{}, nil
}

// wrongContent tells errors that are no mere absence: what was found is not what it must be.
func wrongContent(err error) bool {
	return is[*fetch.DigestError](err) || is[*fetch.ArchiveError](err) || is[*fetch.BundleDamageError](err)
}

func (p *program) noCharts(err error) {
	p.tell.warn("the report has tables and no charts until deletecost report DIR can draw them: " + err.Error())
}

func (p *program) findCharts(ctx context.Context, o options) (fetch.Script, error) {
	start := p.now()
	script, err := fetch.ECharts(ctx, p.fetchOptions(o))
	if err == nil {
		p.tell.step("ECharts "+script.Version+" from "+script.Source, ": "+duration(p.now().Sub(start)))
	}
	return script, err
}

// recorded is what a record holds of a script.
func recorded(s fetch.Script) runner.Script {
	return runner.Script{Version: s.Version, Source: s.Source, Digest: s.Digest}
}
