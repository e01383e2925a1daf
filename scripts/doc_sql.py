#!/usr/bin/env python3
"""Runs the SQL of Markdown pages, so that no page shows what does not work.

    doc_sql.py PAGE…      (PSQL names the psql program; libpq's PG* variables name the server)

Each page gets a fresh database and one psql session, in which its blocks run from top to bottom. The extension is
created first, unless a block of the page does that itself. Blocks are marked by the words after ```:

    sql          must run without an error
    sql error    must fail; a comment `-- ERROR: text` in it must be part of the message
    sql skip     is not run, but counted

A ```text block directly after an SQL block is its exact output, as psql -q prints it; spaces at line ends do not
matter, and `...` stands for anything: any lines when alone on a line, any characters within one; then the widths of
the columns do not matter either, for they follow what the dots stand for. A ```json block
directly after an SQL block is the one JSON value that it returns; layout does not matter, "..." stands for any value.
The last line is `N passed, N failed, N skipped`.
"""

import difflib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>`{3,})(?P<info>.*)$")
# What psql puts before a message when it reads a script.
PREFIX = re.compile(r"^psql:<stdin>:\d+: ", re.M)
FAILURE = re.compile(r"^psql:<stdin>:\d+: (?:ERROR|FATAL|PANIC|error|fatal): ", re.M)


@dataclass
class Block:
    line: int
    info: list
    text: str
    expected: str = None
    expected_kind: str = None

    @property
    def is_sql(self):
        return self.info[:1] == ["sql"]


def parse(markdown):
    """The SQL blocks of a page, each with the output that the page promises."""
    lines = markdown.splitlines()
    blocks, previous, i = [], None, 0
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if not fence:
            # Anything but an empty line parts a block from the output after it.
            previous = previous if not lines[i].strip() else None
            i += 1
            continue
        start, indent, ticks = i, len(fence["indent"]), fence["ticks"]
        body = []
        i += 1
        while i < len(lines) and not re.fullmatch(rf"[ \t]*{ticks}`*\s*", lines[i]):
            body.append(lines[i][indent:] if not lines[i][:indent].strip() else lines[i])
            i += 1
        i += 1
        block = Block(start + 1, fence["info"].split(), "\n".join(body))
        if block.is_sql:
            blocks.append(block)
            previous = block
        else:
            if previous and block.info[:1] in (["text"], ["json"]):
                previous.expected, previous.expected_kind = block.text, block.info[0]
            previous = None
    return blocks


def is_finished(sql):
    """Whether the last statement ends within the block, so that it cannot run into the next one."""
    code = [line for line in sql.splitlines() if line.strip() and not line.strip().startswith("--")]
    if not code:
        return False
    last = code[-1].strip()
    return last.startswith("\\") or re.search(r"(;|\\(g|gx|gset|gexec|crosstabview)\b[^;]*)\s*(--.*)?$", last) is not None


def begin_mark(number):
    return f"-*- doc_sql begin {number} -*-"


def end_mark(number):
    return f"-*- doc_sql end {number} -*-"


def script(blocks):
    """One psql script, with a mark around the output of each block."""
    parts = []
    for number, block in enumerate(blocks):
        bare = block.expected_kind == "json"
        parts += [
            "\\pset format unaligned\n\\pset tuples_only on" if bare else "",
            f"\\echo '{begin_mark(number)}'",
            # Judged already; sent, it would run into the next block.
            block.text if is_finished(block.text) else "",
            f"\\echo '{end_mark(number)}'",
            "\\pset format aligned\n\\pset tuples_only off" if bare else "",
        ]
    return "\n".join(parts) + "\n"


def outputs(printed, blocks):
    """What each block printed; None for a block that did not come to its end."""
    found = []
    for number in range(len(blocks)):
        match = re.search(re.escape(begin_mark(number)) + r"\n(.*?)" + re.escape(end_mark(number)), printed, re.S)
        found.append(match[1] if match else None)
    return found


