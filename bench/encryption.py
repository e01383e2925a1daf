"""What encryption costs: memory_add_turn, memory_recall and build_context_json, encrypted against plain.

    make bench-encryption

Two databases of one server hold the same conversations; only one has a master key. The calls alternate between them. Prints
the server's processor time for a call in microseconds, which other work on the machine hardly changes, the best of
many short rounds each, and the ratios, which must be at most 1.3.
"""

import os
import sys
import time
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

LIMIT = 1.3
ROUNDS = 40
CALLS = 50
TURNS = 500
MEMORIES = 200
USER = "mina"
SAID = [
    "오늘은 비가 와서 우산을 쓰고 한강을 따라 오래 걸었어. 생각이 많아지더라",
    "I finally finished the report that my manager asked for, and then I slept for ten hours straight.",
    "주말에 동생이랑 부산에 가려고 하는데 어디가 좋을까? 바다가 보이는 카페면 좋겠어",
    "My sister's wedding is in October and I still have no idea what I should give her.",
    "요즘 새로 시작한 퍼즐이 너무 재미있어서 잠을 못 자겠어",
]
ANSWER = "그랬구나, 정말 길고도 좋은 하루였겠다. Tell me more about it, I would like to know how it went on from there."
MEMORY = "사용자는 {n}번째 이야기에서 비 오는 날의 산책과 부산 여행을 좋아한다고 말했다 (story {n})"

WORK = {
    "memory_add_turn": ("SELECT FROM memory_add_turn(%s, %s, %s, %s)", lambda n: (USER, f"new-{n // 50}", SAID[n % 5], ANSWER)),
    "memory_recall": ("SELECT * FROM memory_recall(%s, %s)", lambda n: (USER, SAID[n % 5][:30])),
    "build_context_json": (
        "SELECT build_context_json(%s, %s, %s)",
        lambda n: (USER, f"s-{n % 10}", SAID[n % 5]),
    ),
}  # fmt: skip


def main():
    plain, encrypted = prepare("bench_plain", False), prepare("bench_encrypted", True)
    failed = False
    print(f"{'':20}{'plain':>10}{'encrypted':>12}{'ratio':>8}")
    for name, (statement, arguments) in WORK.items():
        best = {plain: float("inf"), encrypted: float("inf")}
        for number in range(ROUNDS):
            for connection in (plain, encrypted):
                spent = processor_time(connection)
                for n in range(CALLS):
                    connection.execute(statement, arguments(number * CALLS + n))
                best[connection] = min(best[connection], (processor_time(connection) - spent) / CALLS)
        ratio = best[encrypted] / best[plain]
        failed |= ratio > LIMIT
        print(f"{name:20}{best[plain] * 1e6:7.0f} us{best[encrypted] * 1e6:9.0f} us{ratio:8.2f}  (goal: at most {LIMIT})")
    sys.exit(1 if failed else 0)


def prepare(name, encrypt):
    """A connection to a fresh database with a user's conversations and memories."""
    url = os.environ["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        if encrypt:
            # In the server's data directory, by the server's user.
            connection.execute(
                "COPY (SELECT encode(sha256(gen_random_uuid()::text::bytea), 'hex')) TO PROGRAM 'umask 077; cat > bench.key'"
            )
            connection.execute(f"ALTER DATABASE {name} SET memory_ext.master_key_file = 'bench.key'")
    connection = psycopg.connect(make_conninfo(url, dbname=name), autocommit=True)
    connection.execute("SET client_min_messages = warning")
    connection.execute("CREATE EXTENSION memory_ext CASCADE")
    # The disk would hide what encryption costs.
    connection.execute("SET synchronous_commit = off")
    for n in range(TURNS):
        connection.execute("SELECT FROM memory_add_turn(%s, %s, %s, %s)", (USER, f"s-{n % 10}", SAID[n % 5], ANSWER))
    for n in range(MEMORIES):
        connection.execute("SELECT FROM memory_create(%s, %s, force => true)", (USER, MEMORY.format(n=n)))
    connection.execute("VACUUM ANALYZE")
    sealed = connection.execute("SELECT count(*) FILTER (WHERE starts_with(content, chr(1))), count(*) FROM memory.stored_messages").fetchone()
    assert sealed[0] == (sealed[1] if encrypt else 0), sealed
    return connection


def processor_time(connection):
    """Seconds that the connection's server process has used; the clock where there is no /proc."""
    used = Path(f"/proc/{connection.info.backend_pid}/schedstat")
    return int(used.read_text().split()[0]) / 1e9 if used.exists() else time.perf_counter()


if __name__ == "__main__":
    main()
