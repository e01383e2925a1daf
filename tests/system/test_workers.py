"""The life of the background workers: what broke those of others, and what they must never do to anybody else."""

import os
import re
import signal
import threading
import time

import psycopg
import pytest
from provider import Provider

QUICK = {
    "fsync": "off",
    "max_worker_processes": 40,
    "autovacuum_naptime": "1s",
    "memory_ext.worker_naptime": "2s",
    "memory_ext.sweep_interval": "1s",
}


def until(condition, within=15.0, pause=0.05):
    """Waits for a condition and gives what it gave."""
    deadline = time.monotonic() + within
    while True:
        given = condition()
        if given:
            return given
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(pause)


def workers(server, database=None):
    """The names of the workers, or the pid of one database's."""
    if database is None:
        return server.psql("SELECT application_name FROM pg_stat_activity WHERE backend_type = 'memory_ext worker' ORDER BY 1").splitlines()
    return server.psql(f"SELECT pid FROM pg_stat_activity WHERE backend_type = 'memory_ext worker' AND datname = '{database}'")


def talk(connection, user="amy", session="s", turns=3, **more):
    for turn in range(turns):
        connection.execute(
            "SELECT memory_add_turn(%s, %s, %s, 'How nice.', agent_id => %s)",
            (user, session, f"Today I went up mountain number {turn} with my sister in the rain.", more.get("agent", "")),
        )


def jobs(connection, where="true"):
    return connection.execute(f"SELECT kind, state, attempts, outcome, last_error FROM memory.jobs WHERE {where} ORDER BY created_at, id").fetchall()


def summaries(connection):
    return connection.execute("SELECT user_id, session_id, source, content FROM memory.summaries ORDER BY created_at").fetchall()


def with_llm(provider, **settings):
    return {
        "memory_ext.llm_provider": "openai",
        "memory_ext.llm_endpoint": provider.endpoint,
        "memory_ext.llm_model": "stub",
        "memory_ext.extract_turns": 0,
        "memory_ext.analyze_turns": 0,
        **settings,
    }


@pytest.fixture(scope="module")
def provider():
    with Provider() as one:
        yield one


@pytest.fixture(autouse=True)
def as_usual(provider):
    provider.reset()


@pytest.fixture(scope="module")
def server():
    """A server with workers and without an LLM; databases switch one on for themselves."""
    import cluster as clusters

    one = clusters.Cluster(QUICK)
    one.start()
    yield one
    one.remove()


_count = iter(range(1, 1000))


@pytest.fixture
def app(server):
    """A database with a worker of its own."""
    name = server.create_database(f"app_{next(_count)}")
    until(lambda: workers(server, name))
    yield name
    server.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@pytest.fixture
def llm_app(server, provider):
    """The same with an LLM."""
    name = server.create_database(f"llm_{next(_count)}", extension=False)
    for key, value in with_llm(provider).items():
        server.psql(f"ALTER DATABASE {name} SET {key} = '{value}'")
    server.psql("SET client_min_messages = warning; CREATE EXTENSION memory_ext CASCADE", name)
    until(lambda: workers(server, name))
    yield name
    server.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def working(server, name, connection, provider, user="amy"):
    """A worker in the middle of a call that never ends."""
    provider.behave("chat", "hang")
    talk(connection, user)
    connection.execute("SELECT memory_end_session(%s, 's')", (user,))
    provider.wait_for(1)


# Who gets a worker


