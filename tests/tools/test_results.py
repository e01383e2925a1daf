"""The sum of a test run: nothing that went wrong may look right."""

import json

import pytest
import results

CARGO = """
running 3 tests
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests memory_core
test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out
"""


def test_cargo_adds_up_all_binaries():
    assert results.count_cargo(CARGO) == (4, 2, 1)


@pytest.mark.parametrize(
    "text, counts",
    [
        (" All 3 tests passed. ", (3, 0, 0)),
        ("# All 12 tests passed.", (12, 0, 0)),
        (" 2 of 5 tests failed. ", (3, 2, 0)),
        ("# 1 of 1 tests failed.", (0, 1, 0)),
        ("psql: error: connection refused", (0, 0, 0)),
    ],
)
def test_regress_of_all_majors(text, counts):
    assert results.count_regress(text) == counts


def test_pytest_counts_errors_as_failures():
    xml = '<testsuites><testsuite tests="6" failures="1" errors="1" skipped="1"/></testsuites>'
    assert results.count_pytest(xml) == (3, 2, 1)


def test_line_takes_the_last_one():
    assert results.count_line("1 passed, 1 failed\nmore\n7 passed, 0 failed, 2 skipped\n") == (7, 0, 2)


@pytest.mark.parametrize(
    "text, status, failed, note",
    [
        (" All 3 tests passed. ", 0, 0, ""),
        (" All 3 tests passed. ", 1, 1, "ended with exit status 1"),
        (" 1 of 3 tests failed. ", 1, 1, ""),
        ("", 0, 1, "ran no test"),
        ("", 2, 1, "ended with exit status 2"),
    ],
)
def test_a_part_cannot_fail_in_silence(tmp_path, text, status, failed, note):
    log = tmp_path / "log"
    log.write_text(text)
    entry = results.count("regress", log, status)
    assert (entry["failed"], entry["note"]) == (failed, note)


def test_a_missing_or_broken_log_is_a_failure(tmp_path):
    assert results.count("pytest", tmp_path / "none.xml", 0)["failed"] == 1
    (tmp_path / "half.xml").write_text("<testsuites><testsuite")
    assert results.count("pytest", tmp_path / "half.xml", 0)["failed"] == 1


def run(path, capsys):
    status = results.main([str(path), "sum"])
    return status, capsys.readouterr().out.splitlines()[-1]


def test_sum_of_good_parts(tmp_path, capsys):
    file = tmp_path / "results"
    log = tmp_path / "log"
    log.write_text("4 passed, 0 failed")
    assert results.main([str(file), "count", "one", "line", str(log), "0"]) == 0
    assert results.main([str(file), "count", "two", "line", str(log), "0"]) == 0
    assert run(file, capsys) == (0, "8 passed, 0 failed")


def test_sum_shows_skipped_and_failed(tmp_path, capsys):
    file = tmp_path / "results"
    log = tmp_path / "log"
    log.write_text("4 passed, 1 failed")
    assert results.main([str(file), "count", "one", "line", str(log), "1"]) == 1
    results.main([str(file), "skip", "pg15", "no Debian"])
    assert run(file, capsys) == (1, "4 passed, 1 failed, 1 skipped")
    assert [json.loads(line)["part"] for line in file.read_text().splitlines()] == ["one", "pg15"]


def test_a_run_of_nothing_fails(tmp_path, capsys):
    assert run(tmp_path / "none", capsys) == (1, "0 passed, 1 failed")
