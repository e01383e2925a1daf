#!/usr/bin/env python3
"""Counts what the parts of a test run did and sums them up.

    results.py RESULTS count PART KIND LOG EXIT-STATUS   reads the counts of one part from its log
    results.py RESULTS skip PART REASON                  a part that could not run here
    results.py RESULTS sum                               the table and the line `N passed, N failed`

RESULTS is a file with one JSON object a line. KIND is cargo, regress, pytest (a JUnit XML file) or line
(a log that holds a line `N passed, N failed[, N skipped]`). A part that ran no test, or that ended with
an error its counts do not show, counts as one failure: silence is never success.
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def count_cargo(text):
    """`test result: ok. 5 passed; 0 failed; 1 ignored; …`, once for each test binary."""
    found = re.findall(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", text, re.M)
    return tuple(sum(int(row[i]) for row in found) for i in range(3))


def count_regress(text):
    """`All 3 tests passed.` or `1 of 3 tests failed.`, the same words in every major."""
    if all_passed := re.search(r"All (\d+) tests passed", text):
        return int(all_passed[1]), 0, 0
    if some_failed := re.search(r"(\d+) of (\d+) tests failed", text):
        failed, total = int(some_failed[1]), int(some_failed[2])
        return total - failed, failed, 0
    return 0, 0, 0


def count_pytest(text):
    passed = failed = skipped = 0
    for suite in ET.fromstring(text).iter("testsuite"):
        bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        left_out = int(suite.get("skipped", 0))
        failed += bad
        skipped += left_out
        passed += int(suite.get("tests", 0)) - bad - left_out
    return passed, failed, skipped


def count_line(text):
    found = re.findall(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", text, re.M)
    return tuple(int(n or 0) for n in found[-1]) if found else (0, 0, 0)


KINDS = {"cargo": count_cargo, "regress": count_regress, "pytest": count_pytest, "line": count_line}


def count(kind, log, status):
    """Counts of one part, with a failure added where the counts would hide one."""
    try:
        passed, failed, skipped = KINDS[kind](Path(log).read_text(errors="replace"))
    except (OSError, ET.ParseError):
        passed = failed = skipped = 0
    why = ""
    if status != 0 and failed == 0:
        failed, why = 1, f"ended with exit status {status}"
    elif passed + failed == 0:
        failed, why = 1, "ran no test"
    return {"passed": passed, "failed": failed, "skipped": skipped, "note": why}


def add(results, part, entry):
    with open(results, "a") as out:
        out.write(json.dumps({"part": part, **entry}) + "\n")


def summary(entries):
    """Lines of the table, the last one being the sum, and whether all went well."""
    total = {"passed": 0, "failed": 0, "skipped": 0}
    lines = []
    for entry in entries:
        for key in total:
            total[key] += entry[key]
        remark = f"  ({entry['note']})" if entry["note"] else ""
        lines.append(f"{entry['part']:<18}{entry['passed']:>6}{entry['failed']:>8}{entry['skipped']:>9}{remark}")
    if total["passed"] + total["failed"] == 0:
        total["failed"] = 1
        lines.append("no part ran")
    last = f"{total['passed']} passed, {total['failed']} failed"
    if total["skipped"]:
        last += f", {total['skipped']} skipped"
    header = f"{'part':<18}{'passed':>6}{'failed':>8}{'skipped':>9}"
    return [header, *lines, last], total["failed"] == 0


def main(argv):
    results, command, *rest = argv
    if command == "count":
        part, kind, log, status = rest
        entry = count(kind, log, int(status))
        add(results, part, entry)
        return 0 if entry["failed"] == 0 else 1
    if command == "skip":
        part, reason = rest
        add(results, part, {"passed": 0, "failed": 0, "skipped": 1, "note": f"skipped: {reason}"})
        return 0
    if command == "sum":
        path = Path(results)
        entries = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        lines, good = summary(entries)
        print("\n".join(lines))
        return 0 if good else 1
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
