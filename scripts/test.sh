#!/usr/bin/env bash
# test.sh PART…: runs parts of the tests and sums them up. Parts: core, tools, pg15, pg16, pg18,
# own (the PostgreSQL that PG_CONFIG names).
. "$(dirname "$0")/lib.sh"

results=$TARGET/results-$$.jsonl
rm -f "$TARGET"/results-*.jsonl
record() { "$ROOT/scripts/results.py" "$results" "$@" || true; }
cluster() { "$ROOT/scripts/cluster.sh" "$@"; }
pytest() { (cd "$ROOT" && "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$@"); }

# part NAME KIND TITLE COMMAND…: runs a command with its log and records its counts.
part() {
    local name=$1 kind=$2 title=$3 status=0 log
    shift 3
    log=$LOGS/$name.log
    say "$title"
    logged "$name" "$@" || status=$?
    [ "$kind" != pytest ] || log=$TARGET/$name.xml
    record count "$name" "$kind" "$log" "$status"
}

core() { part core cargo "testing core (1 minute the first time)" cargo test --manifest-path "$ROOT/Cargo.toml" -p memory_core; }

tools() {
    rm -f "$TARGET/tools.xml"
    part tools pytest "testing the test tools (1 second)" pytest --junit-xml "$TARGET/tools.xml" tests/tools
}

# postgres NAME PG_CONFIG: everything that needs a server.
postgres() {
    local name=$1 pg_config=$2 status=0
    "$ROOT/scripts/build.sh" "$pg_config" || status=$?
    if [ "$status" -ne 0 ]; then
        record count "$name-build" line "$LOGS/build-$name.log" "$status"
        return
    fi
    cluster remove "test-$name"
    if ! cluster start "test-$name" "$pg_config" fsync=off; then
        record count "$name-start" line /dev/null 1
        return
    fi
    export PGHOST PGPORT=5432 PGUSER=postgres
    PGHOST=$(socket_root)/test-$name
    part "$name-regress" regress "regression tests on $name" \
        "$ROOT/scripts/regress.sh" regress "$pg_config" "$TARGET/regress/$name"
    unset PGHOST PGPORT PGUSER
    cluster remove "test-$name"
}

"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
for part in "$@"; do
    case $part in
    core) core ;;
    tools) tools ;;
    own) postgres own "$PG_CONFIG" ;;
    pg*)
        if pg_config=$("$ROOT/scripts/postgres.sh" "$part"); then
            postgres "$part" "$pg_config"
        else
            record count "$part" line /dev/null 1
        fi
        ;;
    *) die "no such part: $part" ;;
    esac
done
"$ROOT/scripts/results.py" "$results" sum
