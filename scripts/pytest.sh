#!/usr/bin/env bash
# pytest of the private Python environment, at the root of the clone.
. "$(dirname "$0")/lib.sh"
cd "$ROOT"
export PYTHONDONTWRITEBYTECODE=1
exec "$VENV/bin/python" -m pytest -c tests/pytest.ini --basetemp "$TARGET/pytest" "$@"
