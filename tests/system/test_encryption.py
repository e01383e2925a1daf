"""Encryption as an attacker and an administrator see it: data files, dumps, wrong keys, rotation under load."""

import hashlib
import os
import shutil
import subprocess
import threading
from pathlib import Path

import cluster as clusters
import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[2]
KOREAN = "깊은산속옹달샘비밀이야기"
ENGLISH = "the ferret keeps the lighthouse secret"
QUIET = {"memory_ext.workers": "off"}
MARKERS = [KOREAN.encode(), ENGLISH.encode(), b"lighthouse", "옹달샘".encode()]


def make_key(server, name="master.key", number=1):
    """A key file beside the data directory, as the server wants it."""
    path = server.home / name
    path.write_text(hashlib.sha256(bytes([number])).hexdigest() + "\n")
    path.chmod(0o600)
    if os.geteuid() == 0:
        shutil.chown(path, clusters.USER)
    return path


@pytest.fixture
def make_encrypted(make_cluster):
    """A running server with a master key, where nothing moves by itself."""

    def make(settings=None):
        server = make_cluster({**QUIET, **(settings or {})})
        configure(server, master_key_file=make_key(server))
        return server

    return make


def configure(server, **settings):
    for name, value in settings.items():
        server.psql(f"ALTER SYSTEM SET memory_ext.{name} = '{value}'")
    server.psql("SELECT pg_reload_conf()")
    for name, value in settings.items():
        assert clusters._wait(lambda: server.psql(f"SHOW memory_ext.{name}") == str(value), 10)


def tell_everything(connection, user="mina"):
    """The markers, in every place that a text can go to."""
    text = f"{KOREAN}. {ENGLISH}"
    long = " ".join(f"{n} {text}" for n in range(2_000))
    for statement, arguments in [
        ("SELECT memory_add_turn(%s, 's', %s, %s)", (user, text, f"나는 {KOREAN}. I see: {ENGLISH}")),
        ("SELECT memory_add_message(%s, 's', 'user', %s)", (user, long)),
        ("SELECT memory_add_turn(%s, 's', %s, 'ok')", (user, f"my name is Lighthouse. 내 취미는 {KOREAN}이야")),
        ("SELECT memory_add_summary(%s, 's', %s)", (user, text)),
        ("SELECT memory_create(%s, %s, interpretation => %s)", (user, text, text)),
        ("SELECT memory_create(%s, %s, force => true)", (user, long)),
        ("SELECT memory_set_fact(%s, 'favourite place', %s)", (user, text)),
        ("SELECT memory_set_fact(%s, 'favourite place', %s)", (user, "another " + text)),
        ("SELECT memory_apply_relationship(%s, reason => %s, director_note => %s)", (user, text, text)),
        (
            "SELECT memory_add_scene(%s, place => %s, scene_time => %s, participants => ARRAY[%s], tone => %s)",
            (user, text, text, text, text),
        ),
        ("SELECT memory_update(user_id, id, content => content || '!') FROM memory.memories WHERE user_id = %s", (user,)),
        ("SELECT memory_reflect(%s)", (user,)),
    ]:
        connection.execute(statement, arguments)


def files_with_markers(server):
    """Every file of the cluster that holds a marker; the server must be stopped."""
    found = set()
    for folder in ("base", "global", "pg_wal", "pg_xact", "pg_stat"):
        for path in Path(server.data, folder).rglob("*"):
            if path.is_file() and any(marker in path.read_bytes() for marker in MARKERS):
                found.add(f"{folder}/{path.name}")
    return found


def test_data_files_and_wal_hold_no_plain_text(make_encrypted, make_cluster):
    for server, is_plain in [(make_encrypted(), False), (make_cluster(QUIET), True)]:
        with server.connect(server.create_database("app")) as connection:
            tell_everything(connection)
            [count] = connection.execute("SELECT count(*) FROM memory.messages WHERE content ~ %s", (KOREAN,)).fetchone()
            assert count == 4
            assert connection.execute("SELECT content FROM memory_search_messages('mina', 'lighthouse')").fetchall()
            connection.execute("CHECKPOINT")
        server.stop()
        places = {name.split("/")[0] for name in files_with_markers(server)}
        # Without a key they are there: the search for them works.
        assert places == ({"base", "pg_wal"} if is_plain else set())
        assert not any(marker.decode() in server.log() for marker in MARKERS)


