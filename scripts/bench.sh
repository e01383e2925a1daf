#!/usr/bin/env bash
# Runs bench/run.py on a private server with the optimised build and fsync on. Arguments go to bench/run.py,
# which finds the server by DATABASE_URL (a database `bench` with the extension) and its programs by PG_CONFIG.
. "$(dirname "$0")/lib.sh"

forget_other_servers
[ -f "$ROOT/bench/run.py" ] || die "there is no bench/run.py yet"
"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
pg_config=${PG_CONFIG:-$("$ROOT/scripts/postgres.sh" pg16)}
"$ROOT/scripts/build.sh" "$pg_config"

cluster() { "$ROOT/scripts/cluster.sh" "$@"; }
trap 'cluster remove bench' EXIT
cluster remove bench
cluster start bench "$pg_config" shared_buffers=1GB max_wal_size=4GB
psql=("$("$pg_config" --bindir)/psql" -X -q -v ON_ERROR_STOP=1)
"${psql[@]}" -d "$(cluster url bench)" -c 'CREATE DATABASE bench'
DATABASE_URL=$(cluster url bench bench)
"${psql[@]}" -d "$DATABASE_URL" -c 'SET client_min_messages = warning' -c 'CREATE EXTENSION memory_ext CASCADE'
export DATABASE_URL PG_CONFIG=$pg_config
cd "$ROOT"
say "running bench/run.py"
"$VENV/bin/python" bench/run.py "$@"
