"""Memories on real servers: recall against brute force, indexes, big users, everything at once, dump, standby."""

import json
import random
import threading

import psycopg
import pytest

# What must hold at any time, whoever wrote at once.
FAULTS = """
SELECT 'memory ' || coalesce(m.id, e.id) || ' and its entry differ'
FROM memory.stored_memories m
FULL JOIN memory.search_entries e ON m.user_id = e.user_id AND m.id = e.id
WHERE m.id IS NULL OR e.id IS NULL OR e.source <> CASE WHEN m.archived_at IS NULL THEN 'r' ELSE 'a' END
   OR (m.agent_id, m.space, m.kind, m.occurred_at, m.expires_at) IS DISTINCT FROM (e.agent_id, e.space, e.kind, e.occurred_at, e.expires_at)
UNION ALL
SELECT 'twice active: ' || min(content) FROM memory.stored_memories WHERE archived_at IS NULL
GROUP BY user_id, agent_id, space, content_hash HAVING count(content_hash) > 1
"""

WORDS = "tea dog sea film work rain book song train bread moon river 날씨 강아지 바다 영화 회사 여행 음악 커피 산책 친구".split()
KINDS = ["episodic", "semantic", "emotional", "summary", "reflection"]


def faults(connection):
    return connection.execute(FAULTS).fetchall()


def vector(numbers):
    return "[" + ",".join(f"{x:.6f}" for x in numbers) + "]"


def near(rng, dimensions=8):
    return vector([rng.gauss(0, 1) for _ in range(dimensions)])


# The candidates of a recall by their definition, and every part of their scores. No index, no shortcut.
REFERENCE = """
WITH said AS (
    SELECT m.id, 'message' AS source, 'message' AS kind, s.agent_id, s.space, m.created_at AS occurred_at, NULL::float8 AS importance,
           NULL::float8 AS strength, NULL::text[] AS topics, coalesce(m.metadata, '{}') AS metadata, NULL::timestamptz AS expires_at, NULL::timestamptz AS archived_at,
           m.terms, m.model_id, m.embedding, m.session_id AS talk
    FROM memory.stored_messages m JOIN memory.sessions s USING (user_id, session_id) WHERE m.user_id = %(user)s
    UNION ALL
    SELECT id, 'memory', m.kind, m.agent_id, m.space, m.occurred_at, m.importance, m.strength, topics, metadata, m.expires_at, archived_at,
           e.terms, e.model_id, e.embedding, NULL
    FROM memory.memories m JOIN memory.search_entries e USING (user_id, id) WHERE user_id = %(user)s),
candidates AS (
    SELECT said.*, cardinality(terms) AS length,
           topics && '{caution,identity}' AS leads,
           CASE WHEN model_id = (SELECT model_id FROM memory.models WHERE name = 'application' AND dimensions = 8) AND %(vector)s::vector IS NOT NULL
                THEN 1 - (embedding <=> %(vector)s::vector) ELSE 0 END AS similarity
    FROM said
    WHERE (%(agents)s::text[] IS NULL OR said.agent_id = ANY (%(agents)s))
      AND (%(spaces)s::text[] IS NULL OR said.space = ANY (%(spaces)s))
      AND (%(kinds)s::text[] IS NULL OR said.kind = ANY (%(kinds)s))
      AND (%(topics)s::text[] IS NULL OR topics && %(topics)s)
      AND (%(since)s::timestamptz IS NULL OR said.occurred_at >= %(since)s)
      AND (%(until)s::timestamptz IS NULL OR said.occurred_at < %(until)s)
      AND (%(metadata)s::jsonb IS NULL OR metadata @> %(metadata)s)
      AND (%(archived)s OR archived_at IS NULL AND (said.expires_at IS NULL OR said.expires_at > now()))),
asked AS (SELECT DISTINCT unnest(terms) AS term FROM memory.search_entries WHERE user_id = %(user)s AND id = %(query_id)s),
counted AS (SELECT count(*) AS docs, greatest(avg(length), 1) AS mean FROM candidates),
words AS (
    SELECT term, ln(1 + (docs - df + 0.5) / (df + 0.5)) AS idf
    FROM asked, counted, LATERAL (SELECT count(*) AS df FROM candidates WHERE term = ANY (terms)) AS found),
matched AS (
    SELECT id, sum(idf * tf * 1.9 / (tf + 0.9 * (0.6 + 0.4 * length / mean))) AS bm25
    FROM candidates, counted, words, LATERAL (SELECT count(*) AS tf FROM unnest(terms) AS t WHERE t = term) AS counts GROUP BY id),
scored AS (
    SELECT c.*, p.similarity * c.similarity + p.keyword * coalesce(bm25 / nullif((SELECT max(bm25) FROM matched), 0), 0) AS direct
    FROM candidates c LEFT JOIN matched USING (id), memory.recall_profiles p WHERE p.profile = %(profile)s),
around AS (
    SELECT id, coalesce(lag(direct) OVER talks, 0) + coalesce(lead(direct) OVER talks, 0)
               + 0.4 * (coalesce(lag(direct, 2) OVER talks, 0) + coalesce(lead(direct, 2) OVER talks, 0)) AS near
    FROM scored WHERE source = 'message' WINDOW talks AS (PARTITION BY talk ORDER BY occurred_at, id)),
talks AS (SELECT talk, sum(length) AS length FROM candidates WHERE source = 'message' GROUP BY talk),
talks_counted AS (SELECT count(*) AS docs, greatest(avg(length), 1) AS mean FROM talks),
talk_terms AS (SELECT talk, term, count(*) AS tf FROM candidates, unnest(terms) AS t JOIN asked ON term = t WHERE source = 'message' GROUP BY talk, term),
talk_words AS (SELECT term, ln(1 + (docs - df + 0.5) / (df + 0.5)) AS idf FROM talks_counted, (SELECT term, count(*) AS df FROM talk_terms GROUP BY term) AS found),
talk_scores AS (
    SELECT talk, sum(idf * tf * 1.9 / (tf + 0.9 * (0.6 + 0.4 * length / mean))) AS bm25
    FROM talk_terms JOIN talk_words USING (term) JOIN talks USING (talk), talks_counted GROUP BY talk)
SELECT c.id, coalesce(leads, false),
       (direct + p.importance * coalesce(c.importance, 0) + p.strength * coalesce(c.strength, 0)
        + p.recency * 2 ^ (-greatest(extract(epoch FROM clock_timestamp() - c.occurred_at), 0) / extract(epoch FROM recency_halflife))
        + p.neighbours * coalesce(near, 0) + p.session * coalesce(t.bm25 / nullif((SELECT max(bm25) FROM talk_scores), 0), 0))
       * CASE source WHEN 'message' THEN p.messages ELSE 1 END
FROM scored c LEFT JOIN around USING (id) LEFT JOIN talk_scores t USING (talk), memory.recall_profiles p WHERE p.profile = %(profile)s
"""

