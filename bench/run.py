"""Speed, as ratios out of one run: ours against plain SQL on the same rows.

    make bench [SCALE=0.01] [ONLY=conversations|memories]

Prints a table and writes target/bench/results.json.
"""

import argparse
import time
from pathlib import Path

import conversations
import memories
from report import Report

BENCHMARKS = {"conversations": conversations.run, "memories": memories.run}
RESULTS = Path(__file__).parents[1] / "target" / "bench" / "results.json"


def main():
    parser = argparse.ArgumentParser(description="the benchmarks of memory_ext")
    parser.add_argument("only", nargs="*", help="which of: " + ", ".join(BENCHMARKS))
    parser.add_argument("--scale", type=float, default=1.0, help="1 is everything, 0.01 takes a minute")
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(unknown)}")

    report = Report(arguments.scale)
    for name in arguments.only or BENCHMARKS:
        started = time.monotonic()
        BENCHMARKS[name](report, arguments.scale)
        say(f"{name} took {time.monotonic() - started:.0f} s")
        report.write(RESULTS)
    print()
    report.print()


def say(text):
    print(f"==> {text}", flush=True)


if __name__ == "__main__":
    main()
