#!/usr/bin/env bash
# test.sh PART…: runs parts of the tests and sums them up. Parts: lint, core, tools, pg15, pg16, pg18,
# own (the PostgreSQL that PG_CONFIG names). SUITES="regress system" runs only these on the servers;
# PYTEST_ADDOPTS="-k crash" picks system tests.
. "$(dirname "$0")/lib.sh"

forget_other_servers
cd "$ROOT"
results=$TARGET/results-$$.jsonl
rm -f "$TARGET"/results-*.jsonl
record() { "$ROOT/scripts/results.py" "$results" "$@" || true; }
# Two runs at once would fight for the same servers. A server must not hold the lock (8>&-): it may outlive us.
exec 8>"$TARGET/test.lock"
flock -n 8 || die "another test run is going on in this clone"
cluster() { "$ROOT/scripts/cluster.sh" "$@" 8>&-; }

# What a broken-off run left behind, and what this one leaves.
remove_clusters() {
    local home
    for home in "$STATE"/cluster/t*; do [ ! -d "$home" ] || cluster remove "$(basename "$home")"; done
}
trap remove_clusters EXIT
remove_clusters

# part NAME KIND TITLE COMMAND…: runs a command with its log and records its counts.
part() {
    local name=$1 kind=$2 title=$3 status=0 log
    shift 3
    log=$LOGS/$name.log
    say "$title"
    logged "$name" "$@" 8>&- || status=$?
    [ "$kind" != pytest ] || log=$TARGET/$name.xml
    record count "$name" "$kind" "$log" "$status"
}

lint() { part lint line "checking the style (make lint)" scripts/lint.sh; }

core() { part core cargo "testing core (1 minute the first time)" cargo test -p memory_core; }

tools() {
    rm -f "$TARGET/tools.xml"
    part tools pytest "testing the test tools (1 second)" "$ROOT/scripts/pytest.sh" --junit-xml "$TARGET/tools.xml" tests/tools
}

# postgres NAME PG_CONFIG: everything that needs a server.
postgres() {
    local name=$1 pg_config=$2 status=0
    "$ROOT/scripts/build.sh" "$pg_config" || status=$?
    if [ "$status" -ne 0 ]; then
        record count "$name-build" line "$LOGS/build-$name.log" "$status"
        return
    fi
    if ! cluster start "test-$name" "$pg_config" fsync=off memory_ext.workers=off; then
        record count "$name-start" line /dev/null 1
        return
    fi
    export PGHOST PGPORT=5432 PGUSER=postgres PSQL
    PGHOST=$(socket_root)/test-$name
    PSQL=$("$pg_config" --bindir)/psql
    local suite
    for suite in ${SUITES:-regress isolation docs system}; do "suite_$suite" "$name" "$pg_config"; done
    unset PGHOST PGPORT PGUSER PSQL
    cluster remove "test-$name"
}

suite_regress() {
    part "$1-regress" regress "regression tests on $1 (half a minute)" \
        "$ROOT/scripts/regress.sh" regress "$2" "$TARGET/regress/$1"
}

suite_isolation() {
    part "$1-isolation" regress "isolation tests on $1 (half a minute)" \
        "$ROOT/scripts/regress.sh" isolation "$2" "$TARGET/isolation/$1"
}

suite_docs() {
    local pages=() page
    for page in README.md docs/*.md; do [ ! -f "$page" ] || pages+=("$page"); done
    part "$1-docs" line "the SQL of README.md and docs/ on $1 (10 seconds)" \
        scripts/doc_sql.py ${pages[@]+"${pages[@]}"}
}

suite_system() {
    rm -f "$TARGET/$1-system.xml"
    part "$1-system" pytest "system tests on $1: crash, standby, dump (1 minute)" \
        env MEMORY_EXT_PG_CONFIG="$2" MEMORY_EXT_SERVER_USER="$(server_user)" MEMORY_EXT_STATE="$STATE" \
        MEMORY_EXT_SOCKETS="$(socket_root)" "$ROOT/scripts/pytest.sh" --junit-xml "$TARGET/$1-system.xml" tests/system
}

"$ROOT/scripts/tools.sh"
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
for part in "$@"; do
    case $part in
    lint) lint ;;
    core) core ;;
    tools) tools ;;
    own) postgres own "${PG_CONFIG:?names your pg_config}" ;;
    pg*)
        status=0
        pg_config=$("$ROOT/scripts/postgres.sh" "$part") || status=$?
        case $status in
        0) postgres "$part" "$pg_config" ;;
        3) record skip "$part" "this system cannot give it, see above" ;;
        *) record count "$part" line /dev/null "$status" ;;
        esac
        ;;
    *) die "no such part: $part" ;;
    esac
done
"$ROOT/scripts/results.py" "$results" sum
