#!/usr/bin/env bash
# Private PostgreSQL clusters, reached through a private socket only:
#   cluster.sh start NAME PG_CONFIG [SETTING=VALUE…]   makes it when it is not there; restarts it when the library is new
#   cluster.sh stop NAME        cluster.sh remove NAME        cluster.sh stop-all
#   cluster.sh url NAME [DATABASE]
. "$(dirname "$0")/lib.sh"

command=${1:-} name=${2:-}
dir=$STATE/cluster/$name
data=$dir/data
sockets=$(socket_root)/$name

# A cluster stays with the user who made it.
owner() { if [ -d "$data" ]; then stat -c %U "$data"; else server_user; fi; }
ctl() { as_user "$(owner)" "$(cat "$dir/bindir")/pg_ctl" -D "$data" "$@"; }
is_running() { [ -f "$data/postmaster.pid" ] && ctl status >/dev/null 2>&1; }

init() {
    local bindir=$1 user
    user=$(server_user)
    rm -rf "$dir"
    mkdir -p "$dir"
    is_root && chown "$user" "$dir"
    say "making cluster $name (3 seconds)"
    as_user "$user" test -x "$bindir/initdb" ||
        die "user $user cannot run $bindir/initdb" "PostgreSQL does not run as root; put it where $user can read it."
    logged "initdb-$name" as_user "$user" "$bindir/initdb" -D "$data" -U postgres -A trust \
        --encoding UTF8 --locale C.UTF-8 --no-instructions
    echo "include = 'memory_ext.conf'" >>"$data/postgresql.conf"
}

start() {
    local pg_config=$1 bindir library
    shift
    bindir=$("$pg_config" --bindir)
    # A server keeps the library that it began with, so a new build asks for a restart.
    library=$(sha256sum <"$("$pg_config" --pkglibdir)/memory_ext.so")
    if is_running; then
        [ "$library" != "$(cat "$dir/library" 2>/dev/null)" ] || return 0
        stop
    fi
    [ -f "$data/PG_VERSION" ] || init "$bindir"
    [ "$(cat "$data/PG_VERSION")" = "$(pg_major "$pg_config")" ] ||
        die "cluster $name is of PostgreSQL $(cat "$data/PG_VERSION"), not of $(pg_major "$pg_config")" \
            "Remove it:  scripts/cluster.sh remove $name"

    own_dir "$(socket_root)"
    mkdir -p "$sockets"
    chmod 700 "$sockets"
    is_root && chown "$(owner)" "$sockets"
    {
        # Everybody who reaches the socket is trusted; only its owner and root can.
        echo "listen_addresses = ''"
        echo "port = 5432"
        echo "unix_socket_directories = '$sockets'"
        echo "shared_preload_libraries = 'memory_ext'"
        local setting
        for setting in "$@"; do echo "${setting%%=*} = '${setting#*=}'"; done
    } >"$data/memory_ext.conf"
    echo "$bindir" >"$dir/bindir"
    echo "$library" >"$dir/library"
    say "starting cluster $name, PostgreSQL $(pg_major "$pg_config") (1 second)"
    if ! ctl -w -t 60 -l "$dir/server.log" start >"$LOGS/start-$name.log" 2>&1; then
        tail -n 20 "$LOGS/start-$name.log" "$dir/server.log" >&2
        die "cluster $name did not start"
    fi
}

stop() {
    is_running || return 0
    say "stopping cluster $name (1 second)"
    ctl -w -t 60 -m fast stop >"$LOGS/stop-$name.log" 2>&1 || ctl -w -m immediate stop >>"$LOGS/stop-$name.log" 2>&1
}

case $command in
start) start "${@:3}" ;;
stop) stop ;;
remove)
    [ -n "$name" ] || die "which cluster?"
    stop
    rm -rf "$dir" "$sockets"
    ;;
stop-all)
    for bindir in "$STATE"/cluster/*/bindir; do
        [ -f "$bindir" ] && "$0" stop "$(basename "$(dirname "$bindir")")"
    done
    true
    ;;
url)
    is_running || die "cluster $name is not running" "make demo starts it."
    echo "postgresql://postgres@/${3:-postgres}?host=$sockets&port=5432"
    ;;
*) die "cluster.sh start|stop|remove|url NAME …, or stop-all" ;;
esac
