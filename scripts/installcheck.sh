#!/usr/bin/env bash
# Regression tests on a running server that has the extension installed; libpq's PG* variables say which.
. "$(dirname "$0")/lib.sh"

pg_config=${PG_CONFIG:-pg_config}
has "$pg_config" || die "$pg_config is not there" "make installcheck PG_CONFIG=/path/to/pg_config"
export PGUSER=${PGUSER:-$(id -un)}
"$ROOT/scripts/regress.sh" regress "$pg_config" "$TARGET/regress/installcheck"
