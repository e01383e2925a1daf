"""Fills a database with memories as memory_create would have left them, a million in a minute."""

import time

import numpy as np
from corpus import DIMENSIONS, WORDS

BATCH = 20_000
OTHERS = 500
"""Memories of each user who is not asked about."""

# A row of binary COPY. All texts have the same length, so all rows have, and numpy writes a batch in one go.
ROW = np.dtype(
    [
        ("columns", ">i2"),
        ("user_length", ">i4"), ("user", "S12"),
        ("id_length", ">i4"), ("id", "u1", 16),
        ("content_length", ">i4"), ("content", "S84"),
        ("importance_length", ">i4"), ("importance", ">f8"),
        ("terms_length", ">i4"), ("terms_head", ">i4", 5), ("terms", ">i4", (WORDS, 2)),
        ("vector_length", ">i4"), ("vector_head", ">i2", 2), ("vector", ">f4", DIMENSIONS),
    ]
)  # fmt: skip
COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"

# Scopes have faded twenty times, and memories joined on the way.
FILL = """
    INSERT INTO memory.models (name, dimensions) VALUES ('application', 256);
    INSERT INTO memory.scopes (user_id, agent_id, space, model_id, decay_steps, pruned_at)
        SELECT DISTINCT user_id, '', '', 1, 20, now() - interval '2 days' FROM bench.loaded;
    INSERT INTO memory.search_entries (user_id, source, id, agent_id, space, kind, occurred_at, importance, strength,
                                       strength_step, decay, model_id, terms, embedding)
        SELECT user_id, 'r', id, '', '', 'episodic', now() - interval '1 year' * random(), importance, 1,
               (random() * 20)::int, 0.95 + 0.05 * 0.3 * importance, 1, terms, embedding FROM bench.loaded;
    INSERT INTO memory.stored_memories (user_id, id, agent_id, space, kind, content, content_hash, occurred_at,
                                        created_at, updated_at)
        SELECT user_id, id, '', '', 'episodic', content, hashtextextended(id::text, 0), now(), now(), now()
        FROM bench.loaded;
    CREATE TABLE bench.memories (user_id text NOT NULL, id uuid NOT NULL, content text, embedding vector(256));
    INSERT INTO bench.memories SELECT user_id, id, content, embedding FROM bench.loaded;
    CREATE INDEX ON bench.memories (user_id);
    DROP TABLE bench.loaded;
"""


def user_id(number):
    return f"user-{number:07d}"


def load(database, corpus, entries, sizes, queries):
    """`sizes`: how many memories each of the first users has; the rest of the entries belongs to others.
    Each of these users gets so many `queries`, into bench.queries."""
    with database.connect() as connection:
        connection.execute("SET synchronous_commit = off")
        terms = np.array([terms_of(connection, corpus, user_id(user)) for user in range(len(sizes))])
        connection.execute("VACUUM (INDEX_CLEANUP ON) memory.search_entries")
        ask(connection, corpus, sizes, queries)
        connection.execute(
            """CREATE UNLOGGED TABLE bench.loaded (user_id text, id uuid, content text, importance float8, terms int[],
                                                   embedding vector(256))"""
        )
        others = max(entries - sum(sizes), 0)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        owners = np.concatenate([owners, len(sizes) + np.arange(others) // OTHERS])
        # As they come in a running system: users take turns, and everybody's ids go with the time.
        corpus.random.shuffle(owners)
        with connection.cursor().copy("COPY bench.loaded FROM STDIN (FORMAT binary)") as copy:
            copy.write(COPY_HEAD)
            for start in range(0, len(owners), BATCH):
                copy.write(rows(corpus, terms, owners[start : start + BATCH], start))
            copy.write(COPY_END)
        connection.execute(FILL)
    database.settle()


def terms_of(connection, corpus, user):
    """The term that the extension makes of each word for this user."""
    words = [word.decode() for word in corpus.words]
    with connection.transaction(force_rollback=True):
        connection.execute(
            "SELECT count(memory_add_message(%s, 's', 'user', word)) FROM unnest(%s::text[]) word", [user, words]
        )
        found = dict(
            connection.execute(
                "SELECT content, terms FROM memory.stored_messages WHERE user_id = %s",
                [user],
            ).fetchall()
        )
    assert all(len(found[word]) == 1 for word in words), "a word has more than one term"
    return [found[word][0] for word in words]


def rows(corpus, terms, owners, start):
    words, vectors = corpus.memories(len(owners))
    batch = np.zeros(len(owners), ROW)
    for column in ["user", "id", "content", "importance"]:
        batch[f"{column}_length"] = ROW[column].itemsize
    batch["columns"] = 6
    batch["user"] = [user_id(owner) for owner in owners]
    batch["id"] = ids(corpus, len(owners), start)
    texts = np.ascontiguousarray(np.char.add(corpus.words[words], b" ")).view("S84").ravel()
    batch["content"] = texts
    batch["importance"] = corpus.random.random(len(owners))
    # Users who are not asked about have another's terms; only their number counts.
    keys = np.where(owners < len(terms), owners, 0)
    batch["terms_length"] = 20 + 8 * WORDS
    batch["terms_head"] = [1, 0, 23, WORDS, 1]
    batch["terms"][:, :, 0] = 4
    batch["terms"][:, :, 1] = np.sort(terms[keys[:, None], words], axis=1)
    batch["vector_length"] = 4 + 4 * DIMENSIONS
    batch["vector_head"] = [DIMENSIONS, 0]
    batch["vector"] = vectors
    return batch.tobytes()


def ids(corpus, count, start):
    """UUIDv7, one for each millisecond."""
    ids = corpus.random.integers(0, 256, (count, 16), dtype=np.uint8)
    millis = np.arange(start, start + count) + int(time.time() * 1000 - 1e10)
    ids[:, :6] = millis.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 2:]
    ids[:, 6] = 0x70 | ids[:, 6] & 0x0F
    ids[:, 8] = 0x80 | ids[:, 8] & 0x3F
    return ids


def ask(connection, corpus, sizes, queries):
    connection.execute("CREATE TABLE bench.queries (size int, user_id text, content text, embedding vector(256))")
    with connection.cursor().copy("COPY bench.queries FROM STDIN") as copy:
        for user, size in enumerate(sizes):
            for words, vector in zip(*corpus.queries(queries)):
                copy.write_row([size, user_id(user), corpus.text(words), str(vector.tolist())])
    connection.execute("ANALYZE bench.queries")
