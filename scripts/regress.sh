#!/usr/bin/env bash
# regress.sh regress|isolation PG_CONFIG OUTPUT-DIR: runs tests/pg_regress or tests/isolation in a fresh database
# of the server that the PG* variables name. On a failure it shows the differences.
. "$(dirname "$0")/lib.sh"

kind=$1 pg_config=$2 out=$3
case $kind in
regress) tests=$ROOT/tests/pg_regress files=(sql sql) program=regress/pg_regress ;;
isolation) tests=$ROOT/tests/isolation files=(specs spec) program=isolation/pg_isolation_regress ;;
*) die "regress or isolation?" ;;
esac
program=$(pg_test_tool "$pg_config" "$program")
[ -x "$program" ] || die "$program is missing" "It comes with the server's development package."

# A test that the schedule forgets, or that has no expected output, would never be seen to fail.
for file in "$tests/${files[0]}"/*."${files[1]}"; do
    test=$(basename "$file" ".${files[1]}")
    grep -Eq "^test:(.* )?$test( |\$)" "$tests/schedule" || die "$test is not in ${tests#"$ROOT"/}/schedule"
    compgen -G "$tests/expected/$test*.out" >/dev/null || die "$test has no file in ${tests#"$ROOT"/}/expected"
done

rm -rf "$out"
mkdir -p "$out"
export PGUSER=${PGUSER:-postgres}
status=0
"$program" --bindir="$("$pg_config" --bindir)" --inputdir="$tests" --outputdir="$out" --schedule="$tests/schedule" \
    --dbname="memory_ext_$kind" --encoding=UTF8 --load-extension=vector --load-extension=memory_ext \
    ${PGHOST:+--host="$PGHOST"} ${PGPORT:+--port="$PGPORT"} --user="$PGUSER" || status=$?
[ ! -s "$out/regression.diffs" ] || cat "$out/regression.diffs"
exit "$status"