def tidy(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def without_widths(text):
    """A table whose columns are as wide as their longest cell looks the same afterwards whatever that cell holds."""
    return re.sub(r"-{2,}", "--", re.sub(r" +", " ", text)).replace("\n ", "\n").lstrip(" ")


def text_matches(expected, actual):
    """Compares lines; `...` stands for anything."""
    if "..." in expected:
        expected, actual = without_widths(expected), without_widths(actual)
    pattern = ""
    for line in tidy(expected):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(re.escape(piece) for piece in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in tidy(actual))) is not None


def json_matches(expected, actual):
    if expected == "...":
        return True
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(json_matches(expected[key], actual[key]) for key in expected)
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(json_matches, expected, actual))
    return type(expected) is type(actual) and expected == actual


def difference(expected, actual):
    return "\n".join(difflib.unified_diff(tidy(expected), tidy(actual), "on the page", "printed", lineterm=""))


def judge(block, printed):
    """None when the block did what the page says, else what is wrong."""
    if not is_finished(block.text):
        return "the last statement has no end (a semicolon is missing)"
    if printed is None:
        return "psql never came to the end of it"
    failed = FAILURE.search(printed)
    plain = PREFIX.sub("", printed)
    if "error" in block.info[1:]:
        if not failed:
            return f"it should fail, but it printed:\n{plain}"
        for wanted in re.findall(r"--\s*ERROR:\s*(.+)", block.text):
            if wanted.strip() not in plain:
                return f"the error should say: {wanted.strip()}\nbut it says:\n{plain}"
    elif failed:
        return plain
    if block.expected is None:
        return None
    if block.expected_kind == "json":
        try:
            same = json_matches(json.loads(block.expected), json.loads(plain))
        except ValueError as problem:
            return f"not JSON ({problem}); it printed:\n{plain}"
        return None if same else difference(block.expected, json.dumps(json.loads(plain), indent=2, ensure_ascii=False))
    return None if text_matches(block.expected, plain) else difference(block.expected, plain)


def psql(database, text, *options):
    command = [os.environ.get("PSQL", "psql"), "-X", "-q", "-P", "pager=off", "-d", database, "-f", "-", *options]
    environment = {**os.environ, "PGCLIENTENCODING": "UTF8"}
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    return done.returncode, done.stdout.decode(errors="replace")


def must(database, text):
    status, printed = psql(database, text, "-v", "ON_ERROR_STOP=1")
    if status != 0:
        raise SystemExit(f"doc_sql: {text}: {printed}")


def run_page(page):
    """Counts of passed, failed and skipped blocks."""
    blocks = parse(Path(page).read_text())
    skipped = [block for block in blocks if "skip" in block.info[1:]]
    blocks = [block for block in blocks if block not in skipped]
    for block in skipped:
        print(f"{page}:{block.line}: skipped")
    if not blocks:
        return 0, 0, len(skipped)

    database = "doc_" + re.sub(r"\W", "_", Path(page).stem.lower())
    must("postgres", f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE);\nCREATE DATABASE "{database}";')
    creates = re.compile(r"create\s+extension\s+(if\s+not\s+exists\s+)?memory_ext", re.I)
    if not any(creates.search(block.text) for block in blocks):
        must(database, "SET client_min_messages = warning; CREATE EXTENSION memory_ext CASCADE;")

    _, printed = psql(database, script(blocks))
    failed = 0
    for block, output in zip(blocks, outputs(printed, blocks)):
        wrong = judge(block, output)
        if wrong:
            failed += 1
            print(f"{page}:{block.line}: FAILED: {wrong}\n")
    must("postgres", f'DROP DATABASE "{database}" WITH (FORCE);')
    print(f"{page}: {len(blocks) - failed} of {len(blocks)} blocks hold")
    return len(blocks) - failed, failed, len(skipped)


def main(pages):
    counts = [run_page(page) for page in pages]
    passed, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 0, 0)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("doc_sql: no page was given")
    sys.exit(main(sys.argv[1:]))
