package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"deletecost/runner/waiting"
)

// include is appended to postgresql.conf. Later lines win there, and ALTER SYSTEM wins over them.
const include = "\ninclude '" + settingsFile + "'\n"

// initdbOptions are what a new cluster is made with, apart from its folder and password. No fsync: a cluster does not
// outlive its run, and the copy that is kept is compared with its checksum whenever it is used.
func initdbOptions(version string, checksums bool) ([]string, error) {
	options := []string{
		"--username=" + Superuser, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--locale-provider=libc",
		"--no-instructions", "--no-sync",
	}
	major, err := majorVersion(version)
	if err != nil {
		return nil, err
	}
	switch {
	case checksums:
		options = append(options, "--data-checksums")
	case major >= 18: // off was the default before, and there was no word for it
		options = append(options, "--no-data-checksums")
	}
	return options, nil
}

// majorVersion is the number before the first point, or before letters as in "19beta1".
func majorVersion(version string) (int, error) {
	digits := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(version)
	}
	major, err := strconv.Atoi(version[:digits])
	if err != nil {
		return 0, fmt.Errorf("reading the major version of %q: %w", version, err)
	}
	return major, nil
}

// initdb makes a new cluster at data, in the run folder, and returns the password of its superuser.
func (h *Host) initdb(ctx context.Context, data string, options []string) (password string, err error) {
	password = rand.Text()
	file := data + ".password"
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("writing a password file: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	if err := h.account.own(file); err != nil {
		return "", err
	}
	defer waiting.For(ctx, waiting.Servers)()
	args := append([]string{"--pgdata=" + data, "--pwfile=" + file}, options...)
	if _, err := h.runProgram(ctx, h.Folder, "initdb", args...); err != nil {
		return "", withoutEntry(err)
	}
	return password, configure(data)
}

// withoutEntry explains initdb's refusal to run for a user whom the system does not know.
func withoutEntry(err error) error {
	if !strings.Contains(err.Error(), "could not look up effective user ID") {
		return err
	}
	return &EnvironmentError{
		Problem: fmt.Sprintf("user id %d has no entry in this system's user database, which initdb asks for", os.Geteuid()),
		Remedy:  "run as a user that exists, or add a line for it to /etc/passwd",
		Err:     err,
	}
}

// configure includes our settings file.
func configure(data string) error {
	conf, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("configuring a cluster: %w", err)
	}
	_, err = conf.WriteString(include)
	return errors.Join(err, conf.Close())
}
