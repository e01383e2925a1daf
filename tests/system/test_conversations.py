"""Conversations on real servers: crash, concurrent use, dump, standby, and the life of the extension around them."""

import random
import threading
import time

import psycopg
import pytest

# What must hold at any time: counts of sessions are those of their rows, every message has its session and is
# of the same scope, every turn has both of its messages.
FAULTS = """
SELECT 'counts of session ' || s.user_id || '/' || s.session_id
FROM memory.sessions s LEFT JOIN memory.stored_messages m USING (user_id, session_id)
GROUP BY s.user_id, s.session_id
HAVING s.message_count <> count(m.id) OR s.turn_count <> count(m.id) FILTER (WHERE m.role = 'user')
    OR s.token_count <> coalesce(sum(m.tokens), 0)
UNION ALL
SELECT 'message without its session or of another scope ' || m.id
FROM memory.stored_messages m LEFT JOIN memory.sessions s USING (user_id, session_id)
WHERE (m.agent_id, m.space, m.big) IS DISTINCT FROM (s.agent_id, s.space, s.big)
"""
HALF_TURNS = "SELECT turn_id FROM memory.messages GROUP BY user_id, turn_id HAVING count(*) <> 2 OR count(DISTINCT role) <> 2"
TURN = "SELECT user_message_id, assistant_message_id FROM memory_add_turn(%s, %s, %s, %s)"
ROWS = {
    table: f"SELECT t::text FROM memory.{table} t ORDER BY t::text COLLATE \"C\""
    for table in ("agents", "sessions", "stored_messages", "stored_summaries")
}


def faults(connection):
    return connection.execute(FAULTS).fetchall()


def talk(connection):
    """A small world of conversations, with everything that rows can hold."""
    connection.execute("SELECT memory_set_agent('luna', '너는 루나다.', '{\"recent_turns\": 2, \"language\": \"ko\"}')")
    for user in ("amy", 'o"d\\d 😀'):
        connection.execute(TURN, (user, "s", "오늘 날씨가 좋네요", "네, 산책하기 좋아요\n\t\\."))
        connection.execute(
            """SELECT memory_add_turn(%s, 's2', 'I love hiking with my dogs', 'Where to?', emotion => 'joy', processing_time => 0.5,
               cached => true, metadata => '{"price": 1.10, "n": 12345678901234567890.5}', agent_id => 'luna', space => '산',
               idempotency_key => 'k', created_at => '2026-01-01')""",
            (user,),
        )
        connection.execute("SELECT memory_add_summary(%s, 's2', 'hiking', topics => '{산,dogs}', importance => 0.9)", (user,))
        connection.execute("SELECT memory_end_session(%s, 's')", (user,))


def reads(connection):
    """What every reading function says about that world."""
    found = []
    for user in ("amy", 'o"d\\d 😀'):
        for call in (
            "SELECT content, score FROM memory_search_messages(%s, '날씨 dog')",
            "SELECT content, metadata::text FROM memory_get_recent(%s, 's2')",
            "SELECT session_id, message_count, token_count, end_reason, total FROM memory_list_sessions(%s)",
            "SELECT metadata::text, started_at FROM memory_get_session(%s, 's2')",
            "SELECT memory_stats(%s)",
            "SELECT build_context_json(%s, 's2', query => '어디로 갈까?')",
        ):
            found.append(connection.execute(call, (user,)).fetchall())
    assert found[0][0][0].startswith(("오늘", "I love"))
    assert len(found[5][0][0]["messages"]) == 4
    return found


class Clients:
    """Threads that each run `work(connection, number)` again and again until stopped or the server is gone."""

    def __init__(self, server, database, count, work):
        self.stopped = threading.Event()
        self.errors = []
        self.threads = [threading.Thread(target=self._run, args=(server, database, n, work)) for n in range(count)]
        for thread in self.threads:
            thread.start()

    def _run(self, server, database, number, work):
        try:
            with server.connect(database) as connection:
                while not self.stopped.is_set():
                    work(connection, number)
        except psycopg.OperationalError as gone:
            # Deadlocks and serialization failures are OperationalErrors too, but no lost connection.
            if gone.sqlstate and not gone.sqlstate.startswith("57"):
                self.errors.append(gone)
        except Exception as error:  # noqa: BLE001
            self.errors.append(error)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self.threads)
        assert not self.errors


