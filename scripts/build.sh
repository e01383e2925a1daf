#!/usr/bin/env bash
# build.sh PG_CONFIG: builds the optimised extension for that PostgreSQL and installs it there.
. "$(dirname "$0")/lib.sh"

pg_config=$1
major=$(pg_major "$pg_config")
case $major in
15 | 16 | 17 | 18) ;;
*) die "memory_ext is for PostgreSQL 15 to 18; $pg_config is of $major" ;;
esac

sharedir=$("$pg_config" --sharedir)
libdir=$("$pg_config" --pkglibdir)
[ -f "$("$pg_config" --includedir-server)/postgres.h" ] ||
    die "the server headers of PostgreSQL $major are missing" "On Debian: apt-get install postgresql-server-dev-$major"
[ -f "$sharedir/extension/vector.control" ] ||
    die "PostgreSQL $major at $("$pg_config" --bindir) has no pgvector, which memory_ext needs" \
        "Install the package postgresql-$major-pgvector, or in the sources of pgvector: make install PG_CONFIG=$pg_config"

how=()
if [ ! -w "$libdir" ] || [ ! -w "$sharedir/extension" ]; then
    if sudo -n true 2>/dev/null; then
        how=(--sudo)
    else
        die "$libdir is not yours to write" "Run  make install PG_CONFIG=$pg_config  as root."
    fi
fi

# Scripts of a version that is no longer built must not stay behind in a PostgreSQL of ours.
case $sharedir in "$STATE"/*) rm -f "$sharedir"/extension/memory_ext--*.sql ;; esac

say "building memory_ext for PostgreSQL $major (3 minutes the first time, seconds after)"
# This variable is all that pgrx needs to know; no `cargo pgrx init`, no ~/.pgrx.
export PGRX_PG_CONFIG_PATH=$pg_config
cd "$ROOT"
logged "build-pg$major" cargo pgrx install --release --no-default-features --features "pg$major" \
    --pg-config "$pg_config" ${how[@]+"${how[@]}"}
