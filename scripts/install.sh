#!/usr/bin/env bash
# Builds and installs into the PostgreSQL that PG_CONFIG names.
. "$(dirname "$0")/lib.sh"

[ -n "${PG_CONFIG:-}" ] || die "where to?" "make install PG_CONFIG=/path/to/pg_config"
"$ROOT/scripts/tools.sh"
"$ROOT/scripts/build.sh" "$PG_CONFIG"
say "installed. In a database:  CREATE EXTENSION memory_ext CASCADE;"
note "For the background workers, add memory_ext to shared_preload_libraries and restart the server."
