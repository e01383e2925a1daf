#!/usr/bin/env bash
# Runs bench/recall101.py on a private server. NOISE: a file of lines that the user says between the items.
. "$(dirname "$0")/lib.sh"

forget_other_servers
noise=()
if [ -n "${NOISE:-}" ]; then
    [ -r "$NOISE" ] || die "cannot read $NOISE"
    noise=(--noise "$(realpath "$NOISE")")
fi
"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
pg_config=${PG_CONFIG:-$("$ROOT/scripts/postgres.sh" pg16)}
"$ROOT/scripts/build.sh" "$pg_config"

cluster() { "$ROOT/scripts/cluster.sh" "$@"; }
trap 'cluster remove recall101' EXIT
cluster remove recall101
cluster start recall101 "$pg_config"
psql=("$("$pg_config" --bindir)/psql" -X -q -v ON_ERROR_STOP=1)
"${psql[@]}" -d "$(cluster url recall101)" -c 'CREATE DATABASE recall101'
DATABASE_URL=$(cluster url recall101 recall101)
"${psql[@]}" -d "$DATABASE_URL" -c 'SET client_min_messages = warning' -c 'CREATE EXTENSION memory_ext CASCADE'
export DATABASE_URL
say "running bench/recall101.py"
"$VENV/bin/python" "$ROOT/bench/recall101.py" ${noise[@]+"${noise[@]}"}
