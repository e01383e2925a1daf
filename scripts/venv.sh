#!/usr/bin/env bash
# A private Python for the tools that come from PyPI: venv.sh [REQUIREMENTS-FILE]
. "$(dirname "$0")/lib.sh"

if [ ! -x "$VENV/bin/pip" ]; then
    say "making a private Python environment (5 seconds)"
    rm -rf "$VENV"
    logged venv python3 -m venv "$VENV"
fi

[ $# -gt 0 ] || exit 0
stamp=$VENV/.$(basename "$1").$(sha256sum "$1" | cut -c1-16)
if [ ! -f "$stamp" ]; then
    say "getting the Python packages of ${1#"$ROOT"/} (20 seconds)"
    logged "pip-$(basename "$1")" "$VENV/bin/pip" install --disable-pip-version-check -r "$1"
    touch "$stamp"
fi
