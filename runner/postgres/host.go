// Package postgres runs PostgreSQL servers of the tool's own: it initialises, starts, supervises and stops them.
// No server outlives the tool, whichever way the tool ends, and two tools on one machine never meet.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
)

// Superuser is the role that initdb creates and that every connection of the tool uses.
const Superuser = "deletecost"

// Config says which binaries a Host runs and which folders it may use.
type Config struct {
	// Binaries is the folder of one PostgreSQL version: bin/ in it, or the folder itself, holds postgres and initdb.
	Binaries string
	// Version is the exact version expected of the binaries, such as "17.10". Empty: what the binary says is taken.
	Version string
	// Cache is the folder below which ready clusters are kept between runs, in clusters/. Empty or not writable:
	// they are made anew in the run folder.
	Cache string
	// TempDir is the folder in which the run folder is made. Empty: the system's temporary folder.
	TempDir string
	// Log takes what all servers write to their standard error; each line starts with the server's name. Nil: dropped.
	Log io.Writer
	// Keep leaves the run folder behind when the Host closes, and takes it out of later sweeps.
	Keep bool
	// Elsewhere is the next step for a user whose binaries lie where the servers' account cannot reach or run them; it ends
	// that error. Empty: another --cache DIR.
	Elsewhere string

	guarding guarding                              // nil: systemGuard
	listen   func(folder string) (endpoint, error) // nil: systemEndpoint
}

func (c Config) elsewhere() string {
	if c.Elsewhere == "" {
		return "choose another folder for the binaries with --cache DIR"
	}
	return c.Elsewhere
}

// Host owns one run folder and the servers in it. Its methods may be called at the same time.
type Host struct {
	// Version is the exact version of the binaries, such as "17.10".
	Version string
	// Folder is the run folder: sockets and data of every server, 0700.
	Folder string
	// Swept are the run folders of dead runs that Open removed.
	Swept []string

	config  Config
	account account
	bin     string // folder of postgres and initdb
	run     *runFolder
	store   string // folder of ready clusters
	log     *sharedLog

	mu       sync.Mutex
	servers  []*Server
	made     int            // counts folders, so that each name is used once
	closing  chan struct{}  // closed by Close and Quit: nothing starts any more
	starting sync.WaitGroup // Starts that have not returned
}

// errClosed is what Start answers once Close or Quit was called.
var errClosed = errors.New("the servers of this run are being stopped")

// Open sweeps what dead runs left, makes the run folder and asks the binaries for their version under the account
// that servers will have. What the machine lacks is an *EnvironmentError.
func Open(ctx context.Context, config Config) (*Host, error) {
	h := &Host{closing: make(chan struct{}), log: &sharedLog{out: config.Log}}
	var err error
	if h.config, err = absolute(config); err != nil {
		return nil, err
	}
	if h.bin, err = binFolder(h.config.Binaries); err != nil {
		return nil, err
	}
	var parent string
	if h.account, parent, err = h.config.survey(h.bin); err != nil {
		return nil, err
	}
	h.Swept = sweep(parent, h.account)
	if h.run, err = makeRunFolder(parent, h.account); err != nil {
		return nil, err
	}
	h.Folder = h.run.path
	if h.Version, err = h.probe(ctx); err != nil {
		return nil, errors.Join(err, h.run.remove())
	}
	h.store = h.readyStore()
	return h, nil
}

// Check says before there are binaries what Open would say of this machine: of the servers' account, the limit of open
// files, the temporary folder, and whether the account reaches it and the folder that Config.Binaries names, which need
// not exist yet. What the machine lacks is an *EnvironmentError.
func Check(config Config) error {
	config, err := absolute(config)
	if err == nil {
		_, _, err = config.survey(config.Binaries)
	}
	return err
}

// survey finds the servers' account and the folder for run folders. The account must reach that and the programs' folder.
func (c Config) survey(programs string) (who account, parent string, err error) {
	if who, err = serverAccount(); err != nil {
		return who, "", err
	}
	if err := raiseFileLimit(); err != nil {
		return who, "", err
	}
	if parent, err = tempFolder(c.TempDir); err != nil {
		return who, "", err
	}
	if err := who.reach(parent, remedyOpen); err != nil || programs == "" {
		return who, parent, err
	}
	return who, parent, who.reach(programs, c.elsewhere())
}

// absolute resolves the folders against the working directory, since servers have another one.
func absolute(c Config) (Config, error) {
	for _, folder := range []*string{&c.Binaries, &c.Cache, &c.TempDir} {
		if *folder == "" {
			continue
		}
		path, err := filepath.Abs(*folder)
		if err != nil {
			return c, fmt.Errorf("finding folder %q: %w", *folder, err)
		}
		*folder = path
	}
	return c, nil
}

// begin registers a Start; the context that it returns also ends when the Host closes. The caller must call end.
func (h *Host) begin(ctx context.Context) (_ context.Context, end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.closing:
		return nil, nil, errClosed
	default:
	}
	ctx, cancel := context.WithCancelCause(ctx)
	h.starting.Add(1)
	go func() {
		select {
		case <-h.closing:
			cancel(errClosed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); h.starting.Done() }, nil
}

// newFolder returns a path in the run folder that was never used before, starting with prefix.
func (h *Host) newFolder(prefix string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made++
	return filepath.Join(h.Folder, fmt.Sprintf("%s%d", prefix, h.made))
}

// refuse ends all Starts under way and lets no other begin. It returns the servers that run.
func (h *Host) refuse() []*Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.closing:
	default:
		close(h.closing)
	}
	return slices.Clone(h.servers)
}

// Keeps says whether the run folder stays when the Host closes.
func (h *Host) Keeps() bool { return h.config.Keep }

// Close stops every server as Server.Stop does, all at once, and removes the run folder unless Config.Keep is set.
// A primary waits for its standbys to take its last WAL, or to go: as they stop as well, it does not wait in vain. It may
// be called again.
func (h *Host) Close() error {
	h.refuse()
	h.starting.Wait()
	servers := h.refuse()
	errs := make([]error, len(servers))
	var stops sync.WaitGroup
	for i, s := range servers {
		stops.Go(func() { errs[i] = s.Stop(context.Background()) })
	}
	stops.Wait()
	if h.config.Keep {
		return errors.Join(append(errs, h.run.keep())...)
	}
	return errors.Join(append(errs, h.run.remove())...)
}

// Quit ends every server at once (SIGQUIT, an immediate shutdown) without waiting and lets none start: what a second
// Ctrl-C asks for. A Close that is waiting returns soon after; Close is still needed.
func (h *Host) Quit() {
	for _, s := range h.refuse() {
		s.quit()
	}
}