@pytest.mark.timeout(180)
def test_kill_in_a_stream_of_turns(make_cluster):
    """Every acknowledged turn is there after kill -9, none by half, and the server goes on."""
    server = make_cluster()
    server.create_database("app")
    acknowledged = []

    def work(connection, number):
        turn = len(acknowledged)
        # Own sessions, sessions shared by all, sessions that are new: all ways in.
        session = random.choice((f"own-{number}", "shared", f"new-{number}-{turn}"))
        user = random.choice(("amy", f"user-{number}"))
        question, answer = f"질문 {number}-{time.monotonic_ns()}", f"answer to {number} {turn}"
        ids = connection.execute(TURN, (user, session, question, answer)).fetchone()
        acknowledged.append((user, session, *ids, question, answer))

    for _ in range(2):
        before = len(acknowledged)
        clients = Clients(server, "app", 8, work)
        deadline = time.monotonic() + 30
        while len(acknowledged) < before + 1000 and time.monotonic() < deadline:
            time.sleep(0.05)
        server.kill()
        clients.stop()
        assert len(acknowledged) >= before + 100
        server.start()
        with server.connect("app") as connection:
            stored = {row[:2]: row[2:] for row in connection.execute(
                "SELECT user_id, id::text, session_id, role, content FROM memory.messages").fetchall()}
            for user, session, asked, answered, question, answer in acknowledged:
                assert stored[user, str(asked)] == (session, "user", question)
                assert stored[user, str(answered)] == (session, "assistant", answer)
            assert not connection.execute(HALF_TURNS).fetchall()
            assert not faults(connection)
            user, session, *_, question, _ = acknowledged[-1]
            assert connection.execute("SELECT content FROM memory_search_messages(%s, %s)", (user, question)).fetchall()[0] == (question,)
            # The work of those who got no answer may be there or not, but the clients' next turns are.
            connection.execute(TURN, (user, session, "after the crash", "still here"))


@pytest.mark.timeout(120)
def test_everything_at_once(shared_cluster, database):
    """Eight clients append, retry, delete, sweep and clear in the same few sessions: no deadlock, no row left behind."""

    def work(connection, number):
        user, session = random.choice(("amy", "bob")), random.choice("abc")
        action = random.random()
        try:
            if action < 0.35:
                connection.execute(TURN, (user, session, "question", "answer"))
            elif action < 0.5:
                key = f"key-{random.randrange(20)}-{session}"
                connection.execute("SELECT memory_add_turn(%s, %s, 'q', 'a', idempotency_key => %s)", (user, session, key))
            elif action < 0.65:
                connection.execute(
                    "SELECT memory_delete_message(%s, id) FROM (SELECT id FROM memory.messages"
                    " WHERE user_id = %s AND content IN ('question', 'answer') ORDER BY random() LIMIT 1) m",
                    (user, user),
                )
            elif action < 0.75:
                connection.execute("SELECT memory_delete_session(%s, %s)", (user, session))
            elif action < 0.8:
                connection.execute("SELECT memory_clear(%s, true)", (user,))
            elif action < 0.9:
                connection.execute("SELECT count(*) FROM memory_sweep_sessions('0')")
            elif action < 0.95:
                connection.execute("SELECT memory_start_session(%s, %s)", (user, session))
            else:
                connection.execute("SELECT memory_end_session(%s, %s)", (user, session))
        except psycopg.errors.NoDataFound:
            pass  # somebody else deleted it

    clients = Clients(shared_cluster, database, 8, work)
    time.sleep(10)
    clients.stop()
    with shared_cluster.connect(database) as connection:
        assert not faults(connection)


def test_a_session_of_many_clients_keeps_every_turn(shared_cluster, database):
    added = []

    def work(connection, number):
        connection.execute(TURN, ("amy", "s", f"question of {number}", f"answer to {number}"))
        added.append(number)

    clients = Clients(shared_cluster, database, 8, work)
    time.sleep(3)
    clients.stop()
    with shared_cluster.connect(database) as connection:
        assert connection.execute("SELECT message_count, turn_count FROM memory_get_session('amy', 's')").fetchone() == (2 * len(added), len(added))
        assert not faults(connection)
        # Turns do not run into each other: question, answer, question, answer.
        said = connection.execute("SELECT role, turn_id FROM memory_get_recent('amy', 's', 1000000)").fetchall()
        for question, answer in zip(said[::2], said[1::2]):
            assert (question[0], answer[0]) == ("user", "assistant")
            assert question[1] == answer[1]


def test_dump_and_restore_with_data(shared_cluster, database, tmp_path):
    with shared_cluster.connect(database) as connection:
        talk(connection)
        rows = {table: connection.execute(query).fetchall() for table, query in ROWS.items()}
        said = reads(connection)
    assert all(rows.values())
    text = tmp_path / "dump.sql"
    text.write_text(shared_cluster.run("pg_dump", "-d", database))
    copy = shared_cluster.create_database("conversations_copy", extension=False)
    shared_cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", copy, "-f", text)
    with shared_cluster.connect(copy) as connection:
        assert {table: connection.execute(query).fetchall() for table, query in ROWS.items()} == rows
        assert reads(connection) == said
        assert not faults(connection)
        # Life goes on there: a retry is known, a new turn is counted and found.
        retry = "SELECT added FROM memory_add_turn('amy', 's2', 'I love hiking with my dogs', 'Where to?', idempotency_key => 'k')"
        assert connection.execute(retry).fetchone() == (False,)
        connection.execute(TURN, ("amy", "s2", "to Hallasan", "great"))
        assert connection.execute("SELECT content FROM memory_search_messages('amy', 'hallasan')").fetchone() == ("to Hallasan",)
        assert not faults(connection)


