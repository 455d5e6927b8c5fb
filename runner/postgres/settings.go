package postgres

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const (
	settingsFile = "deletecost.conf" // in the data directory, included at the end of postgresql.conf
	hbaFile      = "pg_hba.conf"     // who may connect; in the data directory
)

// settingName is how PostgreSQL spells the names of its settings and of those of extensions, in lower case.
var settingName = regexp.MustCompile(`^[a-z_][a-z0-9_.]*$`)

// fixedSettings are the tool's own: where the server listens, logs and finds its files.
func fixedSettings(at endpoint) map[string]string {
	return map[string]string{
		"listen_addresses":        at.address,
		"unix_socket_directories": at.socketDir,
		"unix_socket_permissions": "0700",
		"port":                    at.port,
		"log_destination":         "stderr",
		"logging_collector":       "off",
		"cluster_name":            "deletecost",
	}
}

// renderSettings writes the settings of a server as a configuration file, in the order of their names. A name that is
// none, a value with a line break and a setting that is the tool's own are errors.
func renderSettings(at endpoint, extra map[string]string) (string, error) {
	all := fixedSettings(at)
	for name, value := range extra {
		if _, fixed := all[name]; fixed {
			return "", fmt.Errorf("setting %q: the tool sets it itself; leave it out", name)
		}
		if !settingName.MatchString(name) {
			return "", fmt.Errorf("setting %q: not a name; use lower-case letters, digits, points and underscores", name)
		}
		if strings.ContainsAny(value, "\n\r\x00") {
			return "", fmt.Errorf("setting %q: value %q has a line break or a zero byte", name, value)
		}
	}
	maps.Copy(all, extra)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "%s = '%s'\n", name, quoteSetting(all[name]))
	}
	return text.String(), nil
}

// quoteSetting doubles what a quoted value of postgresql.conf would take for its end or for an escape.
func quoteSetting(value string) string {
	return strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(value)
}