def test_what_is_encrypted_later_is_gone_after_a_rewrite(make_cluster):
    server = make_cluster(QUIET)
    with server.connect(server.create_database("app")) as connection:
        tell_everything(connection)
    configure(server, master_key_file=make_key(server))
    with server.connect("app") as connection:
        encrypt_all(connection)
        # Old versions of the rows and old WAL are PostgreSQL's: VACUUM FULL and checkpoints end them.
        connection.execute("VACUUM FULL")
        for _ in range(3):
            connection.execute("SELECT pg_switch_wal()")
            connection.execute("CHECKPOINT")
        assert connection.execute("SELECT count(*) FROM memory.messages WHERE content ~ %s", (KOREAN,)).fetchone() == (4,)
    server.stop()
    assert not [name for name in files_with_markers(server) if name.startswith("base")]


def encrypt_all(connection, batch=7):
    for _ in range(10_000):
        [left] = connection.execute("SELECT users_left FROM memory_encrypt(batch => %s)", (batch,)).fetchone()
        if left == 0:
            return
    raise AssertionError("memory_encrypt does not come to an end")


def plain_rows(connection):
    [count] = connection.execute(
        """SELECT (SELECT count(*) FROM memory.stored_messages WHERE NOT starts_with(content, chr(1)))
                + (SELECT count(*) FROM memory.stored_memories WHERE NOT starts_with(content, chr(1)))
                + (SELECT count(*) FROM memory.stored_facts WHERE NOT starts_with(value, chr(1)))"""
    ).fetchone()
    return count


def test_a_dump_is_of_use_with_the_key_only(make_encrypted, make_cluster):
    server = make_encrypted()
    server.create_database("app")
    with server.connect("app") as connection:
        tell_everything(connection)
        before = connection.execute("SELECT content FROM memory.messages ORDER BY id").fetchall()
    dump = server.home / "dump.sql"
    dump.write_text(server.run("pg_dump", "-d", "app"))
    assert not any(marker in dump.read_bytes() for marker in MARKERS)

    other = make_cluster(QUIET)
    other.psql("CREATE DATABASE app")
    other.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", "app", "-f", dump)
    with other.connect("app") as connection:
        for statement in [
            "SELECT content FROM memory.messages",
            "SELECT memory_get_recent('mina', 's')",
            "SELECT memory_add_message('mina', 's', 'user', 'x')",
            "SELECT memory_add_message('new', 's', 'user', 'x')",
        ]:
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="no master key is configured"):
                connection.execute(statement)
        assert connection.execute("SELECT count(*) FROM memory.messages").fetchone() == (len(before),)
    configure(other, master_key_file=make_key(other, number=2))
    with other.connect("app") as connection:
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="another one is configured"):
            connection.execute("SELECT content FROM memory.messages")
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="another one is configured"):
            connection.execute("SELECT memory_add_message('new', 's', 'user', 'x')")
    # The file is replaced: the next call reads it.
    with other.connect("app") as connection:
        make_key(other)
        assert connection.execute("SELECT content FROM memory.messages ORDER BY id").fetchall() == before
        assert connection.execute("SELECT content FROM memory_search_messages('mina', 'lighthouse')").fetchall()
        connection.execute("SELECT memory_add_message('new', 's', 'user', 'x')")
        assert plain_rows(connection) == 0


def test_the_key_can_come_from_the_environment(make_cluster, monkeypatch):
    monkeypatch.setenv("MEMORY_KEY_OF_THE_TEST", "ab" * 31 + "cd")
    server = make_cluster({**QUIET, "memory_ext.master_key_env": "MEMORY_KEY_OF_THE_TEST"})
    with server.connect(server.create_database("app")) as connection:
        tell_everything(connection)
        assert plain_rows(connection) == 0
        assert connection.execute("SELECT content FROM memory.messages LIMIT 1").fetchone()[0].startswith(KOREAN)
    monkeypatch.delenv("MEMORY_KEY_OF_THE_TEST")
    server.restart()
    with server.connect("app") as connection:
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="no such variable"):
            connection.execute("SELECT content FROM memory.messages")


