#!/usr/bin/env bash
# fuzz.sh [SECONDS]: builds the targets of fuzz/ and runs each for so many seconds (60). What they learn is kept in
# target/fuzz/corpus. cargo-fuzz would want a nightly compiler; these are its flags for the one we have.
. "$(dirname "$0")/lib.sh"

seconds=${1:-60}
cd "$ROOT/fuzz"
export CARGO_TARGET_DIR=$TARGET/fuzz
RUSTFLAGS="--cfg fuzzing -Cdebug-assertions -Ccodegen-units=1 -Cpasses=sancov-module"
for flag in level=4 inline-8bit-counters pc-table; do RUSTFLAGS+=" -Cllvm-args=-sanitizer-coverage-$flag"; done
export RUSTFLAGS
host=$(rustc -vV | sed -n 's/^host: //p')
say "building the fuzz targets (a minute the first time)"
# With a target named, build scripts and macros are built without these flags.
cargo build --release --target "$host"
for target in fuzz_targets/*.rs; do
    name=$(basename "$target" .rs)
    mkdir -p "$TARGET/fuzz/corpus/$name" "$TARGET/fuzz/artifacts/$name"
    say "fuzzing $name for $seconds seconds"
    "$TARGET/fuzz/$host/release/$name" "$TARGET/fuzz/corpus/$name" -max_total_time="$seconds" -max_len=4096 \
        -artifact_prefix="$TARGET/fuzz/artifacts/$name/" -print_final_stats=1 -verbosity=0
done
