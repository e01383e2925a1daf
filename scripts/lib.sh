# shellcheck shell=bash
# What all scripts share: where things are, how steps speak, and who runs the server.

set -euo pipefail
umask 022
# A make above us must not hand its flags to the makes and cargos below.
unset MAKEFLAGS MAKELEVEL MFLAGS
# A server that inherits it writes a Rust backtrace into the detail of every error.
unset RUST_BACKTRACE

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
TARGET=$ROOT/target
LOGS=$TARGET/log
# shellcheck disable=SC2034 # the scripts use it
VENV=$TARGET/venv
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/memory_ext
PGRX_VERSION=0.18.1
mkdir -p "$LOGS"

say() { printf '==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
    exit 1
}

# logged NAME COMMAND…: runs the command with its output in target/log/NAME.log. A long one
# tells every 30 seconds where it is; a failed one shows the end of its log.
logged() {
    local name=$1 log=$LOGS/$1.log status=0 beat
    shift
    : >"$log"
    (
        trap 'kill "$nap" 2>/dev/null; exit' TERM
        seconds=0
        # Ctrl-C does not reach it, so it looks every second whether the script is still there.
        while kill -0 $$ 2>/dev/null; do
            sleep 1 &
            nap=$!
            wait "$nap"
            seconds=$((seconds + 1))
            [ $((seconds % 30)) -ne 0 ] || note "… $(tail -n 1 "$log" | cut -c1-100)"
        done
    ) 8>&- 9>&- &
    beat=$!
    "$@" >"$log" 2>&1 || status=$?
    kill "$beat" 2>/dev/null || true
    wait "$beat" 2>/dev/null || true
    if [ "$status" -ne 0 ]; then
        # bindgen's remarks about PostgreSQL's headers would hide what is wrong.
        { grep -Ev 'clang diag:|^ *cargo:' "$log" || true; } | tail -n 100
        note "failed ($name, exit $status); all of it: ${log#"$ROOT"/}"
    fi
    return "$status"
}

has() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" -eq 0 ]; }
short_hash() { printf '%s' "$1" | sha256sum | cut -c1-8; }

# PostgreSQL refuses to run as root, so root lends its clusters to a user without rights.
server_user() {
    if ! is_root; then
        id -un
    elif id postgres >/dev/null 2>&1; then
        echo postgres
    else
        echo nobody
    fi
}

# as_user USER COMMAND…: from /, because USER may not be able to enter the current directory.
as_user() {
    local user=$1
    shift
    if [ "$user" = "$(id -un)" ]; then
        (cd / && "$@")
    else
        (cd / && runuser -u "$user" -- "$@")
    fi
}

# own_dir DIR: makes it, and refuses one that somebody else has put there first (/tmp is shared).
own_dir() {
    mkdir -p "$1"
    if [ -L "$1" ] || [ ! -O "$1" ]; then
        die "$1 belongs to somebody else" "Remove it, or run as its owner."
    fi
}

# Where servers live: target/, or a directory under /var/tmp when the server's user cannot
# enter target/ (a clone under /root, say); links in target/ then show the way.
state_dir() {
    if as_user "$(server_user)" test -r "$TARGET" -a -x "$TARGET"; then
        echo "$TARGET"
    else
        echo "/var/tmp/memory_ext-$(short_hash "$ROOT-$(id -u)")"
    fi
}

# A socket's path may have 107 bytes at most, so sockets do not live under the clone.
socket_root() { echo "/tmp/memory_ext-$(short_hash "$ROOT-$(id -u)")"; }

STATE=$(state_dir)
if [ "$STATE" != "$TARGET" ]; then
    own_dir "$STATE"
    for dir in postgres cluster; do
        mkdir -p "$STATE/$dir"
        [ -e "$TARGET/$dir" ] || ln -s "$STATE/$dir" "$TARGET/$dir"
    done
fi

# The private cargo-pgrx, and the libclang of PyPI when the system has none (see tools.sh).
PATH=$CACHE/cargo-pgrx-$PGRX_VERSION/bin:$PATH
if [ -f "$TARGET/libclang.env" ]; then
    # shellcheck source=/dev/null
    . "$TARGET/libclang.env"
fi

# The user's own PostgreSQL, as a path that holds from any directory.
if [ -n "${PG_CONFIG:-}" ]; then
    PG_CONFIG=$(cd "$ROOT" && realpath -s "$(command -v "$PG_CONFIG" || echo "$PG_CONFIG")")
    [ -x "$PG_CONFIG" ] || die "there is no $PG_CONFIG" "PG_CONFIG must name the pg_config of a PostgreSQL 15 to 18."
fi

# Settings for other servers (PGOPTIONS, PGSERVICE …) must not reach the private ones.
forget_other_servers() {
    local name
    for name in "${!PG@}"; do [ "$name" = PG_CONFIG ] || unset "$name"; done
}

# pg_major PG_CONFIG: 16 for "PostgreSQL 16.14".
pg_major() {
    local version
    version=$("$1" --version) || die "$1 does not run" "PG_CONFIG must name the pg_config of a PostgreSQL 15 to 18."
    version=${version#PostgreSQL }
    echo "${version%%[!0-9]*}"
}

# pg_test_tool PG_CONFIG regress/pg_regress: the test programs that come with the server's headers.
# Those of the embedded 18 crash at once; those of 16 beside them serve as well.
pg_test_tool() {
    local pgxs
    pgxs=$("$1" --pgxs)
    echo "$(dirname "${pgxs/\/pginstall18\///pginstall/}")/../test/$2"
}