def test_a_standby_reads_with_the_key(make_encrypted, make_cluster):
    server = make_encrypted()
    with server.connect(server.create_database("app")) as connection:
        tell_everything(connection)
    standby = server.standby()
    make_cluster.made.append(standby)
    standby.start()
    server.wait_for(standby)
    with standby.connect("app") as connection:
        assert connection.execute("SELECT content FROM memory.messages ORDER BY id LIMIT 1").fetchone()[0].startswith(KOREAN)
        assert connection.execute("SELECT content FROM memory_recall('mina', 'lighthouse')").fetchall()
        assert connection.execute("SELECT build_context_json('mina', 's', 'lighthouse')").fetchone()[0]
        # The keys change on the primary: the standby hears of it.
        server.psql("SELECT memory_rotate_user_key('mina')", "app")
        server.psql("SELECT memory_encrypt('mina')", "app")
        server.wait_for(standby)
        assert connection.execute("SELECT content FROM memory.messages ORDER BY id LIMIT 1").fetchone()[0].startswith(KOREAN)


def test_a_key_of_a_prepared_transaction_is_not_used_before_its_end(make_encrypted):
    server = make_encrypted({"max_prepared_transactions": 2})
    with server.connect(server.create_database("app")) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT memory_add_message('mina', 's', 'user', 'never said')")
        connection.execute("PREPARE TRANSACTION 'later'")
        connection.execute("ROLLBACK PREPARED 'later'")
        connection.execute("SELECT memory_add_message('mina', 's', 'user', 'said')")
    with server.connect("app") as connection:
        assert connection.execute("SELECT content FROM memory.messages").fetchall() == [("said",)]


def test_parallel_workers_open_texts(make_encrypted):
    server = make_encrypted()
    with server.connect(server.create_database("app")) as connection:
        connection.execute("SELECT memory_add_message('u' || n % 50, 's', 'user', 'said ' || n) FROM generate_series(1, 3000) n")
        connection.execute("ANALYZE memory.stored_messages")
        for setting in (
            "parallel_setup_cost = 0",
            "parallel_tuple_cost = 0",
            "min_parallel_table_scan_size = 0",
            "parallel_leader_participation = off",
        ):
            connection.execute(f"SET {setting}")
        query = "SELECT count(*) FROM memory.messages WHERE content ~ '^said [0-9]+$'"
        plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN {query}"))
        assert "Parallel Seq Scan" in plan, plan
        assert connection.execute(query).fetchone() == (3000,)