RECALL = """
SELECT id, score FROM memory_recall(%(user)s, %(query)s, %(vector)s::vector, %(k)s, agent_ids => %(agents)s, spaces => %(spaces)s, kinds => %(kinds)s,
    topics => %(topics)s, since => %(since)s, until => %(until)s, metadata => %(metadata)s::jsonb, profile => %(profile)s, include_archived => %(archived)s)
"""


def test_recall_equals_brute_force(shared_cluster, database):
    rng = random.Random(7)

    def some(values, most):
        return rng.sample(values, rng.randint(1, most)) if rng.random() < 0.35 else None

    with shared_cluster.connect(database) as connection:
        connection.execute("SET memory_ext.embedding_provider = none")
        for n in range(400):
            connection.execute(
                """SELECT memory_create(%s, %s, kind => %s, agent_id => %s, space => %s, importance => %s, emotion_intensity => %s, topics => %s,
                   occurred_at => now() - %s * interval '1 day', expires_at => %s, metadata => %s, embedding => %s::vector, force => true)""",
                (rng.choice(["amy", "bob"]), " ".join(rng.choices(WORDS, k=rng.randint(1, 12))) + f" {n}", rng.choice(KINDS), rng.choice("ab"),
                 rng.choice(["", "s"]), rng.random(), rng.random(), rng.choice([[], ["x"], ["x", "y"], ["y"]] * 5 + [["caution"], ["identity", "x"]]),
                 rng.random() * 90, rng.choice([None, None, None, "2020-01-01", "2999-01-01"]), json.dumps({"n": rng.randint(1, 3)}),
                 near(rng) if rng.random() < 0.8 else None),
            )  # fmt: skip
            if rng.random() < 0.1:
                connection.execute("SELECT memory_decay(%s, %s, steps => %s)", (rng.choice(["amy", "bob"]), rng.choice("ab"), rng.randint(1, 9)))
        for n in range(60):
            connection.execute(
                "SELECT memory_add_message(%s, %s || '-' || %s, 'user', %s, agent_id => %s, space => %s, created_at => now() - %s * interval '1 day', metadata => %s)",
                (user := rng.choice(["amy", "bob"]), agent := rng.choice("ab"), space := rng.choice(["", "s"]), " ".join(rng.choices(WORDS, k=5)),
                 agent, space, rng.random() * 90, rng.choice([None, '{"n": 1}'])),
            )  # fmt: skip
        for user in ("amy", "bob"):
            connection.execute(
                "SELECT memory_archive(user_id, id) FROM memory.memories WHERE user_id = %s AND archived_at IS NULL AND id::text LIKE '%%3'", (user,)
            )
        # The words of a query are those of a memory with the same text, which stands with an agent of its own.
        wrong = []
        for n in range(200):
            user, query = rng.choice(["amy", "bob"]), " ".join(rng.sample(WORDS, rng.randint(1, 4)))
            with connection.transaction():
                asked = connection.execute("SELECT id FROM memory_create(%s, %s, agent_id => 'query', force => true)", (user, query)).fetchone()[0]
                arguments = {
                    "user": user, "query": query if rng.random() < 0.7 else None, "query_id": asked, "vector": near(rng) if rng.random() < 0.7 else None,
                    "k": rng.choice([1, 3, 10, 10, 50, 1000]), "agents": some(["a", "b", "c"], 2) or ["a", "b"], "spaces": some(["", "s", "t"], 2),
                    "kinds": some([*KINDS, "message"], 4), "topics": some(["x", "y", "z"], 2), "metadata": rng.choice([None, None, '{"n": 1}', "{}"]),
                    "archived": rng.random() < 0.3,
                    "profile": rng.choice(["synk", "keyword", "default", "recency"]),
                }  # fmt: skip
                days = sorted(rng.random() * 90 for _ in range(2))
                since, until = connection.execute("SELECT now() - %s * interval '1 day', now() - %s * interval '1 day'", days[::-1]).fetchone()
                arguments["since"] = since if rng.random() < 0.3 else None
                arguments["until"] = until if rng.random() < 0.3 else None
                if arguments["query"] is None:
                    arguments["query_id"] = None
                expected = {row[0]: (row[1], float(row[2])) for row in connection.execute(REFERENCE, arguments)}
                got = connection.execute(RECALL, arguments).fetchall()
                connection.execute("SELECT memory_delete(%s, %s)", (user, asked))
            wrong += [f"{n}: {fault} {arguments}" for fault in differences(got, expected, arguments["k"])]
        assert not wrong, "\n".join(wrong[:5])
        assert faults(connection) == []


