#!/usr/bin/env bash
# Makes the built-in model anew into target/model/ (an hour; models/README.md says from what and how).
# Arguments go to models/make.py: --chatbot, --korsts, --klue, --locomo with a file each.
. "$(dirname "$0")/lib.sh"

"$ROOT/scripts/venv.sh" "$ROOT/models/requirements.txt"
mkdir -p "$TARGET/model"
# One thread: sums of several threads differ from run to run.
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$VENV/bin/python" "$ROOT/models/make.py" --work "$TARGET/model" \
    --out "$TARGET/model/builtin-ko-en-1.bin" "$@"
note "To ship it, copy it to models/ and write its bits into core/tests/builtin_model.rs."
