package postgres_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/postgres"
)

func TestOnlyTheOwnPasswordOpens(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	server, other := startServer(t, host, postgres.Options{}), startServer(t, host, postgres.Options{})
	seals := mustGlob(t, filepath.Join(readyClusters, "clusters", "17.*", "seal"))
	if len(seals) == 0 {
		t.Fatal("no ready cluster of 17 in the cache")
	}
	passwords := map[string]string{"wrong": "wrong", "of another server": other.ConnConfig().Password}
	for _, seal := range seals {
		text, err := os.ReadFile(seal)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		passwords["of "+seal] = lines[len(lines)-1]
	}
	for name, password := range passwords {
		config := server.ConnConfig()
		config.Password = password
		_, err := pgx.ConnectConfig(t.Context(), config)
		answer, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || answer.Code != "28P01" { // invalid_password
			t.Errorf("password %s: %v, want SQLSTATE 28P01", name, err)
		}
	}
}

func TestEmptyPasswordIsRefused(t *testing.T) {
	server := startServer(t, openHost(t, testConfig(t, "18")), postgres.Options{})
	config := server.ConnConfig()
	config.Password = ""
	if conn, err := pgx.ConnectConfig(t.Context(), config); err == nil {
		conn.Close(t.Context())
		t.Error("connected without a password")
	}
	if method := ask(t, server, "SELECT string_agg(DISTINCT type || ' ' || auth_method, ',') FROM pg_hba_file_rules"); method != "local scram-sha-256" {
		t.Errorf("rules in pg_hba.conf: %s, want local scram-sha-256 alone", method)
	}
}