class Clients:
    """Four clients that talk and read until they are stopped; what goes wrong is kept."""

    def __init__(self, server, count=4):
        self.server, self.problems, self.said = server, [], {}
        self.done = threading.Event()
        self.threads = [threading.Thread(target=self.talk, args=(f"user-{n % 3}", n)) for n in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        for thread in self.threads:
            thread.join()

    def talk(self, user, number):
        said = self.said.setdefault((user, number), [])
        try:
            with self.server.connect("app") as connection:
                while not self.done.is_set():
                    text = f"{KOREAN} {number} {len(said)}"
                    connection.execute("SELECT memory_add_turn(%s, %s, %s, %s)", (user, f"s{number}", text, ENGLISH))
                    said.append(text)
                    connection.execute("SELECT memory_create(%s, %s, force => true)", (user, f"memory {text}"))
                    found = connection.execute("SELECT content FROM memory_search_messages(%s, %s)", (user, KOREAN))
                    assert found.fetchone()
                    recent = connection.execute("SELECT content FROM memory_get_recent(%s, %s)", (user, f"s{number}"))
                    assert recent.fetchall()[-2][0] == text
        except Exception as problem:  # noqa: BLE001: shown by the test
            self.problems.append(repr(problem))

    def wait(self):
        """Until all of them have said something."""
        talking = lambda: len(self.said) == len(self.threads) and all(len(said) > 3 for said in self.said.values())  # noqa: E731
        assert clusters._wait(lambda: self.problems or talking(), 60) and not self.problems, self.problems

    def check(self, connection):
        assert not self.problems
        for (user, number), said in self.said.items():
            rows = connection.execute(
                "SELECT content FROM memory.messages WHERE user_id = %s AND session_id = %s AND role = 'user' ORDER BY id",
                (user, f"s{number}"),
            ).fetchall()
            assert [content for (content,) in rows] == said
        assert plain_rows(connection) == 0
        forms = connection.execute(
            """SELECT count(*) FROM memory.stored_messages m JOIN memory.encryption_progress p USING (user_id)
               WHERE NOT starts_with(m.content, chr(1) || 'A' || p.key_id || ':')"""
        )
        assert forms.fetchone() == (0,)


def test_keys_are_rotated_while_clients_write(make_encrypted):
    server = make_encrypted({"fsync": "off"})
    server.create_database("app")
    with Clients(server) as clients, server.connect("app") as connection:
        clients.wait()
        for number in range(2, 5):
            users = "SELECT DISTINCT user_id FROM memory.user_keys"
            connection.execute(f"SELECT memory_rotate_user_key(user_id) FROM ({users}) u")
            new, old = make_key(server, f"{number}.key", number), server.psql("SHOW memory_ext.master_key_file")
            configure(server, old_master_key_file=old)
            configure(server, master_key_file=new)
            while connection.execute("SELECT remaining FROM memory_rotate_master_key(1)").fetchone() != (0,):
                pass
            encrypt_all(connection, 50)
    configure(server, old_master_key_file="")
    with server.connect("app") as connection:
        encrypt_all(connection)
        clients.check(connection)
        assert connection.execute("SELECT DISTINCT key_id, key_count FROM memory.encryption_progress").fetchall() == [(4, 1)]


def test_a_database_is_encrypted_while_clients_write(make_cluster):
    server = make_cluster({**QUIET, "fsync": "off"})
    server.create_database("app")
    with server.connect("app") as connection:
        for user in range(3):
            connection.execute(
                "SELECT memory_add_turn(%s, 'old', %s || n, 'ok') FROM generate_series(1, 100) n", (f"user-{user}", KOREAN)
            )
    with Clients(server) as clients:
        clients.wait()
        configure(server, master_key_file=make_key(server))
        with server.connect("app") as connection:
            encrypt_all(connection, 50)
    with server.connect("app") as connection:
        # A client that had not heard of the key yet may have written plain: the next call finds it.
        for user in range(3):
            connection.execute("SELECT memory_encrypt(%s, 100000)", (f"user-{user}",))
        clients.check(connection)
        [found] = connection.execute("SELECT count(*) FROM memory_search_messages('user-0', %s, \"limit\" => 10000)", (KOREAN,)).fetchone()
        [stored] = connection.execute("SELECT count(*) FROM memory.messages WHERE user_id = 'user-0' AND role = 'user'").fetchone()
        assert found == stored


def test_workers_encrypt_what_is_plain(make_cluster):
    server = make_cluster(QUIET)
    with server.connect(server.create_database("app")) as connection:
        tell_everything(connection)
        assert plain_rows(connection) > 0
    server.settings |= {"memory_ext.workers": "on", "memory_ext.master_key_file": make_key(server)}
    server.restart()
    with server.connect("app") as connection:
        assert clusters._wait(lambda: plain_rows(connection) == 0, 60), server.log()
        assert connection.execute("SELECT content FROM memory_search_messages('mina', 'lighthouse')").fetchall()
        done = "SELECT sealed_at IS NOT NULL FROM memory.encryption_progress"
        assert clusters._wait(lambda: connection.execute(done).fetchall() == [(True,)], 60), server.log()


def test_regression_tests_pass_on_an_encrypted_server(make_encrypted, tmp_path):
    server = make_encrypted({"fsync": "off"})
    done = subprocess.run(
        [ROOT / "scripts" / "regress.sh", "regress", clusters.PG_CONFIG, tmp_path / "out"],
        env={**os.environ, "PGHOST": str(server.sockets), "PGPORT": "5432", "PGUSER": "postgres"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
