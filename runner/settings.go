package runner

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
)

// settingsSQL reads what was set to something else than the built-in default
// and, always, the settings that decide the cost of deleting. Names that a
// version does not have are absent, and so is what the server computes by
// itself. Sizes and times are written with their units.
const settingsSQL = `
SELECT name, current_setting(name), CASE
           WHEN boot_val LIKE '-%' OR unit IS NULL THEN coalesce(boot_val, '')
           WHEN unit = '8kB' THEN replace(pg_size_pretty(boot_val::bigint * 8192), ' ', '')
           WHEN unit = 'kB' THEN replace(pg_size_pretty(boot_val::bigint * 1024), ' ', '')
           WHEN unit = 'MB' THEN replace(pg_size_pretty(boot_val::bigint * 1048576), ' ', '')
           ELSE boot_val || unit END,
       source IN ('configuration file', 'command line') AND setting IS DISTINCT FROM boot_val
FROM pg_settings
WHERE name = ANY($1)
   OR (source IN ('configuration file', 'command line') AND setting IS DISTINCT FROM boot_val AND NOT name = ANY($2))
ORDER BY name`

// decisive are the settings that are shown also at their default.
var decisive = []string{
	"data_checksums", "full_page_writes", "wal_compression", "synchronous_commit", "fsync", "wal_sync_method",
	"shared_buffers", "max_wal_size", "checkpoint_timeout", "autovacuum", "autovacuum_naptime",
	"autovacuum_vacuum_cost_delay", "vacuum_cost_delay", "vacuum_cost_limit", "vacuum_buffer_usage_limit",
	"maintenance_work_mem", "work_mem", "plan_cache_mode", "jit", "max_parallel_workers_per_gather",
	"max_parallel_maintenance_workers", "io_method", "huge_pages", "random_page_cost", "track_io_timing",
	"wal_level", "effective_cache_size", "bgwriter_lru_maxpages", "bgwriter_delay",
	// Those whose default, or existence, depends on the version.
	"effective_io_concurrency", "maintenance_io_concurrency", "io_combine_limit", "io_workers", "summarize_wal",
	"autovacuum_vacuum_max_threshold", "vacuum_max_eager_freeze_failure_rate", "vacuum_truncate",
}

// private are the settings that name folders or passwords of this run, or
// change no number.
var private = []string{
	"config_file", "data_directory", "hba_file", "ident_file", "unix_socket_directories",
	"external_pid_file", "application_name", "cluster_name", "port", "listen_addresses", "unix_socket_permissions",
	"log_timezone", "lc_messages", "log_file_mode", "primary_conninfo",
}

// readServer reads a server's version and settings.
func readServer(ctx context.Context, s *postgres.Server) (ServerRecord, error) {
	r := ServerRecord{Name: s.Name}
	conn, err := s.Connect(ctx)
	if err != nil {
		return r, fmt.Errorf("reading the settings of server %q: %w", s.Name, err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SELECT version()").Scan(&r.Version); err != nil {
		return r, fmt.Errorf("reading the version of server %q: %w", s.Name, err)
	}
	rows, err := conn.Query(ctx, settingsSQL, decisive, private)
	if err != nil {
		return r, fmt.Errorf("reading the settings of server %q: %w", s.Name, err)
	}
	r.Settings, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Setting, error) {
		var v Setting
		err := row.Scan(&v.Name, &v.Value, &v.Default, &v.Changed)
		return v, err
	})
	if err != nil {
		return r, fmt.Errorf("reading the settings of server %q: %w", s.Name, err)
	}
	return r, nil
}
