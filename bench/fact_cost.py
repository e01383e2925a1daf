"""What learning costs: memory_add_turn with and without it, in a scope that knows 500 facts.

    make bench-facts

Half of the turns state a fact, half do not. Prints the server's processor time for a turn in microseconds, which other
work on the machine hardly changes, and the ratio, which must be at most 2.
"""

import os
import sys
import time
from pathlib import Path

import psycopg

FACTS = 500
TURNS = 1000
SAID = [
    "나는 스물{n} 살이야",
    "오늘 날씨 진짜 좋다",
    "요즘 취미는 {n}번 퍼즐 맞추기야",
    "그래서 그다음에 어떻게 됐어?",
    "I live in city {n}",
    "Thanks, that means a lot to me!",
    "제일 좋아하는 음식은 떡볶이야",
    "잠깐만, 저기 누가 온다",
]
NUMBERS = ["한", "두", "세", "네", "다섯", "여섯"]


def main():
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        user = "fact-cost"
        connection.execute("SELECT memory_clear(%s, confirm => true)", (user,))
        connection.execute(
            "SELECT count(*) FROM generate_series(1, %s) n, memory_set_fact(%s, 'topic ' || n, 'value ' || n)",
            (FACTS, user),
        )
        # The disk would hide what learning costs.
        connection.execute("SET synchronous_commit = off")
        best = {"on": float("inf"), "off": float("inf")}
        for round_number in range(4):
            for learn in ("off", "on"):
                connection.execute(f"SET memory_ext.learn_facts = {learn}")
                seconds = turns(connection, user, f"{learn}-{round_number}")
                best[learn] = min(best[learn], seconds / TURNS)
    ratio = best["on"] / best["off"]
    print(f"memory_add_turn without learning  {best['off'] * 1e6:7.0f} us")
    print(f"memory_add_turn with learning     {best['on'] * 1e6:7.0f} us")
    print(f"ratio                             {ratio:7.2f}  (goal: at most 2)")
    sys.exit(0 if ratio <= 2 else 1)


def turns(connection, user, session):
    spent = processor_time(connection.info.backend_pid)
    for n in range(TURNS):
        said = SAID[n % len(SAID)].format(n=NUMBERS[n % len(NUMBERS)])
        connection.execute("SELECT FROM memory_add_turn(%s, %s, %s, '그렇구나, 더 말해 줘')", (user, session, said))
    return processor_time(connection.info.backend_pid) - spent


def processor_time(pid):
    """Seconds that a process has used; the clock where there is no /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return time.perf_counter()
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
