#!/usr/bin/env bash
# The demo server: demo.sh run|url|psql|stop. PG_CONFIG in the environment puts it on a PostgreSQL of yours.
. "$(dirname "$0")/lib.sh"

forget_other_servers
# One demo for each PostgreSQL that it was asked for.
name=demo
[ -z "${PG_CONFIG:-}" ] || name=demo-$(short_hash "$PG_CONFIG")
cluster() { "$ROOT/scripts/cluster.sh" "$@"; }

run() {
    local pg_config psql fresh fingerprint
    SECONDS=0
    say "memory_ext demo: 5 to 10 minutes on a bare machine, seconds when it has run before"
    "$ROOT/scripts/tools.sh"
    pg_config=${PG_CONFIG:-$("$ROOT/scripts/postgres.sh" pg16)}
    "$ROOT/scripts/build.sh" "$pg_config"
    cluster start "$name" "$pg_config"

    psql=("$("$pg_config" --bindir)/psql" -X -q -v ON_ERROR_STOP=1)
    # The database is kept from run to run, as long as the extension in it is the one just built.
    fingerprint=$(cat "$("$pg_config" --pkglibdir)/memory_ext.so" "$("$pg_config" --sharedir)"/extension/memory_ext--* | sha256sum)
    fresh=$STATE/cluster/$name/demo-database
    if [ "$fingerprint" != "$(cat "$fresh" 2>/dev/null)" ]; then
        say "creating database demo with the extension (1 second)"
        "${psql[@]}" -d "$(cluster url "$name")" \
            -c 'SET client_min_messages = warning' -c 'DROP DATABASE IF EXISTS demo WITH (FORCE)' -c 'CREATE DATABASE demo'
        "${psql[@]}" -d "$(cluster url "$name" demo)" \
            -c 'SET client_min_messages = warning' -c 'CREATE EXTENSION memory_ext CASCADE'
        echo "$fingerprint" >"$fresh"
    fi

    say "playing examples/demo.sql"
    "${psql[@]}" -d "$(cluster url "$name" demo)" -P pager=off --echo-all -f "$ROOT/examples/demo.sql" 2>&1
    say "done in $((SECONDS / 60)) min $((SECONDS % 60)) s. The server is running:"
    note "make psql   opens it         make url   prints its connection string"
    note "make stop   stops it         make demo  plays this again"
}

case ${1:-} in
run) run ;;
url) cluster url "$name" demo ;;
psql)
    url=$(cluster url "$name" demo)
    exec "$(cat "$STATE/cluster/$name/bindir")/psql" "$url"
    ;;
stop)
    cluster stop "$name"
    ;;
*) die "demo.sh run|url|psql|stop" ;;
esac
