package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// borrowed guards what a call of the library needs of the whole process: http.DefaultClient and the name of the temporary folder.
var borrowed sync.Mutex

// fetchTxz lets embedded-postgres download the archive of one version ("17.10.0") for this platform into work, and returns the file. The library is made to
// stop there: it finds no binaries, fetches the archive, and then cannot make the folder to unpack it in.
func fetchTxz(ctx context.Context, mirror, version, work string, progress func(done, total int64)) (string, error) {
	t := &transport{ctx: ctx, progress: progress}
	startErr := runLibrary(t, mirror, version, work)
	files, err := filepath.Glob(filepath.Join(escapeGlob(work), "cache", "*.txz"))
	switch {
	case t.err != nil:
		return "", t.err
	case err != nil:
		return "", err
	case len(files) != 1:
		return "", fmt.Errorf("embedded-postgres left %d archives: %w", len(files), startErr)
	}
	return files[0], nil
}

// repositoryBase is the address of the Maven repository: the mirror, or the one that embedded-postgres asks.
func repositoryBase(ctx context.Context, mirror, work string) (string, error) {
	t := &transport{ctx: ctx, refuse: true}
	err := runLibrary(t, mirror, "0.0.0", work)
	base, _, ok := strings.Cut(t.address, "/io/zonky/")
	if !ok {
		return "", fmt.Errorf("learning the address of the repository: %w", err)
	}
	return base, nil
}

// runLibrary calls Start of embedded-postgres so that all that it does happens in work. It always returns an error, which only matters when no archive was left.
func runLibrary(t *transport, mirror, version, work string) (err error) {
	blocked, err := blockedPath(work)
	if err != nil {
		return err
	}
	config := embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.PostgresVersion(version)).
		CachePath(filepath.Join(work, "cache")).
		RuntimePath(filepath.Join(work, "runtime")).
		BinariesPath(blocked).
		Port(0). // any free one: Start only tries whether it can listen
		Logger(io.Discard)
	if mirror != "" {
		if config, err = withMirror(config, mirror); err != nil {
			return err
		}
	}
	borrowed.Lock()
	defer borrowed.Unlock()
	defer borrow(t, work)()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("embedded-postgres failed: %v", p)
		}
	}()
	server := embeddedpostgres.NewDatabase(config)
	if err := server.Start(); err != nil {
		return err
	}
	return errors.Join(errors.New("embedded-postgres started a server"), server.Stop())
}

func withMirror(config embeddedpostgres.Config, mirror string) (embeddedpostgres.Config, error) {
	u, err := url.Parse(mirror)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return config, fmt.Errorf("reading the mirror %q: it is not an http or https address", mirror)
	}
	return config.BinaryRepositoryURL(strings.TrimRight(mirror, "/")), nil
}

// borrow sets the transport and the temporary folder of the process, where the library leaves a log file, and returns how to give them back.
func borrow(t *transport, work string) (giveBack func()) {
	client := http.DefaultClient.Transport
	http.DefaultClient.Transport = t
	name := "TMPDIR"
	if runtime.GOOS == "windows" {
		name = "TMP"
	}
	tmp, had := os.LookupEnv(name)
	os.Setenv(name, work)
	return func() {
		http.DefaultClient.Transport = client
		if had {
			os.Setenv(name, tmp)
		} else {
			os.Unsetenv(name)
		}
	}
}

// blockedPath is a path that does not exist and that nobody can make: below a link to nowhere, or where making links is a privilege, below a file.
func blockedPath(work string) (string, error) {
	gate := filepath.Join(work, "nowhere")
	if runtime.GOOS == "windows" {
		return filepath.Join(gate, "binaries"), os.WriteFile(gate, nil, 0o600)
	}
	return filepath.Join(gate, "binaries", "postgres"), os.Symlink(filepath.Join(work, "missing"), gate)
}
