#!/usr/bin/env bash
# Debian's PostgreSQL 15 with pgvector, unpacked under target/ so that the system stays as it is: no package of it
# is installed, no cluster of the system is made. PostgreSQL finds its files relative to its programs.
# Exit status 3 means that this system cannot give it.
. "$(dirname "$0")/lib.sh"
exec >&2

dir=$STATE/postgres/debian
stamp=$dir/.complete
[ ! -f "$stamp" ] || exit 0
leave_out() {
    say "leaving out PostgreSQL 15: $1"
    exit 3
}
if ! has apt-get || ! has dpkg-deb; then leave_out "this is no Debian"; fi

# A private apt: the machine's own sources plus Debian's source packages of trixie, where pgvector is. Its lists live
# under target/, so this needs no root and leaves the system's lists and sources alone.
apt=$TARGET/apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# shellcheck disable=SC2016 # apt's own variables
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' | awk -v c="$codename" '$1 == c && !found++ { print $2 }')
{
    cat /etc/apt/sources.list 2>/dev/null || true
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    [ ! -f "$keys" ] || signed="[signed-by=$keys] "
    [ -z "$mirror" ] || echo "deb-src ${signed:-}$mirror trixie main"
} >"$apt/sources.list"
private_apt() {
    (cd "$apt/debs" && apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::State::lists="$apt/lists" \
        -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@")
}

say "getting PostgreSQL 15 from Debian (half a minute)"
logged apt-update private_apt update || note "some sources did not answer; going on with the others"
debs=(postgresql-15 postgresql-client-15 postgresql-server-dev-15 libpq-dev)
logged apt-download private_apt download "${debs[@]}" || leave_out "apt does not offer ${debs[*]}"
rm -rf "$dir"
mkdir -p "$dir"
for deb in "$apt"/debs/*.deb; do dpkg-deb -x "$deb" "$dir"; done
lib=$dir/usr/lib/postgresql/15
pg_config=$lib/bin/pg_config

# The system must have the libraries that it is linked with; most come with the build tools.
missing=$(ldd "$lib/bin/postgres" "$lib/bin/psql" "$lib/lib/llvmjit.so" | awk '/not found/ { print $1 }' | sort -u | xargs)
if [ -n "$missing" ]; then
    is_root || leave_out "these libraries are missing: $missing"
    mapfile -t libraries < <(for deb in "$apt"/debs/postgresql-{client-,}15_*.deb; do dpkg-deb -f "$deb" Depends; done |
        tr ',' '\n' | awk '$1 ~ /^lib/ { print $1 }' | sort -u)
    say "installing the libraries that PostgreSQL 15 uses (half a minute)"
    export DEBIAN_FRONTEND=noninteractive
    logged apt-libraries sh -c 'apt-get -q install -y --no-install-recommends "$@" || { apt-get -q update && apt-get -q install -y --no-install-recommends "$@"; }' - "${libraries[@]}"
fi

vector_from_package() { private_apt download postgresql-15-pgvector && dpkg-deb -x "$apt"/debs/postgresql-15-pgvector_*.deb "$dir"; }
vector_from_source() {
    # OPTFLAGS: the default -march=native would not run on another machine. No LLVM: it serves the JIT only.
    private_apt source --download-only pgvector/trixie &&
        mkdir "$apt/pgvector" &&
        tar -xf "$apt"/debs/pgvector_*.orig.tar.* -C "$apt/pgvector" --strip-components 1 &&
        make -C "$apt/pgvector" PG_CONFIG="$pg_config" OPTFLAGS='' with_llvm=no install
}
if ! vector_from_package >"$LOGS/pgvector-package.log" 2>&1; then
    say "building pgvector from Debian's source package (half a minute)"
    logged pgvector vector_from_source
fi
# For the test that schedules jobs with it; without it that test is skipped.
{ private_apt download postgresql-15-cron && dpkg-deb -x "$apt"/debs/postgresql-15-cron_*.deb "$dir"; } >"$LOGS/pg_cron.log" 2>&1 ||
    note "pg_cron cannot be had: its test is skipped"
chmod -R a+rX "$dir"
rm -rf "$apt"
touch "$stamp"
