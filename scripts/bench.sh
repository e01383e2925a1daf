#!/usr/bin/env bash
# Runs bench/run.py on a private server with the optimised build and fsync on. Arguments go to bench/run.py,
# which finds the server by DATABASE_URL and its programs by PG_CONFIG.
. "$(dirname "$0")/lib.sh"

forget_other_servers
"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
"$ROOT/scripts/venv.sh" "$ROOT/bench/requirements.txt"
pg_config=${PG_CONFIG:-$("$ROOT/scripts/postgres.sh" pg16)}
"$ROOT/scripts/build.sh" "$pg_config"

cluster() { "$ROOT/scripts/cluster.sh" "$@"; }
trap 'cluster remove bench' EXIT
cluster remove bench
# A quarter of the memory, as is usual, and no checkpoint in the middle of a measurement.
pages=$(getconf _PHYS_PAGES) page=$(getconf PAGE_SIZE)
cluster start bench "$pg_config" "shared_buffers=$((pages * (page / 1024) / 4))kB" max_wal_size=12GB checkpoint_timeout=1h memory_ext.workers=off
DATABASE_URL=$(cluster url bench)
export DATABASE_URL PG_CONFIG=$pg_config
cd "$ROOT"
say "running bench/run.py"
"$VENV/bin/python" bench/run.py "$@"
