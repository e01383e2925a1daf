"""memory_recall against the bare search by vector, memory_decay by the size of its scope, indexes against the exact pass."""

from contextlib import contextmanager

import numpy as np
from corpus import Corpus
from memory_data import load, user_id
from server import Database, median

ENTRIES = 2_000_000
SIZES = {100: 4, 1_000: 4, 10_000: 2, 100_000: 1}
"""How many users have so many memories."""
BIG = 200_000
EXACT_LIMIT = 20_000
EXACTLY = 2**31 - 1
"""As memory_ext.exact_limit: never through the indexes."""
VECTOR_INDEX = "memory.search_entries_vector_256"
QUERIES = 50
"""Of each user."""

RECALL = "id FROM memory_recall(q.user_id, q.content, q.embedding)"
BARE = "id FROM bench.memories WHERE user_id = q.user_id ORDER BY embedding <=> q.embedding LIMIT 10"

# Times each query on the server, so that nothing but the statement is in the figure.
TIMER = """
    CREATE FUNCTION bench.{name}(wanted int) RETURNS SETOF float8 LANGUAGE plpgsql AS $$
    DECLARE
        q record;
        began timestamptz;
    BEGIN
        FOR q IN SELECT * FROM bench.queries WHERE size = wanted LOOP
            began := clock_timestamp();
            PERFORM {statement};
            RETURN NEXT extract(epoch FROM clock_timestamp() - began) * 1e6;
        END LOOP;
    END $$
"""


def run(report, scale):
    entries = max(int(ENTRIES * scale), 5_000)
    sizes = [max(int(size * scale), 10) for size, users in SIZES.items() for _ in range(users)]
    big = max(int(BIG * scale), 100)
    corpus = Corpus()
    exact_limit = int(EXACT_LIMIT * scale)
    full = prepare("bench_memories", corpus, entries, [*sizes, big], exact_limit)
    tenth = prepare("bench_memories_tenth", corpus, entries // 10, sizes, exact_limit)
    passes = 5 if scale >= 0.1 else 2
    recall(report, full, tenth, list(dict.fromkeys(sizes)), exact_limit, passes)
    tenth.drop()
    through_indexes(report, full, [max(sizes), big], exact_limit, passes)
    decay(report, full, sizes, 500 if scale >= 0.1 else 50)
    full.drop()


def prepare(name, corpus, entries, sizes, exact_limit):
    print(f"==> loading {entries:,} memories", flush=True)
    database = Database(name)
    load(database, corpus, entries, sizes, QUERIES)
    with database.connect() as connection:
        connection.execute(TIMER.format(name="recall", statement=RECALL))
        connection.execute(TIMER.format(name="bare", statement=BARE))
        connection.execute(TIMER.format(name="recall_exact", statement=RECALL))
        connection.execute(f"ALTER FUNCTION bench.recall_exact SET memory_ext.exact_limit = {EXACTLY}")
        print("==> handing big users over to the indexes", flush=True)
        hand_over(connection, [size for size in sizes if size > exact_limit], exact_limit)
    return database


def times(connection, name, size):
    return [row[0] for row in connection.execute(f"SELECT bench.{name}(%s)", [size])]


def recall(report, full, tenth, sizes, exact_limit, passes):
    """As users get it: the exact pass up to the limit, the indexes above."""
    print("==> memory_recall and the bare search by vector", flush=True)
    with full.connect() as at_full, tenth.connect() as at_tenth:
        for connection in (at_full, at_tenth):
            connection.execute("SET memory_ext.exact_limit = %d" % exact_limit)
        kinds = {
            "ours": (at_full, "recall"),
            "bare": (at_full, "bare"),
            "ours_tenth": (at_tenth, "recall"),
            "bare_tenth": (at_tenth, "bare"),
        }
        for size in sizes:
            at = measure(kinds, size, passes)
            for share, label in [(50, "p50"), (95, "p95")]:
                ours, bare, ours_tenth, bare_tenth = (float(np.percentile(at[name], share)) for name in kinds)
                what = f"memory_recall / by vector alone, {label}, {size:,} memories"
                limit = 1.5 if size == sizes[2] else None
                report.add("memories", what, ours, bare, ours / bare, "µs", at_most=limit)
                what = f"memory_recall, {label}, {size:,} memories: cost in 10 × the table"
                report.add("memories", what, ours, ours_tenth, ours / ours_tenth, "µs", at_most=1.2)
                what = f"by vector alone, {label}, {size:,} memories: cost in 10 × the table"
                report.add("memories", what, bare, bare_tenth, bare / bare_tenth, "µs")


def measure(kinds, size, passes):
    """The time of every query: the median of its times in several passes, which alternate between the kinds."""
    for kind in kinds.values():
        times(*kind, size)
    done = {name: [] for name in kinds}
    for _ in range(passes):
        for name, kind in kinds.items():
            done[name].append(times(*kind, size))
    return {name: np.median(one, axis=0) for name, one in done.items()}


def decay(report, database, sizes, transactions):
    print("==> memory_decay", flush=True)
    large, small = max(sizes), sorted(set(sizes))[-2]

    def one(size):
        script = f"SELECT memory_decay('{user_id(sizes.index(size))}');"
        limit = ["-t", transactions]
        return database.pgbench(script, limit, clients=1, settings={"synchronous_commit": "off"}).percentile(0.5)

    one(large), one(small)
    pairs = [(one(large), one(small)) for _ in range(5)]
    ratio = median(a / b for a, b in pairs)
    what = f"memory_decay, {large:,} / {small:,} memories, p50"
    report.add("memories", what, median(a for a, _ in pairs), median(b for _, b in pairs), ratio, "µs", at_most=1.5)


def through_indexes(report, database, sizes, exact_limit, passes):
    """Users above memory_ext.exact_limit: how much of the exact answer the indexes find, and how fast."""
    print("==> the indexes and the exact pass", flush=True)
    with database.connect() as connection:
        connection.execute("SET memory_ext.exact_limit = %d" % exact_limit)
        for size in sizes:
            path = connection.execute(
                f"""SELECT r.explanation->>'path' FROM bench.queries q
                    CROSS JOIN LATERAL memory_recall(q.user_id, q.content, q.embedding, explain => true) r
                    WHERE size = {size} LIMIT 1"""
            ).fetchone()
            assert path == ("index",), path
            for label, text in [("words and vector", "q.content"), ("vector alone", "NULL")]:
                scans = vector_scans(connection)
                found = answers(connection, size, text)
                # A plan that sorts all entries instead finds everything, too, and would be measured unnoticed.
                assert vector_scans(connection) - scans >= len(found), "the vector index was not used"
                expected = answers(connection, size, text, {"memory_ext.exact_limit": EXACTLY})
                share = float(np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, expected)]))
                what = f"top 10 found by indexes, {label}, {size:,} memories"
                limit = 0.98 if size == max(sizes) else None
                report.add("memories", what, None, None, share, at_least=limit)
            kinds = {"index": (connection, "recall"), "exact": (connection, "recall_exact")}
            at = measure(kinds, size, passes)
            for share, label in [(50, "p50"), (95, "p95")]:
                index, whole = (float(np.percentile(at[name], share)) for name in kinds)
                what = f"memory_recall by indexes / exact pass, {label}, {size:,} memories"
                report.add("memories", what, index, whole, index / whole, "µs")


