"""scripts/doc_sql.py on a real server: a page that holds, and one that lies in every way it can."""

import os
import subprocess
import sys
from pathlib import Path

from cluster import BINDIR

TOOL = Path(__file__).resolve().parents[2] / "scripts" / "doc_sql.py"

TRUE = """
```sql
CREATE TABLE words (word text);
INSERT INTO words VALUES ('기억'), ('memory');
SELECT word, now() AS at FROM words ORDER BY word;
```
```text
  word  |              at
--------+...
 memory | ...
...
(2 rows)
```
The session goes on:
```sql
SELECT count(*) FROM pg_extension WHERE extname = 'memory_ext';
```
```text
 count
-------
     1
(1 row)
```
```sql error
SELECT nothing FROM words; -- ERROR: column "nothing" does not exist
```
```sql
SELECT json_build_object('word', word, 'at', now()) FROM words LIMIT 1;
```
```json
{"word": "기억", "at": "..."}
```
```sql skip
DROP TABLE words;
```
"""

FALSE = """
```sql
SELECT 1 / 0;
```
```sql
SELECT 1 AS one;
```
```text
 one
-----
   2
(1 row)
```
```sql error
SELECT 1;
```
```sql
SELECT 1
```
```sql
SELECT 'still alive';
```
"""


def check(server, page, text):
    page.write_text(text)
    env = {**os.environ, "PGHOST": str(server.sockets), "PGPORT": "5432", "PGUSER": "postgres", "PSQL": str(BINDIR / "psql")}
    done = subprocess.run([sys.executable, TOOL, page], env=env, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_a_true_page(shared_cluster, tmp_path):
    status, said = check(shared_cluster, tmp_path / "true.md", TRUE)
    assert said.splitlines()[-1] == "4 passed, 0 failed, 1 skipped", said
    assert status == 0


def test_a_false_page(shared_cluster, tmp_path):
    status, said = check(shared_cluster, tmp_path / "false.md", FALSE)
    assert said.splitlines()[-1] == "1 passed, 4 failed, 0 skipped", said
    for word in ("division by zero", "+   1", "should fail", "semicolon"):
        assert word in said
    assert status != 0


def test_a_page_without_sql_is_no_success(shared_cluster, tmp_path):
    assert check(shared_cluster, tmp_path / "empty.md", "# Nothing\n")[0] != 0