def test_a_worker_for_each_database_with_the_extension(server, app):
    assert f"memory_ext worker: {app}" in workers(server)
    server.create_database("without", extension=False)
    # A schema of the same name is not the extension.
    server.psql("CREATE SCHEMA memory; CREATE TABLE memory.jobs (a int)", "without")
    late = server.create_database("late", extension=False)
    time.sleep(1)
    assert workers(server, "without") == workers(server, late) == ""
    server.psql("SET client_min_messages = warning; BEGIN; CREATE EXTENSION memory_ext CASCADE; ROLLBACK", late)
    time.sleep(0.5)
    assert workers(server, late) == ""
    server.psql("SET client_min_messages = warning; CREATE EXTENSION memory_ext CASCADE", late)
    until(lambda: workers(server, late), within=3)
    state = server.psql(f"SELECT backend_type, state, query FROM pg_stat_activity WHERE pid = {workers(server, late)}")
    assert re.match(r"memory_ext worker\|(idle|active)\|memory_ext: ", state)
    # One that is copied brings its extension along.
    server.psql(f"CREATE DATABASE copied TEMPLATE {late}")
    until(lambda: workers(server, "copied"), within=15)
    assert "ERROR" not in server.log() and "PANIC" not in server.log()
    for name in ("without", late, "copied"):
        server.psql(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_setting_names_the_databases(make_cluster):
    server = make_cluster({**QUICK, "memory_ext.databases": "one, nobody"})
    for name in ("one", "two"):
        server.create_database(name)
    until(lambda: workers(server) == ["memory_ext worker: one"])
    assert 'memory_ext.databases names "nobody"' in server.log()
    server.psql("ALTER SYSTEM SET memory_ext.databases = 'two'")
    server.psql("SELECT pg_reload_conf()")
    until(lambda: workers(server) == ["memory_ext worker: two"])
    server.psql("ALTER SYSTEM SET memory_ext.workers = off")
    server.psql("SELECT pg_reload_conf()")
    until(lambda: workers(server) == [])
    server.psql("ALTER SYSTEM RESET ALL")
    server.psql("SELECT pg_reload_conf()")
    until(lambda: workers(server) == ["memory_ext worker: one"])


def test_switched_off_for_one_database(server, app):
    server.psql(f"ALTER DATABASE {app} SET memory_ext.workers = off")
    server.psql(f"SELECT pg_terminate_backend({workers(server, app)})")
    until(lambda: workers(server, app) == "")
    time.sleep(4)
    assert workers(server, app) == ""


def test_no_free_slot(make_cluster):
    """The launcher and the one of logical replication take both."""
    server = make_cluster({**QUICK, "max_worker_processes": 2})
    server.create_database("app")
    warning = 'WARNING:  memory_ext: no free background worker slot for database "app"'
    until(lambda: warning in server.log())
    time.sleep(4)
    assert server.log().count(warning) == 1
    assert "Raise max_worker_processes" in server.log()
    # By hand everything is done all the same.
    with server.connect("app") as connection:
        talk(connection)
        connection.execute("SELECT memory_end_session('amy', 's')")
        assert connection.execute("SELECT kind, done FROM memory_run_jobs()").fetchall() == [("summarize", 1)]


def test_standby(make_cluster):
    server = make_cluster(QUICK)
    server.create_database("app")
    until(lambda: workers(server, "app"))
    standby = server.standby()
    make_cluster.made.append(standby)
    standby.start()
    server.wait_for(standby)
    time.sleep(1)
    assert standby.psql("SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'memory_ext%'") == "0"
    server.stop("immediate")
    standby.promote()
    until(lambda: workers(standby, "app"))
    with standby.connect("app") as connection:
        talk(connection)
        connection.execute("SELECT memory_end_session('amy', 's')")
        until(lambda: summaries(connection))


def test_binary_upgrade(make_cluster):
    """pg_upgrade starts servers that must not begin to work."""
    server = make_cluster(QUICK)
    server.create_database("app")
    server.stop()
    server._ctl("start", "-w", "-l", server.log_file, "-o", "-b")
    time.sleep(1)
    assert server.psql("SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'memory_ext%'") == "0"


# What others do while it works


def test_drop_database_while_idle(server, app):
    began = time.monotonic()
    server.psql(f"DROP DATABASE {app}")
    assert time.monotonic() - began < 3


def test_rename_and_copy_while_idle(server, app):
    server.psql(f"CREATE DATABASE {app}_copy TEMPLATE {app}")
    server.psql(f"ALTER DATABASE {app} RENAME TO {app}_other")
    until(lambda: workers(server, f"{app}_other"))
    until(lambda: workers(server, f"{app}_copy"))
    for name in (f"{app}_copy", f"{app}_other"):
        server.psql(f"DROP DATABASE {name}")


def test_drop_database_in_a_call(server, llm_app, provider):
    """Elsewhere it does not wait for us; here we make way."""
    app = llm_app
    elsewhere = [server.create_database(f"{app}_elsewhere{n}", extension=False) for n in range(3)]
    with server.connect(app) as connection:
        working(server, app, connection, provider)
        # The quickest of three: psql and the machine take their time, too.
        took = []
        for name in elsewhere:
            began = time.monotonic()
            server.psql(f"DROP DATABASE {name}")
            took.append(time.monotonic() - began)
        assert min(took) < 1
        assert jobs(connection) == [("summarize", "running", 1, None, None)]
    began = time.monotonic()
    server.psql(f"DROP DATABASE {app}")
    assert time.monotonic() - began < 3


def test_drop_extension_in_a_call(server, llm_app, provider):
    app = llm_app
    with server.connect(app) as connection:
        working(server, app, connection, provider)
        began = time.monotonic()
        connection.execute("DROP EXTENSION memory_ext")
        assert time.monotonic() - began < 2
        until(lambda: workers(server, app) == "", within=5)
        provider.reset()
        connection.execute("CREATE EXTENSION memory_ext")
        until(lambda: workers(server, app), within=8)
        talk(connection)
        connection.execute("SELECT memory_end_session('amy', 's')")
        until(lambda: summaries(connection))
        # Between two looks of the worker.
        connection.execute("DROP EXTENSION memory_ext; CREATE EXTENSION memory_ext")
        talk(connection)
        connection.execute("SELECT memory_end_session('amy', 's')")
        until(lambda: summaries(connection))
    assert "PANIC" not in server.log()


def test_fast_stop(make_cluster, provider):
    server = make_cluster({**QUICK, **with_llm(provider)})
    with server.connect(server.create_database("app")) as connection:
        working(server, "app", connection, provider)
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 3
    # What it was doing is done after the start.
    provider.reset()
    server.start()
    with server.connect("app") as connection:
        until(lambda: jobs(connection) == [("summarize", "done", 2, "llm", "the process that worked on it is gone")])
        assert len(summaries(connection)) == 1
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 3


def test_kill_9_in_a_call(make_cluster, provider):
    """The server restarts all its processes; the job is done once."""
    server = make_cluster({**QUICK, **with_llm(provider)})
    with server.connect(server.create_database("app")) as connection:
        working(server, "app", connection, provider)
    provider.reset()
    os.kill(int(workers(server, "app")), signal.SIGKILL)

    def done():
        try:
            with server.connect("app") as connection:
                return [job[:4] for job in jobs(connection)] == [("summarize", "done", 2, "llm")]
        except psycopg.OperationalError:
            return False

    until(done, within=30)
    with server.connect("app") as connection:
        assert [row[2] for row in summaries(connection)] == ["llm"]
        assert connection.execute("SELECT count(*) FROM memory.memories").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM memory.messages").fetchone() == (6,)
    # A crash of everything at once ends the same way.
    with server.connect("app") as connection:
        working(server, "app", connection, provider, user="bob")
    server.kill()
    provider.reset()
    server.start()
    with server.connect("app") as connection:
        until(lambda: [row[0] for row in summaries(connection)] == ["amy", "bob"])


def test_a_new_launcher_has_workers_of_its_own(make_cluster):
    """Those of the old one leave: no database has two."""
    server = make_cluster(QUICK)
    server.create_database("app")
    old = until(lambda: workers(server, "app"))
    server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'memory_ext launcher'")
    until(lambda: workers(server, "app") not in ("", old) and "\n" not in workers(server, "app"), within=20)


def test_the_user_is_cleared_in_a_call(server, llm_app, provider):
    """What the LLM then says is of nobody any more."""
    with server.connect(llm_app) as connection:
        provider.behave("chat", "slow", seconds=1)
        for user in ("amy", "bob"):
            talk(connection, user)
            connection.execute("SELECT memory_end_session(%s, 's')", (user,))
        provider.wait_for(2)
        connection.execute("SELECT memory_clear('amy', confirm => true)")
        connection.execute("SELECT memory_delete_session('bob', 's')")
        talk(connection, "eve")
        connection.execute("SELECT memory_end_session('eve', 's')")
        until(lambda: [row[0] for row in summaries(connection)] == ["eve"])
        assert connection.execute("SELECT DISTINCT user_id FROM memory.jobs").fetchall() == [("eve",)]
        assert connection.execute("SELECT DISTINCT user_id FROM memory.memories").fetchall() == [("eve",)]
    assert "could not be put away" not in server.log()


def test_somebody_holds_the_users_lock(server, app):
    """The worker does not stand in line: its transactions stay short, and the job is done when the lock is free."""
    with server.connect(app) as connection, server.connect(app, autocommit=False) as holder, server.connect(app) as watcher:
        talk(connection)
        holder.execute("SELECT memory_create('amy', 'held')")
        connection.execute("SELECT memory_end_session('amy', 's')")
        oldest = 0.0
        for _ in range(50):
            age = watcher.execute(
                "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity WHERE backend_type = 'memory_ext worker'"
            ).fetchone()[0]
            oldest = max(oldest, float(age))
            time.sleep(0.05)
        assert summaries(connection) == []
        holder.rollback()
        until(lambda: summaries(connection), within=5)
    assert oldest < 1
    assert jobs_are_clean(server, app)


def jobs_are_clean(server, database):
    return server.psql("SELECT count(*) FROM memory.jobs WHERE state <> 'done'", database) == "0"


def test_the_queue_stays_vacuumed(server, app):
    with server.connect(app) as connection:
        for n in range(300):
            talk(connection, f"user {n}", turns=1)
            connection.execute("SELECT memory_end_session(%s, 's')", (f"user {n}",))
        until(lambda: connection.execute("SELECT count(*) FROM memory.jobs WHERE state = 'done'").fetchone() == (300,), within=30)
        until(
            lambda: connection.execute(
                "SELECT autovacuum_count > 0 AND n_dead_tup < 1000 FROM pg_stat_user_tables WHERE relid = 'memory.jobs'::regclass"
            ).fetchone()[0],
            within=20,
        )
        # Kept as long as they are to be kept, and no longer.
        connection.execute("SET memory_ext.job_keep = 0")
        assert connection.execute("SELECT count(*) FROM memory_run_jobs()").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM memory.jobs").fetchone() == (0,)


# What it does


def test_idle_sessions_end_and_are_summarised(server, app):
    with server.connect(app) as connection:
        connection.execute("SELECT memory_add_turn('amy', 'idle', 'I moved to Busan last week.', 'Exciting!', created_at => now() - interval '31 minutes')")
        connection.execute("SELECT memory_add_turn('amy', 'fresh', 'I like the sea.', 'Me too.')")
        until(lambda: [row[1:3] for row in summaries(connection)] == [("idle", "builtin")])
        assert connection.execute("SELECT session_id, end_reason FROM memory.sessions ORDER BY 1").fetchall() == [("fresh", None), ("idle", "idle")]
        assert connection.execute("SELECT kind, source FROM memory.memories").fetchall() == [("summary", "builtin")]


def test_twenty_messages_make_a_summary(server, app):
    """KNOCK 6.1: after 20 messages and at the end there is a memory, and the next day begins with it."""
    with server.connect(app) as connection:
        talk(connection, turns=9)
        time.sleep(0.5)
        assert summaries(connection) == []
        talk(connection, turns=1)
        (made,) = until(lambda: summaries(connection))
        assert made[2] == "builtin"
        # The last six turns stay as they are.
        assert connection.execute("SELECT message_count FROM memory.summaries").fetchone() == (8,)
        connection.execute("SELECT memory_end_session('amy', 's')")
        until(lambda: len(summaries(connection)) == 2)
        # One memory of a session: the newer summary took the place of the older.
        assert connection.execute("SELECT count(*) FROM memory_load('amy')").fetchone() == (1,)
        context = connection.execute("SELECT build_context_json('amy', 'next day', 'Do you remember?')").fetchone()[0]
        assert [memory["content"] for memory in context["memories"]] == [summaries(connection)[-1][3]]


def test_checkpoints_of_open_sessions(server, app):
    with server.connect(app) as connection:
        talk(connection, turns=8)
        talk(connection, session="short", turns=2)
        connection.execute("UPDATE memory.sessions SET started_at = started_at - interval '6 minutes'")
        assert connection.execute("SELECT sum(done) FROM memory_run_jobs()").fetchone()[0] >= 1
        (made,) = until(lambda: summaries(connection))
        assert made[1:3] == ("s", "checkpoint")
        # It bridges the time until a summary is due, no more.
        assert connection.execute("SELECT count(*) FROM memory.memories").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM memory.session_progress WHERE checkpointed_at IS NOT NULL").fetchone() == (2,)
        connection.execute("SELECT memory_end_session('amy', 's')")
        until(lambda: [row[2] for row in summaries(connection)] == ["builtin"])


def test_turns_make_memories_fade(server, app):
    with server.connect(app) as connection:
        connection.execute("SELECT memory_create('amy', 'went up a mountain')")
        talk(connection, turns=10)
        standing = "SELECT decay_steps, decayed_turn, consolidated_turn FROM memory.scopes"
        until(lambda: connection.execute(standing).fetchone() == (2, 10, 10))


def test_reload_changes_settings(server, app):
    with server.connect(app) as connection:
        connection.execute("SELECT memory_add_turn('amy', 's', 'I moved to Busan.', 'Exciting!', created_at => now() - interval '5 minutes')")
        time.sleep(1.5)
        assert summaries(connection) == []
        server.psql("ALTER SYSTEM SET memory_ext.session_timeout = '2min'")
        server.psql("SELECT pg_reload_conf()")
        until(lambda: summaries(connection))
        server.psql("ALTER SYSTEM RESET ALL")
        server.psql("SELECT pg_reload_conf()")


def test_a_job_that_breaks_does_not_stop_the_others(server, app):
    with server.connect(app) as connection:
        talk(connection, "amy", turns=2)
        # An agent whose settings nobody can read breaks every job of its sessions.
        talk(connection, "bob", turns=2, agent="broken")
        connection.execute("INSERT INTO memory.agents (agent_id, config) VALUES ('broken', '{\"language\": 7}')")
        connection.execute("SELECT memory_end_session(u, 's') FROM unnest('{amy,bob}'::text[]) AS u")
        ((kind, attempts, failure),) = until(lambda: connection.execute("SELECT kind, attempts, last_error FROM memory.failed_jobs").fetchall())
        assert (kind, attempts) == ("summarize", 3)
        assert failure.startswith("LLM_SUMMARY_FAILED: the agent's config is not valid")
        assert [row[0] for row in summaries(connection)] == ["amy"]
        connection.execute("DELETE FROM memory.agents")
        assert connection.execute("SELECT memory_requeue_job(user_id, id) FROM memory.failed_jobs WHERE kind = 'summarize'").fetchone() == (True,)
        until(lambda: [row[0] for row in summaries(connection)] == ["amy", "bob"])
