package fetch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes a shell script that can be run.
func program(t *testing.T, name, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestOwnPostgres(t *testing.T) {
	for below, word := range map[string]string{"": "", "bin": "17", ".": "17.10"} {
		dir := t.TempDir()
		program(t, filepath.Join(dir, below, "postgres"), `echo "postgres (PostgreSQL) 17.10 (Debian 17.10-1.pgdg13+1)"`)
		program(t, filepath.Join(dir, below, "initdb"), "")
		b, err := Postgres(context.Background(), Options{PGBin: dir}, word)
		bin := filepath.Join(dir, below)
		want := Binaries{Version: "17.10", Dir: filepath.Dir(bin), Bin: bin, Source: "pg-bin"}
		if err != nil || b != want {
			t.Errorf("got %+v, %v; want %+v", b, err, want)
		}
	}
}

func TestOwnPostgresRefused(t *testing.T) {
	for name, c := range map[string]struct{ postgres, initdb, reason string }{
		"old":       {`echo "postgres (PostgreSQL) 15.13"`, ":", "it is version 15.13"},
		"new":       {`echo "postgres (PostgreSQL) 19devel"`, ":", "it is version 19devel"},
		"major":     {`echo "postgres (PostgreSQL) 16.14"`, ":", "it is version 16.14, and --pg asks for 17; it must hold postgres and initdb of version 17"},
		"longer":    {`echo "postgres (PostgreSQL) 175.1"`, ":", "it is version 175.1"},
		"other":     {`echo "mysqld 9"`, ":", "not an answer of PostgreSQL"},
		"broken":    {"exit 127", ":", "exit status 127"},
		"no initdb": {`echo "postgres (PostgreSQL) 17.10"`, "", "holds postgres and initdb"},
		"nothing":   {"", "", "holds postgres and initdb"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, script := range map[string]string{"postgres": c.postgres, "initdb": c.initdb} {
				if script != "" {
					program(t, filepath.Join(dir, "bin", file), script)
				}
			}
			_, err := Postgres(context.Background(), Options{PGBin: dir}, "17")
			var bad *PGBinError
			if !errors.As(err, &bad) || bad.Dir != dir || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("error %v, want a PGBinError about %q", err, c.reason)
			}
		})
	}
}

func TestExactVersionOfOwnPostgres(t *testing.T) {
	for version, word := range map[string]string{"17.1": "17.10", "17.10": "17.1", "17": "17.10", "17beta1": "17.10"} {
		if answers(version, word) {
			t.Errorf("version %s answers to %s", version, word)
		}
	}
}

func TestVersionWords(t *testing.T) {
	if platform() != "linux/amd64" {
		_, err := Postgres(context.Background(), Options{}, "17")
		var none *PlatformError
		if !errors.As(err, &none) {
			t.Errorf("nothing is pinned for %s, but: %v", platform(), err)
		}
		return
	}
	for _, word := range []string{"", "15", "17.9", "latest"} {
		_, err := Postgres(context.Background(), Options{Cache: t.TempDir()}, word)
		var bad *VersionError
		if !errors.As(err, &bad) || !strings.HasSuffix(err.Error(), "16, 16.14, 17, 17.10, 18, 18.4") {
			t.Errorf("word %q: %v", word, err)
		}
	}
}