def differences(got, expected, k, tolerance=2e-5):
    """Where a recall is not the top of the reference: up to three leaders by score, then the others by score."""
    ids = [id for id, _ in got]
    if len(set(ids)) != len(ids) or len(ids) != min(k, len(expected)) or not set(ids) <= set(expected):
        yield f"{len(ids)} hits for {len(expected)} candidates"
        return
    for id, score in got:
        if abs(score - expected[id][1]) > tolerance:
            yield f"score {score} is {expected[id][1]}"
    leaders = min(3, k, sum(leads for leads, _ in expected.values()))
    rest = {id: score for id, (_, score) in expected.items()}
    best = sorted((score for leads, score in expected.values() if leads), reverse=True)[:leaders]
    if not all(expected[id][0] and abs(expected[id][1] - want) <= tolerance for id, want in zip(ids[:leaders], best)):
        yield "other leaders"
    for id in ids[:leaders]:
        rest.pop(id)
    best = sorted(rest.values(), reverse=True)[: len(ids) - leaders]
    if any(abs(expected[id][1] - want) > tolerance for id, want in zip(ids[leaders:], best)):
        yield "another order"


# One user with many memories around some centres, and others beside; written straight into the tables.
FILL = """
SELECT setseed(0.5);
INSERT INTO memory.models (name, dimensions) VALUES ('application', 256) ON CONFLICT DO NOTHING;
INSERT INTO memory.scopes (user_id, agent_id, space, model_id) SELECT u, '', '', model_id FROM unnest(ARRAY['big', 'second', 'small', 'talker']) AS u, memory.models;
CREATE TABLE centres AS SELECT c, array_agg((random() - 0.5)::float4) AS v FROM generate_series(0, 99) c, generate_series(1, 256) GROUP BY c;
CREATE TABLE made AS
    SELECT u AS user_id, gen_random_uuid() AS id, n, c,
           (SELECT array_agg(x + (random() - 0.5) * 0.6) FROM unnest(v) AS x WHERE n = n)::vector AS embedding, random() AS importance
    FROM (VALUES ('big', {big}), ('second', {second}), ('small', 300)) AS u (u, many), generate_series(1, many) AS n, LATERAL (SELECT n %% 100 AS which) w JOIN centres ON c = which;
INSERT INTO memory.stored_memories (user_id, id, agent_id, space, kind, content, content_hash, occurred_at, created_at, updated_at)
    SELECT user_id, id, '', '', 'episodic', 'memory ' || n, n, now() - n * interval '1 minute', now(), now() FROM made;
INSERT INTO memory.sessions (user_id, session_id, started_at, last_activity_at, message_count) VALUES ('talker', 's', now(), now(), {second});
INSERT INTO memory.stored_messages (user_id, id, session_id, role, content, tokens, created_at, agent_id, space, big, terms, model_id, embedding)
    SELECT 'talker', id, 's', 'assistant', 'message ' || n, 3, now() - n * interval '1 minute', '', '', false, ARRAY[c, 1000 + n %% 5000, 99999], (SELECT model_id FROM memory.models), embedding
    FROM made WHERE user_id = 'second';
INSERT INTO memory.search_entries (user_id, source, id, agent_id, space, kind, occurred_at, importance, strength, strength_step, decay, terms, model_id, embedding)
    SELECT user_id, 'r', id, '', '', 'episodic', now() - n * interval '1 minute', importance, 1, 0, 0.95, ARRAY[c, 1000 + n %% 5000, 99999], (SELECT model_id FROM memory.models), embedding FROM made;
ANALYZE memory.search_entries, memory.stored_messages;
"""


