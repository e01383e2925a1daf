#!/usr/bin/env bash
# on_bench_server.sh NAME SCRIPT [ARGUMENT]…: runs a Python script of bench/ on a private server; DATABASE_URL names
# a fresh database with the extension.
. "$(dirname "$0")/lib.sh"

name=$1 script=$2
shift 2
forget_other_servers
"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
pg_config=${PG_CONFIG:-$("$ROOT/scripts/postgres.sh" pg16)}
"$ROOT/scripts/build.sh" "$pg_config"

cluster() { "$ROOT/scripts/cluster.sh" "$@"; }
trap 'cluster remove "$name"' EXIT
cluster remove "$name"
# Nothing else moves while something is measured, unless the workers are what is measured.
cluster start "$name" "$pg_config" "memory_ext.workers=${WORKERS:-off}"
psql=("$("$pg_config" --bindir)/psql" -X -q -v ON_ERROR_STOP=1)
"${psql[@]}" -d "$(cluster url "$name")" -c "CREATE DATABASE $name"
DATABASE_URL=$(cluster url "$name" "$name")
"${psql[@]}" -d "$DATABASE_URL" -c 'SET client_min_messages = warning' -c 'CREATE EXTENSION memory_ext CASCADE'
export DATABASE_URL
say "running $script"
"$VENV/bin/python" "$ROOT/$script" "$@"
