"""The reader of pages: what it takes for a block, and what it takes for a lie."""

import doc_sql
import pytest

PAGE = """# Page

```sql
SELECT 1 AS one;
```

```text
 one
-----
   1
(1 row)
```

```sql error
SELECT 1 / 0; -- ERROR: division by zero
```

Words in between.

```text
not an output
```

1. In a list:
   ```sql skip
   DROP DATABASE important;
   ```

```rust
fn no_sql() {}
```

```sql
SELECT '{"a": 1}'::json;
```
```json
{"a": "..."}
```
"""


def test_parse_finds_blocks_and_their_outputs():
    one, error, skip, json = doc_sql.parse(PAGE)
    assert (one.line, one.text, one.expected_kind) == (3, "SELECT 1 AS one;", "text")
    assert one.expected.startswith(" one\n-----")
    assert (error.info, error.expected) == (["sql", "error"], None)
    assert (skip.info, skip.text, skip.expected) == (["sql", "skip"], "DROP DATABASE important;", None)
    assert (json.expected, json.expected_kind) == ('{"a": "..."}', "json")


@pytest.mark.parametrize(
    "sql, finished",
    [
        ("SELECT 1;", True),
        ("SELECT 1; -- why", True),
        ("SELECT 1;\n-- why\n", True),
        ("SELECT 1 \\gset", True),
        ("\\dx", True),
        ("SELECT 1", False),
        ("SELECT 1; SELECT 2", False),
        ("-- nothing", False),
        ("", False),
    ],
)
def test_a_block_must_end_its_last_statement(sql, finished):
    assert doc_sql.is_finished(sql) is finished


@pytest.mark.parametrize(
    "expected, actual, same",
    [
        ("a\nb", "a  \nb\n\n", True),
        ("a\nb", "a\nc", False),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...\nd", "a\nd", True),
        (" word |      at\n------+---...\n a    | 12...", " word |  at\n------+-----\n a    | 12.5", True),
        (" word |      at\n------+---...\n a    | 12...", " word |  at\n------+-----\n b    | 12.5", False),
        (" word |  at\n------+----\n a    | 12", " word | at\n------+----\n a    | 12", False),
        ("a\n...\nd", "a\nb\nc", False),
        ("id ... end", "id 0198-abc end", True),
        ("id ... end", "id 0198-abc\nend", False),
        ("a", "a\nb", False),
        (" 1 + 2 ", " 1 + 2", True),
    ],
)
def test_text_output(expected, actual, same):
    assert doc_sql.text_matches(expected, actual) is same


@pytest.mark.parametrize(
    "expected, actual, same",
    [
        ({"a": [1, "..."]}, {"a": [1, {"b": 2}]}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1], False),
        (1, True, False),
        ("...", None, True),
    ],
)
def test_json_output(expected, actual, same):
    assert doc_sql.json_matches(expected, actual) is same


def block(text, *words, expected=None, kind=None):
    return doc_sql.Block(1, ["sql", *words], text, expected, kind)


FAILED = "psql:<stdin>:7: ERROR:  division by zero\n"


def test_judge_good_blocks():
    assert doc_sql.judge(block("SELECT 1;"), " 1\n") is None
    assert doc_sql.judge(block("SELECT 1/0; -- ERROR: division by zero", "error"), FAILED) is None
    assert doc_sql.judge(block("SELECT 1/0;", "error", expected="ERROR:  division by zero", kind="text"), FAILED) is None
    assert doc_sql.judge(block("SELECT j;", expected='{"a": 1}', kind="json"), '{"a":   1}\n') is None


def test_judge_bad_blocks():
    assert "division by zero" in doc_sql.judge(block("SELECT 1/0;"), FAILED)
    assert "should fail" in doc_sql.judge(block("SELECT 1;", "error"), " 1\n")
    assert "should say" in doc_sql.judge(block("SELECT 1/0; -- ERROR: overflow", "error"), FAILED)
    assert "+ 2" in doc_sql.judge(block("SELECT 1;", expected=" 1", kind="text"), " 2\n")
    assert "not JSON" in doc_sql.judge(block("SELECT 1;", expected="{}", kind="json"), "nothing\n")
    assert "semicolon" in doc_sql.judge(block("SELECT 1"), "")
    assert "end" in doc_sql.judge(block("SELECT 1;"), None)
    assert doc_sql.judge(block("\\nothing"), "psql:<stdin>:2: error: invalid command \\nothing\n")