def fill(connection, big, second):
    for statement in FILL.format(big=big, second=second).replace("%%", "%").split(";\n"):
        if statement.strip():
            connection.execute(statement)


@pytest.fixture(scope="module")
def crowd(shared_cluster):
    """A database with two users of many memories and one of many messages, whom the indexes hold, and a small one."""
    name = shared_cluster.create_database("crowd")
    with shared_cluster.connect(name) as connection:
        fill(connection, big=15_000, second=5_000)
        for setting in ("exact_limit = 2000", "prune_turns = 1", "decay_turns = 0", "consolidate_turns = 0", "max_memories = 1000000"):
            connection.execute(f"SET memory_ext.{setting}")
        for user in ("big", "second", "small", "talker"):
            connection.execute("SELECT memory_add_turn(%s, 's', 'q', 'a')", (user,))
            report = connection.execute("SELECT duty, errors FROM memory_maintain(%s)", (user,)).fetchall()
            assert report == [("prune", 0)]
        assert connection.execute("SELECT user_id FROM memory.users WHERE big ORDER BY 1").fetchall() == [("big",), ("second",), ("talker",)]
        connection.execute("VACUUM ANALYZE memory.search_entries, memory.stored_messages")
    yield name
    shared_cluster.psql(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_big_users_are_found_as_if_exactly(shared_cluster, crowd):
    recall = """SELECT array_agg(id), min(explanation ->> 'path'), count(*) FROM memory_recall(%s, embedding => %s::vector, k => 10, profile => %s, explain => true)"""
    with shared_cluster.connect(crowd) as connection:
        queries = connection.execute("SELECT user_id, embedding::text FROM made WHERE n % 300 = 0 AND user_id <> 'small' ORDER BY id LIMIT 60").fetchall()
        queries += [("talker", query) for _, query in queries[:15]]
        found = wanted = 0
        for profile in ("synk", "default"):
            for user, query in queries:
                connection.execute("SET memory_ext.exact_limit = 1000000")
                exact, path, _ = connection.execute(recall, (user, query, profile)).fetchone()
                assert path == "exact"
                connection.execute("SET memory_ext.exact_limit = 2000")
                quick, path, count = connection.execute(recall, (user, query, profile)).fetchone()
                assert path == "index" and count == 10
                found += len(set(exact) & set(quick))
                wanted += 10
        assert found >= 0.98 * wanted, f"{found} of {wanted}"
        # Filters hold on this path too, and words are found.
        for arguments in ("agent_ids => '{nobody}'", "kinds => '{semantic}'", "until => '2000-01-01'"):
            assert connection.execute(f"SELECT count(*) FROM memory_recall('big', embedding => %s::vector, {arguments})", (queries[0][1],)).fetchone() == (0,)
        assert connection.execute("SELECT content FROM memory_recall('big', 'q', kinds => '{message}', profile => 'keyword', k => 1)").fetchone() == ("q",)


def plans(connection, statement, arguments):
    return "\n".join(row[0] for row in connection.execute("EXPLAIN (COSTS off) " + statement, arguments))


# The statements of src/store/recall.rs, with the filter that every recall has.
COLUMNS = "e.source, e.id, e.occurred_at, e.importance, e.strength, e.strength_step, e.decay, e.leads, e.agent_id, e.space, e.terms, e.model_id, e.embedding"
SCAN = f"""SELECT {COLUMNS} FROM memory.search_entries e WHERE e.user_id = %s AND e.source = ANY ('{{r}}'::"char"[])
           AND (e.expires_at IS NULL OR e.expires_at > clock_timestamp())"""
MESSAGES = "SELECT e.id, e.created_at, e.agent_id, e.space, e.terms, e.model_id, e.embedding FROM memory.stored_messages e WHERE e.user_id = %s"


def test_recall_goes_through_the_intended_indexes(shared_cluster, crowd):
    with shared_cluster.connect(crowd) as connection:
        small = plans(connection, SCAN, ("small",))
        assert "search_entries_pkey" in small and "Seq Scan" not in small, small
        newest = plans(connection, SCAN + " AND e.source = 'r' ORDER BY e.id DESC LIMIT 1000", ("big",))
        assert "search_entries_pkey" in newest and "Seq Scan" not in newest and "Sort" not in newest, newest
        important = plans(connection, SCAN + " AND e.big ORDER BY e.importance DESC LIMIT 1000", ("big",))
        assert "search_entries_importance" in important and "Sort" not in important, important
        words = plans(connection, SCAN + " AND e.big AND e.terms && ARRAY[1007]", ("big",))
        assert "search_entries_terms" in words, words
        query = connection.execute("SELECT embedding::text FROM made LIMIT 1").fetchone()[0]
        nearest = plans(connection, SCAN + """ AND e.model_id = 1 AND e.big AND vector_dims(e.embedding) = 256
            ORDER BY (e.embedding::vector(256)) <=> %s::vector LIMIT 1000""", ("big", query))  # fmt: skip
        assert "search_entries_vector_256" in nearest and "Sort" not in nearest, nearest
        # Messages are many where memories are few: their own indexes.
        newest = plans(connection, MESSAGES + " ORDER BY e.id DESC LIMIT 1000", ("talker",))
        assert "stored_messages_pkey" in newest and "Seq Scan" not in newest and "Sort" not in newest, newest
        words = plans(connection, MESSAGES + " AND e.big AND e.terms && ARRAY[1007]", ("talker",))
        assert "stored_messages_terms" in words, words
        nearest = plans(connection, MESSAGES + """ AND e.model_id = 1 AND e.big AND vector_dims(e.embedding) = 256
            ORDER BY (e.embedding::vector(256)) <=> %s::vector LIMIT 1000""", ("talker", query))  # fmt: skip
        assert "stored_messages_vector_256" in nearest and "Sort" not in nearest, nearest


def test_decay_costs_the_same_for_many_memories(shared_cluster, crowd):
    with shared_cluster.connect(crowd) as connection, connection.transaction(force_rollback=True):
        assert connection.execute("SELECT memory_decay('big', steps => 3)").fetchone() == (1,)
        written = {
            table: connection.execute(f"SELECT count(*) FROM memory.{table} WHERE xmin = pg_current_xact_id()::xid").fetchone()[0]
            for table in ("scopes", "stored_memories", "search_entries", "stored_history", "users")
        }
        assert written == {"scopes": 1, "stored_memories": 0, "search_entries": 0, "stored_history": 0, "users": 0}
        strength = connection.execute("SELECT min(strength), max(strength) FROM memory.memories WHERE user_id = 'big'").fetchone()
        assert strength == pytest.approx((0.95**3, 0.95**3))


def test_archiving_is_told_to_listeners(shared_cluster, database):
    with shared_cluster.connect(database) as listener, shared_cluster.connect(database) as writer:
        listener.execute("LISTEN memory_events")
        writer.execute("SET client_min_messages = error")
        ids = [writer.execute("SELECT id FROM memory_create('amy', %s, agent_id => 'luna', force => true)", (f"memory {n}",)).fetchone()[0] for n in range(100)]
        with writer.transaction():
            writer.execute("SELECT memory_archive('amy', %s)", (ids[0],))
            assert list(listener.notifies(timeout=0.2)) == []
        archived = writer.execute("SELECT * FROM memory_archive_excess('amy', 'luna', 5)").fetchall()
        with pytest.raises(ZeroDivisionError), writer.transaction():
            writer.execute("SELECT memory_archive('amy', %s)", (ids[99],))
            1 / 0
        told = [json.loads(note.payload) for note in listener.notifies(timeout=5, stop_after=4)]
        assert told[0] == {"event": "archived", "user_id": "amy", "agent_id": "luna", "ids": [str(ids[0])]}
        assert sorted(id for one in told[1:] for id in one["ids"]) == sorted(str(id) for (id,) in archived)
        assert len(archived) == 94 and all(one["event"] == "archived" for one in told)
        assert list(listener.notifies(timeout=0.2)) == []


def world(connection):
    """Memories with everything that rows can hold, and a DBA who changed what was shipped."""
    connection.execute("UPDATE memory.plans SET max_active = 7, on_limit = 'refuse' WHERE plan = 'free'")
    connection.execute("INSERT INTO memory.plans VALUES ('gold', 1000)")
    connection.execute("UPDATE memory.recall_profiles SET keyword = 0.5, recency_halflife = '1 day' WHERE profile = 'default'")
    connection.execute("INSERT INTO memory.recall_profiles (profile, similarity) VALUES ('mine', 1)")
    connection.execute("SELECT memory_set_plan('amy', 'gold'), memory_set_plan('bob', 'free')")
    for user in ("amy", "bob", 'o"d\\d 😀'):
        connection.execute("SELECT memory_add_turn(%s, 's', '한라산에 갔어', '좋았겠다')", (user,))
        for n in range(4):
            connection.execute(
                """SELECT memory_create(%s, %s, interpretation => E'tab\\t\\\\.', topics => '{caution,산}', emotion => 'joy', emotion_intensity => 0.3,
                   metadata => '{"n": 12345678901234567890.5}', embedding => %s::vector, force => true)""",
                (user, f"한라산 memory {n}", f"[1,{n}]"),
            )
        connection.execute("SELECT memory_create(%s, '영화를 봤다')", (user,))
        connection.execute("SELECT memory_decay(%s, steps => 3)", (user,))
        connection.execute("SELECT memory_mark_used(%s, ARRAY(SELECT id FROM memory.memories WHERE user_id = %s LIMIT 2))", (user, user))
        connection.execute("SELECT memory_consolidate(%s)", (user,))
        for n in range(5):
            connection.execute("SELECT memory_add_turn(%s, 's', %s, 'answer')", (user, f"question {n}"))
        connection.execute("SELECT memory_maintain(%s)", (user,))


ROWS = {
    table: f'SELECT t::text FROM memory.{table} t ORDER BY t::text COLLATE "C"'
    for table in ("plans", "users", "models", "scopes", "stored_memories", "search_entries", "stored_history", "recall_profiles", "maintenance_runs")
}


def rows(connection):
    return {table: connection.execute(sql).fetchall() for table, sql in ROWS.items()}


def reads(connection):
    """What the reading functions say of that world."""
    said = []
    for user in ("amy", "bob", 'o"d\\d 😀'):
        for call in (
            "SELECT id, round(score::numeric, 3), strength FROM memory_recall(%s, '한라산', '[1,2]', profile => 'synk', include_archived => true)",
            "SELECT content, keyword FROM memory_recall(%s, '영화', profile => 'keyword')",
            "SELECT content, strength, total FROM memory_list(%s)",
            "SELECT content FROM memory_load(%s)",
            "SELECT verdict, similarity FROM novelty_score(%s, '영화를 봤다')",
            "SELECT m ->> 'content' FROM build_context_json(%s, 's', '한라산 기억나?') AS c, jsonb_array_elements(c -> 'memories' || (c -> 'caution')) AS m",
        ):
            said.append(connection.execute(call, (user,)).fetchall())
    return said


@pytest.mark.parametrize("options", [(), ("--inserts",), ("--data-only",)])
def test_dump_and_restore_with_memories(shared_cluster, database, tmp_path, options):
    with shared_cluster.connect(database) as connection:
        world(connection)
        before, said = rows(connection), reads(connection)
    shared_cluster.run("pg_dump", "-d", database, "-f", tmp_path / "dump.sql", *options)
    copy = shared_cluster.create_database(f"{database}_copy", extension="--data-only" in options)
    try:
        shared_cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", copy, "-f", tmp_path / "dump.sql")
        with shared_cluster.connect(copy) as connection:
            after = rows(connection)
            for table, lines in before.items():
                assert after[table] == lines, table
            assert reads(connection) == said
            assert faults(connection) == []
            # What comes next gets new numbers, and the shipped rows stay shipped.
            connection.execute("SET memory_ext.embedding_model = 'new'; SELECT memory_create('amy', 'after the restore', embedding => '[1,2,3]')")
            assert connection.execute("SELECT count(*) FROM memory.models WHERE name = 'new'").fetchone() == (1,)
            connection.execute("SET memory_ext.decay_turns = 1; SELECT memory_add_turn('amy', 's', 'q', 'a'); SELECT memory_maintain('amy')")
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
                connection.execute("DELETE FROM memory.plans WHERE plan = 'free'")
        # A copy of the copy is the same again.
        assert shared_cluster.psql("SELECT string_agg(plan || shipped, ',' ORDER BY plan) FROM memory.plans", copy) == "freetrue,goldfalse,premiumtrue"
    finally:
        shared_cluster.psql(f'DROP DATABASE "{copy}" WITH (FORCE)')


def test_standby_reads_memories(make_cluster):
    server = make_cluster({"fsync": "off"})
    standby = server.standby()
    make_cluster.made.append(standby)
    standby.start()
    server.create_database("app")
    with server.connect("app") as connection:
        world(connection)
        said = reads(connection)
    server.wait_for(standby)
    with standby.connect("app") as connection:
        assert reads(connection) == said
        for call in ("memory_create('amy', 'x')", "memory_decay('amy')", "memory_maintain('amy')", "memory_mark_used('amy', '{}')"):
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                connection.execute(f"SELECT {call}")
                connection.execute("SELECT memory_mark_used('amy', ARRAY(SELECT id FROM memory_list('amy')))")


def test_everything_at_once(shared_cluster, database):
    """Many sessions on few memories: nothing is lost or doubled, and nobody waits for ever."""
    failures, stop = [], threading.Event()
    calls = [
        "SELECT memory_create('amy', 'memory ' || %(n)s, agent_id => %(agent)s, embedding => %(vector)s::vector)",
        "SELECT memory_create('amy', 'memory ' || %(n)s, agent_id => %(agent)s, importance => 0.9)",
        "SELECT memory_mark_used('amy', ARRAY(SELECT id FROM memory.memories WHERE user_id = 'amy' ORDER BY random() LIMIT 5))",
        "SELECT memory_decay('amy', steps => 5)",
        "SELECT memory_consolidate('amy', %(agent)s)",
        "SELECT memory_unconsolidate('amy', id) FROM (SELECT id FROM memory.memories WHERE user_id = 'amy' AND source = 'consolidation' AND archived_at IS NULL LIMIT 1) AS one",
        "SELECT memory_promote('amy', %(agent)s)",
        "SELECT memory_prune('amy', max_memories => 20, keep => '0')",
        "SELECT memory_archive_excess('amy', %(agent)s, 15)",
        "SELECT memory_archive('amy', id) FROM (SELECT id FROM memory.memories WHERE user_id = 'amy' AND archived_at IS NULL ORDER BY random() LIMIT 1) AS one",
        "SELECT memory_restore('amy', id) FROM (SELECT id FROM memory.memories WHERE user_id = 'amy' AND archived_at IS NOT NULL ORDER BY random() LIMIT 1) AS one",
        "SELECT memory_update('amy', id, content => 'memory ' || %(n)s) FROM (SELECT id FROM memory.memories WHERE user_id = 'amy' ORDER BY random() LIMIT 1) AS one",
        "SELECT memory_pin('amy', id, random() < 0.3) FROM (SELECT id FROM memory.memories WHERE user_id = 'amy' ORDER BY random() LIMIT 1) AS one",
        "SELECT memory_add_turn('amy', %(agent)s, 'question', 'answer', agent_id => %(agent)s)",
        "SELECT memory_maintain()",
        "SELECT memory_reembed('amy', batch => 5)",
        "SELECT memory_recall('amy', 'memory', %(vector)s::vector)",
        "SELECT build_context_json('amy', %(agent)s, 'memory', %(agent)s)",
    ]

    def work(seed):
        rng = random.Random(seed)
        with shared_cluster.connect(database) as connection:
            connection.execute("SET client_min_messages = error; SET memory_ext.decay_turns = 1; SET memory_ext.consolidate_turns = 2; SET memory_ext.prune_turns = 3")
            while not stop.is_set():
                arguments = {"n": rng.randint(1, 30), "agent": rng.choice("ab"), "vector": near(rng, 3)}
                try:
                    # Some transactions do several things, in any order but that messages come before memories.
                    with connection.transaction():
                        for call in sorted(rng.choices(calls, k=rng.choice([1, 1, 3])), key=lambda call: "add_turn" not in call):
                            connection.execute(call, arguments)
                except psycopg.errors.NoDataFound:
                    pass  # somebody else deleted it first
                except psycopg.errors.InvalidParameterValue as error:
                    # all episodes of a merged memory were restored one by one
                    if "was not made by a consolidation" not in str(error):
                        failures.append(str(error))
                except psycopg.Error as error:
                    failures.append(f"{error.sqlstate} {error}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    stop.wait(12)
    stop.set()
    for thread in threads:
        thread.join()
    with shared_cluster.connect(database) as connection:
        assert failures == []
        assert faults(connection) == []
        assert connection.execute("SELECT error FROM memory.maintenance_runs WHERE error IS NOT NULL").fetchall() == []
        assert connection.execute("SELECT count(*) > 0 FROM memory.memories").fetchone() == (True,)


def test_one_connection_survives_drop_and_create(shared_cluster):
    """Kept plans, the vector's type and schema are looked up anew."""
    name = shared_cluster.create_database("again", extension=False)
    with shared_cluster.connect(name) as connection:
        for schema, vectors in (("public", "public"), ("odd schema", "vectors"), ("vectors", "vectors")):
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{vectors}"')
            connection.execute(f'CREATE EXTENSION vector SCHEMA "{vectors}"')
            connection.execute(f'CREATE EXTENSION memory_ext SCHEMA "{schema}"')
            connection.execute(f'SET search_path = "{schema}"')
            for n in range(3):
                verdict = connection.execute(
                    f"SELECT verdict FROM memory_create('amy', %s, embedding => %s::\"{vectors}\".vector)", (f"memory {n}", f"[1,{n}]")
                ).fetchone()
                assert verdict is not None
            connection.execute("SET memory_ext.exact_limit = 1; SET memory_ext.prune_turns = 1")
            connection.execute("SELECT memory_add_turn('amy', 's', 'q', 'a')")
            assert connection.execute("SELECT sum(errors) FROM memory_maintain()").fetchone() == (0,)
            found = connection.execute(
                f"SELECT content, explanation ->> 'path' FROM memory_recall('amy', 'memory', '[1,0]'::\"{vectors}\".vector, k => 1, profile => 'synk', explain => true)"
            ).fetchone()
            assert found == ("memory 0", "index")
            assert connection.execute("SELECT count(*) FROM memory_recall('amy', 'memory')").fetchone()[0] > 0
            connection.execute("RESET search_path")
            connection.execute("DROP EXTENSION vector CASCADE")