def test_drop_and_create_in_an_open_connection(shared_cluster, database):
    """Statements that a connection has kept survive the tables that they were made for."""
    with shared_cluster.connect(database) as connection, shared_cluster.connect(database) as other:
        for one in (connection, other):
            for _ in range(8):  # often enough for generic plans
                one.execute(TURN, ("amy", "s", "question", "answer"))
                one.execute("SELECT build_context_json('amy', 's')")
                one.execute("SELECT * FROM memory_search_messages('amy', 'question')")
        for _ in range(3):
            connection.execute("DROP EXTENSION memory_ext CASCADE")
            connection.execute("CREATE EXTENSION memory_ext")
            for one in (connection, other):
                assert one.execute("SELECT memory_stats('amy') ->> 'messages'").fetchone()[0] in ("0", "4")
                talk(one) if one is connection else one.execute(TURN, ("amy", "s", "more", "yes"))
                reads(one)
                assert not faults(one)


def test_create_is_rolled_back(shared_cluster):
    name = shared_cluster.create_database("rolled_back", extension=False)
    with shared_cluster.connect(name) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("BEGIN")
        connection.execute("CREATE EXTENSION memory_ext")
        connection.execute(TURN, ("amy", "s", "question", "answer"))
        connection.execute("ROLLBACK")
        connection.execute("CREATE EXTENSION memory_ext")
        talk(connection)
        reads(connection)
        assert not faults(connection)


def test_reads_on_a_standby(make_cluster):
    # Nothing may change between the two reads.
    server = make_cluster({"memory_ext.workers": "off"})
    server.create_database("app")
    with server.connect("app") as connection:
        talk(connection)
        said = reads(connection)
    standby = server.standby()
    make_cluster.made.append(standby)
    standby.start()
    server.wait_for(standby)
    with standby.connect("app") as connection:
        assert reads(connection) == said
        assert not faults(connection)
        for write in (
            "SELECT memory_add_turn('amy', 's', 'x', 'y')",
            "SELECT memory_start_session('amy', 's9')",
            "SELECT memory_sweep_sessions()",
            "SELECT memory_clear('amy', true)",
        ):
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                connection.execute(write)
    server.kill()
    standby.promote()
    with standby.connect("app") as connection:
        connection.execute(TURN, ("amy", "s", "promoted", "yes"))
        assert not faults(connection)


def test_in_a_schema_of_its_own(shared_cluster, tmp_path):
    name = shared_cluster.create_database("schemas", extension=False)
    with shared_cluster.connect(name) as connection:
        connection.execute("CREATE SCHEMA \"Vectors\"; CREATE EXTENSION vector SCHEMA \"Vectors\"")
        connection.execute("CREATE SCHEMA \"My memory\"; CREATE EXTENSION memory_ext SCHEMA \"My memory\"")
        with pytest.raises(psycopg.errors.UndefinedFunction):
            connection.execute("SELECT memory_stats('amy')")
        connection.execute("SET search_path = \"My memory\"")
        talk(connection)
        said = reads(connection)
        assert not faults(connection)
        # Whatever stands in the caller's search_path, the functions find their own.
        connection.execute(
            """CREATE SCHEMA evil; CREATE FUNCTION evil.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT 1/0; SELECT now() $$;
               CREATE TABLE evil.sessions (user_id text);
               CREATE FUNCTION evil.always(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
               CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.always);
               SET search_path = evil, "My memory", pg_catalog"""
        )
        assert reads(connection) == said
        connection.execute(TURN, ("eve", "s", "x", "y"))
        connection.execute("RESET search_path; DROP SCHEMA evil CASCADE")
        assert not faults(connection)
    copy = shared_cluster.create_database("schemas_copy", extension=False)
    path = tmp_path / "dump.sql"
    path.write_text(shared_cluster.run("pg_dump", "-d", name))
    shared_cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", copy, "-f", path)
    with shared_cluster.connect(copy) as connection:
        connection.execute("SET search_path = \"My memory\"")
        assert reads(connection) == said


def test_two_databases_of_one_cluster_share_the_roles(shared_cluster, database):
    other = shared_cluster.create_database("second")
    with shared_cluster.connect(other) as connection:
        talk(connection)
        assert reads(connection)
    with shared_cluster.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM memory.messages").fetchone() == (0,)
        connection.execute("DROP EXTENSION memory_ext")
    with shared_cluster.connect(other) as connection:
        assert reads(connection)
