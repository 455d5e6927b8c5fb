package postgres_test

import (
	"strings"
	"testing"

	"deletecost/runner/postgres"
)

func TestSettingsReachTheServer(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	settings := map[string]string{
		"work_mem":          "64MB",
		"full_page_writes":  "off",
		"log_line_prefix":   `it's a \ "%m" `,
		"deletecost.custom": `C:\new\table '' 'x'`,
	}
	server := startServer(t, host, postgres.Options{Settings: settings})
	for name, want := range settings {
		if got := ask(t, server, "SHOW "+name); got != want {
			t.Errorf("SHOW %s: %q, want %q", name, got, want)
		}
	}
}

func TestWrongSettingIsToldInTheServersWords(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	for _, c := range []struct{ name, value, want string }{
		{"no_such_setting", "1", `unrecognized configuration parameter "no_such_setting"`},
		{"work_mem", "much", `invalid value for parameter "work_mem": "much"`},
		{"shared_preload_libraries", "nothing_here", `FATAL:  could not access file "nothing_here"`},
	} {
		_, err := host.Start(t.Context(), postgres.Options{Name: "wrong", Settings: map[string]string{c.name: c.value}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "FATAL") {
			t.Errorf("%s = %s: %v; want FATAL and %s", c.name, c.value, err, c.want)
		}
		if left := mustGlob(t, host.Folder+"/[0-9]*"); len(left) > 0 {
			t.Errorf("%s = %s: left %v, want nothing", c.name, c.value, left)
		}
	}
}

func TestEnvironmentDoesNotLeakIn(t *testing.T) {
	for name, value := range map[string]string{
		"PGHOST": "nowhere.invalid", "PGPORT": "1", "PGUSER": "x", "PGPASSWORD": "x", "PGDATABASE": "x", "PGSSLMODE": "verify-full",
		"PGAPPNAME": "x", "PGOPTIONS": "-c work_mem=1MB", "PGTZ": "Asia/Tokyo", "PGTARGETSESSIONATTRS": "standby", "PGDATA": "/x",
		"PGCONNECT_TIMEOUT": "bad", "PGREQUIREAUTH": "none", "PGCHANNELBINDING": "require", "PGMINPROTOCOLVERSION": "9",
		"PGMAXPROTOCOLVERSION": "9", "PGSSLCERTMODE": "bad", "PGSSLNEGOTIATION": "bad", "PGSERVICE": "x", "PGSERVICEFILE": "/no/services",
		"PGPASSFILE": "/no/passwords", "PGSSLCERT": "/no/cert", "PGSSLKEY": "/no/key", "PGSSLROOTCERT": "/no/root", "PGSSLPASSWORD": "x", "PGSSLSNI": "bad",
		"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "LD_PRELOAD": "",
	} {
		t.Setenv(name, value)
	}
	server := startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{})
	for query, want := range map[string]string{"SHOW work_mem": "4MB", "SHOW timezone": "UTC", "SHOW lc_messages": "C", "SHOW application_name": ""} {
		if got := ask(t, server, query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
