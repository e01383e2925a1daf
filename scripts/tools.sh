#!/usr/bin/env bash
# Makes sure of what a build needs: C compiler, make, pkg-config, libclang, Python with venv, cargo-pgrx.
. "$(dirname "$0")/lib.sh"

has cargo || die "there is no Rust toolchain" "Install Rust 1.95 or newer (rustup), then run this again."

# libclang serves bindgen, which reads PostgreSQL's headers.
has_clang() {
    [ -n "${LIBCLANG_PATH:-}" ] || {
        has clang && { ls /usr/lib/llvm-*/lib; /sbin/ldconfig -p; true; } 2>/dev/null | grep -E 'libclang(-[0-9]+)?\.so' >/dev/null
    }
}
has_venv() { has python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; }

missing=()
has cc && has make || missing+=(build-essential)
has pkg-config || missing+=(pkg-config)
has_clang || missing+=(clang libclang-dev)
has_venv || missing+=(python3 python3-venv)

apt_get() {
    local sudo=()
    is_root || sudo=(sudo -n)
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"
}

apt_install() {
    # The lists of a fresh machine are empty or old; ask for new ones only when they do not serve.
    apt_get install -y --no-install-recommends "$@" ||
        { apt_get update && apt_get install -y --no-install-recommends "$@"; }
}

# Without root, PyPI's libclang can stand in for Debian's; the compiler's own headers go with it.
libclang_from_pypi() {
    "$ROOT/scripts/venv.sh"
    say "getting libclang from PyPI (10 seconds)"
    logged libclang "$VENV/bin/pip" install --disable-pip-version-check libclang==18.1.1
    local native
    native=$("$VENV/bin/python" -c 'import clang, os; print(os.path.join(clang.__path__[0], "native"))')
    cat >"$TARGET/libclang.env" <<EOF
export LIBCLANG_PATH='$native'
export BINDGEN_EXTRA_CLANG_ARGS='-isystem $(cc -print-file-name=include)'
EOF
}

if [ ${#missing[@]} -gt 0 ]; then
    if has apt-get && { is_root || sudo -n true 2>/dev/null; }; then
        say "installing ${missing[*]} with apt (1 minute)"
        logged apt apt_install "${missing[@]}"
    elif [ "${missing[*]}" = "clang libclang-dev" ]; then
        libclang_from_pypi
    else
        die "these are missing: ${missing[*]}" \
            "Have an administrator run:  apt-get install ${missing[*]}" \
            "(or the packages of the same meaning on another system), then run this again."
    fi
fi

pgrx_version() { cargo pgrx --version 2>/dev/null | awk '{print $NF}'; }

if [ "$(pgrx_version)" != "$PGRX_VERSION" ]; then
    mkdir -p "$CACHE"
    # One build at a time for all clones on the machine; the second finds it done.
    exec 9>"$CACHE/cargo-pgrx.lock"
    has flock && flock 9
    if [ "$(pgrx_version)" != "$PGRX_VERSION" ]; then
        say "building cargo-pgrx $PGRX_VERSION, once for this machine (3 to 5 minutes on 2 cores)"
        # It must not download anything itself, so it goes without its TLS library. It runs for half a second,
        # so it is not optimised: 4 minutes of processor time instead of 9. A fixed target directory lets a
        # broken-off build go on.
        CARGO_TARGET_DIR=$CACHE/build CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 logged cargo-pgrx \
            cargo install cargo-pgrx --version "=$PGRX_VERSION" --locked --no-default-features \
            --root "$CACHE/cargo-pgrx-$PGRX_VERSION"
        rm -rf "$CACHE/build"
    fi
fi
