package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// readyCluster is a stopped cluster that servers are copied from: a folder with data/ and the file seal, which is
// written last. It belongs to the tool's own user.
type readyCluster struct {
	path string
}

// seal is what the file of that name holds: the checksum of data/ as copyTree computes it, and the superuser's password.
type seal struct {
	sum      uint32
	password string
}

const sealFormat = "deletecost ready cluster 2\n%08x\n%s\n"

// readyStore is the folder of ready clusters: in the cache if that can be written, else in the run folder.
func (h *Host) readyStore() string {
	if h.config.Cache != "" {
		store := filepath.Join(h.config.Cache, "clusters")
		if writable(store) {
			return store
		}
	}
	return h.runStore()
}

// runStore is the folder of ready clusters that lasts for this run only.
func (h *Host) runStore() string { return filepath.Join(h.Folder, "clusters") }

// writable tells whether a folder exists, or can be made, and takes files.
func writable(folder string) bool {
	if os.MkdirAll(filepath.Dir(folder), 0o755) != nil || os.MkdirAll(folder, 0o700) != nil {
		return false
	}
	file, err := os.CreateTemp(folder, ".try-")
	if err != nil {
		return false
	}
	return errors.Join(file.Close(), os.Remove(file.Name())) == nil
}

// prepare makes the data directory of a server from the ready cluster, which is made first if it is missing or damaged.
// It returns the superuser's password. One tool at a time works on one ready cluster.
func (h *Host) prepare(ctx context.Context, data string, checksums bool) (password string, took StartedIn, err error) {
	options, err := initdbOptions(h.Version, checksums)
	if err != nil {
		return "", took, err
	}
	key, err := h.readyKey(options)
	if err != nil {
		return "", took, err
	}
	if err := os.MkdirAll(h.store, 0o700); err != nil {
		return "", took, fmt.Errorf("making the folder of ready clusters: %w", err)
	}
	ready := readyCluster{path: filepath.Join(h.store, key)}
	lock, err := lockFile(ctx, ready.path+".lock")
	if err != nil {
		return "", took, err
	}
	defer lock.Close()
	begun := time.Now()
	if password, err = ready.copyTo(ctx, data, h.account); err == nil {
		took.Copy = time.Since(begun)
		return password, took, nil
	}
	if ctx.Err() != nil {
		return "", took, context.Cause(ctx)
	}
	if isFull(err) { // then the ready cluster is not to blame
		return "", took, err
	}
	if err := os.RemoveAll(data); err != nil {
		return "", took, err
	}
	return h.makeReady(ctx, ready, data, options)
}

// readyKey names a ready cluster by all that decides what is in it: version, programs, options, and our changes.
func (h *Host) readyKey(options []string) (string, error) {
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\x00%q\x00%s\x00", h.Version, options, include)
	for _, name := range []string{"initdb", "postgres"} {
		file, err := os.Open(h.program(name))
		if err != nil {
			return "", fmt.Errorf("reading the binaries: %w", err)
		}
		_, err = io.Copy(digest, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return "", fmt.Errorf("reading the binaries: %w", err)
		}
	}
	return fmt.Sprintf("%s-%x", h.Version, digest.Sum(nil)[:8]), nil
}

// makeReady makes a new cluster at data with initdb and keeps a copy of it as the ready cluster.
func (h *Host) makeReady(ctx context.Context, ready readyCluster, data string, options []string) (password string, took StartedIn, err error) {
	begun := time.Now()
	if password, err = h.initdb(ctx, data, options); err != nil {
		return "", took, err
	}
	took.Initdb = time.Since(begun)
	begun = time.Now()
	if err := ready.copyFrom(ctx, data, password); err != nil {
		if h.store != h.runStore() {
			err = fullDisk(err, h.store, remedyCache)
		}
		return "", took, err
	}
	took.Copy = time.Since(begun)
	return password, took, nil
}

// copyTo copies the ready cluster to data for the account. A missing or damaged one is an error.
func (r readyCluster) copyTo(ctx context.Context, data string, who account) (password string, err error) {
	text, err := os.ReadFile(filepath.Join(r.path, "seal"))
	if err != nil {
		return "", err
	}
	var want seal
	if _, err := fmt.Sscanf(string(text), sealFormat, &want.sum, &want.password); err != nil {
		return "", fmt.Errorf("reading the seal of %q: %w", r.path, err)
	}
	sum, err := copyTree(ctx, filepath.Join(r.path, "data"), data, who.own)
	if err != nil {
		return "", err
	}
	if sum != want.sum {
		return "", fmt.Errorf("ready cluster %q is damaged", r.path)
	}
	return want.password, nil
}

// copyFrom replaces the ready cluster with a copy of data. It gets its name when it is complete; a half one that a dead
// tool left is removed.
func (r readyCluster) copyFrom(ctx context.Context, data, password string) error {
	half := r.path + ".half"
	if err := errors.Join(os.RemoveAll(r.path), os.RemoveAll(half)); err != nil {
		return fmt.Errorf("removing an old ready cluster: %w", err)
	}
	err := os.Mkdir(half, 0o700)
	if err == nil {
		err = seal{password: password}.fill(ctx, half, data)
	}
	if err == nil {
		err = os.Rename(half, r.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keeping a ready cluster: %w", err), os.RemoveAll(half))
	}
	return nil
}

// fill copies data into the folder of a ready cluster and seals it.
func (s seal) fill(ctx context.Context, folder, data string) (err error) {
	s.sum, err = copyTree(ctx, data, filepath.Join(folder, "data"), func(string) error { return nil })
	if err != nil {
		return err
	}
	text := fmt.Sprintf(sealFormat, s.sum, s.password)
	return os.WriteFile(filepath.Join(folder, "seal"), []byte(text), 0o600)
}
