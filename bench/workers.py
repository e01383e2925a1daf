"""What the workers do to the application: memory_add_turn alone, and while 200 sessions that ended at once are summarised
by an LLM that takes half a second.

    make bench-workers

Prints the time of a turn as the application sees it, with and without the load, and the server's processor time for it,
which other work on the machine hardly changes; how long the summaries took; the oldest transaction that was seen.
"""

import os
import statistics
import sys
import threading
import time
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "system"))
from provider import Provider  # noqa: E402

SESSIONS = 200
PAUSE = 0.01
GOAL = 1.2


def main():
    url = os.environ["DATABASE_URL"]
    with Provider() as provider, psycopg.connect(url, autocommit=True) as connection:
        provider.behave("chat", "slow", seconds=0.5)
        database = connection.info.dbname
        settings = {"llm_provider": "openai", "llm_endpoint": provider.endpoint, "llm_model": "bench"}
        settings |= {"llm_concurrency": 32, "extract_turns": 0, "analyze_turns": 0}
        for name, value in settings.items():
            connection.execute(f"ALTER DATABASE \"{database}\" SET memory_ext.{name} = '{value}'")
        restart_worker(connection)
        ratios = []
        for round_number in range(3):
            with connection.transaction():
                for n in range(SESSIONS):
                    connection.execute(
                        "SELECT memory_add_turn(%s, %s, '오늘 회의가 세 번 있었어. 저녁에는 친구를 만나.', '바쁜 하루네!') FROM generate_series(1, 3)",
                        (f"user {n}", f"s{round_number}"),
                    )
            alone = measure(url, lambda: time.sleep(6))
            oldest = []
            began = time.monotonic()
            loaded = measure(url, lambda: end_all(connection, round_number, oldest))
            ratios.append(loaded[0] / alone[0])
            print(f"round {round_number + 1}: {SESSIONS} summaries in {time.monotonic() - began:.1f} s, oldest transaction {max(oldest) * 1000:.0f} ms")
            print(f"  memory_add_turn alone     median {alone[0] * 1e6:6.0f} us   p95 {alone[1] * 1e6:6.0f} us   processor {alone[2] * 1e6:5.0f} us")
            print(f"  memory_add_turn in load   median {loaded[0] * 1e6:6.0f} us   p95 {loaded[1] * 1e6:6.0f} us   processor {loaded[2] * 1e6:5.0f} us")
        dead = connection.execute("SELECT n_live_tup, n_dead_tup, autovacuum_count FROM pg_stat_user_tables WHERE relid = 'memory.jobs'::regclass").fetchone()
        print(f"memory.jobs: {dead[0]} rows, {dead[1]} dead, {dead[2]} times vacuumed")
        print(f"ratio of the medians {min(ratios):.2f} to {max(ratios):.2f}  (goal: at most {GOAL})")


def restart_worker(connection):
    """So that it knows the settings of the database."""
    named = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'memory_ext worker' AND datname = current_database()"
    old = None
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = connection.execute(named).fetchone()
        if found and old is None:
            old = found
            connection.execute("SELECT pg_terminate_backend(%s)", found)
        elif found and found != old:
            return
        time.sleep(0.1)
    sys.exit("the server has no worker: is memory_ext.workers off?")


def end_all(connection, round_number, oldest):
    session = f"s{round_number}"
    connection.execute("SELECT memory_end_session('user ' || n, %s) FROM generate_series(0, %s) AS n", (session, SESSIONS - 1))
    while True:
        oldest.append(
            float(
                connection.execute(
                    "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                ).fetchone()[0]
            )
        )
        done = connection.execute("SELECT count(*) FROM memory.summaries WHERE session_id = %s AND source = 'llm'", (session,)).fetchone()[0]
        if done == SESSIONS:
            return
        time.sleep(0.05)


def measure(url, meanwhile):
    """Median and 95th percentile of a turn's time, and the server's processor time for one, while something else goes on."""
    stop, times, spent = threading.Event(), [], []

    def talk():
        with psycopg.connect(url, autocommit=True) as connection:
            pid, n = connection.info.backend_pid, 0
            began = processor_time(pid)
            while not stop.is_set():
                at = time.perf_counter()
                connection.execute("SELECT FROM memory_add_turn('somebody', %s, '강가를 따라 오래 걸었어', '좋았겠다')", (f"{pid}-{n // 100}",))
                times.append(time.perf_counter() - at)
                n += 1
                time.sleep(PAUSE)
            spent.append((processor_time(pid) - began) / n)

    thread = threading.Thread(target=talk)
    thread.start()
    meanwhile()
    stop.set()
    thread.join()
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.95)], spent[0]


def processor_time(pid):
    """Seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