def vector_scans(connection):
    connection.execute("SELECT pg_stat_force_next_flush()")
    count = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelid = %s::regclass"
    return connection.execute(count, [VECTOR_INDEX]).fetchone()[0]


def hand_over(connection, sizes, exact_limit):
    """Maintenance notices big users. The vector index is made afterwards: row by row it takes minutes."""
    definition = connection.execute("SELECT pg_get_indexdef(%s::regclass)", [VECTOR_INDEX]).fetchone()[0]
    connection.execute(f"DROP INDEX {VECTOR_INDEX}")
    users = [user for user, in connection.execute("SELECT DISTINCT user_id FROM bench.queries WHERE size = ANY (%s)", [sizes])]
    duty = {
        "memory_ext.exact_limit": exact_limit,
        "memory_ext.maintenance_interval": 24 * 60,
        "memory_ext.max_memories": 2**31 - 1,
    }
    with settings(connection, duty):
        for user in users:
            connection.execute("SELECT memory_maintain(%s)", [user])
    big = connection.execute("SELECT count(*) FROM memory.users WHERE big AND user_id = ANY (%s)", [users]).fetchone()[0]
    assert big == len(users), f"only {big} of {len(users)} users are known to be big"
    connection.execute("SET maintenance_work_mem = '1GB'")
    connection.execute(definition)
    connection.execute("VACUUM ANALYZE memory.search_entries")


def answers(connection, size, text, changed=None):
    with settings(connection, changed or {}):
        found = connection.execute(
            f"""SELECT ARRAY(SELECT id FROM memory_recall(q.user_id, {text}, q.embedding))
                FROM bench.queries q WHERE size = {size} ORDER BY content"""
        )
        return [row[0] for row in found]


@contextmanager
def settings(connection, changed):
    """Settings for the time of a block."""
    before = {name: connection.execute(f"SHOW {name}").fetchone()[0] for name in changed}
    for name, value in changed.items():
        connection.execute(f"SET {name} = {value}")
    yield
    for name, value in before.items():
        connection.execute("SELECT set_config(%s, %s, false)", [name, value])
