#!/usr/bin/env bash
# Style and known mistakes: rustfmt, clippy for each PostgreSQL here, pgspot over the generated SQL, shellcheck.
# lint.sh quick leaves out what needs a build.
. "$(dirname "$0")/lib.sh"
cd "$ROOT"

passed=0 failed=() skipped=0
check() {
    local name=$1 title=$2
    shift 2
    say "$title"
    if logged "lint-$name" "$@"; then passed=$((passed + 1)); else failed+=("$name"); fi
}

# Parsed, not run, and nothing written beside the sources.
python_compiles() {
    git ls-files -z --cached --others --exclude-standard '*.py' |
        xargs -0 "$VENV/bin/python" -c 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]'
}

"$ROOT/scripts/venv.sh" "$ROOT/tests/lint-requirements.txt"
check rustfmt "rustfmt" cargo fmt --all --check
check shellcheck "shellcheck" "$VENV/bin/shellcheck" -x -P SCRIPTDIR scripts/*.sh .ci/run
check python "Python compiles" python_compiles

if [ "${1:-}" != quick ]; then
    "$ROOT/scripts/tools.sh"
    for name in pg16 pg15; do
        if ! pg_config=$("$ROOT/scripts/postgres.sh" "$name"); then
            note "clippy for $name is left out"
            skipped=$((skipped + 1))
            continue
        fi
        PGRX_PG_CONFIG_PATH=$pg_config check "clippy-$name" "clippy for $name (2 minutes the first time)" \
            cargo clippy --workspace --all-targets --no-default-features --features "$name" -- -D warnings
    done
    pg_config=$("$ROOT/scripts/postgres.sh" pg16)
    "$ROOT/scripts/build.sh" "$pg_config"
    check pgspot "pgspot over the generated SQL" "$VENV/bin/pgspot" "$("$pg_config" --sharedir)"/extension/memory_ext--*.sql
fi

echo "$passed passed, ${#failed[@]} failed, $skipped skipped"
[ ${#failed[@]} -eq 0 ] || die "lint failed: ${failed[*]}"
