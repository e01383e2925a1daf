"""Jobs with an LLM: whatever the provider does, each ends in a summary, a retry or the fallback, and nothing is lost."""

import json
import threading
import time

import cluster as clusters
import psycopg
import pytest
from provider import Provider
from test_workers import QUICK, jobs, summaries, talk, until, with_llm, workers

_count = iter(range(1, 1000))


@pytest.fixture(scope="module")
def provider():
    with Provider() as one:
        yield one


@pytest.fixture(autouse=True)
def as_usual(provider):
    provider.reset()


@pytest.fixture(scope="module")
def server(provider):
    one = clusters.Cluster({**QUICK, **with_llm(provider)})
    one.start()
    yield one
    one.remove()


@pytest.fixture(scope="module", autouse=True)
def scheduled(provider):
    """A server that preloads pg_cron and not memory_ext. Its minute passes while the other tests run."""
    if not clusters.has_extension("pg_cron"):
        yield None
        return
    settings = {"fsync": "off", "shared_preload_libraries": "pg_cron", "cron.database_name": "app", "cron.host": ""}
    one = clusters.Cluster(settings, preload=False)
    one.start()
    one.create_database("app")
    for key, value in with_llm(provider, **{"memory_ext.llm_model": "cron"}).items():
        one.psql(f"LOAD 'memory_ext'; ALTER DATABASE app SET {key} = '{value}'")
    with one.connect("app") as connection:
        connection.execute("CREATE EXTENSION pg_cron")
        connection.execute("SELECT cron.schedule('jobs', '* * * * *', 'CALL memory_work()')")
        connection.execute("SELECT cron.schedule('maintenance', '* * * * *', 'SELECT memory_maintain()')")
        connection.execute("UPDATE cron.job SET nodename = %s", (str(one.sockets),))
        talk(connection)
        end(connection)
    yield one
    one.remove()


@pytest.fixture
def make_database(server):
    """make_database(setting=value…) gives a connection to a new database with a worker and these settings."""
    made = []

    def make(**settings):
        name = server.create_database(f"jobs_{next(_count)}", extension=False)
        for key, value in settings.items():
            server.psql(f"ALTER DATABASE {name} SET memory_ext.{key} = '{value}'")
        server.psql("SET client_min_messages = warning; CREATE EXTENSION memory_ext CASCADE", name)
        connection = server.connect(name)
        made.append((name, connection))
        if settings.get("workers") != "off":
            until(lambda: workers(server, name))
        return connection

    yield make
    for name, connection in made:
        connection.close()
        server.psql(f"DROP DATABASE {name} WITH (FORCE)")


def end(connection, user="amy", session="s"):
    connection.execute("SELECT memory_end_session(%s, %s)", (user, session))


def memories(connection):
    return connection.execute("SELECT source, importance, content FROM memory.memories WHERE archived_at IS NULL ORDER BY created_at").fetchall()


def verbatim(connection, turns=3):
    """The conversation itself, which nothing may touch."""
    said = connection.execute("SELECT content FROM memory.messages ORDER BY created_at, id").fetchall()
    assert len(said) == 2 * turns and said[0][0].startswith("Today I went up mountain number 0")


FALLBACK = "user: Today I went up mountain number 0 with my sister in the rain.\nassistant: How nice."

# Well answered, whatever stands around it.
READABLE = ["ok", "slow", "prose", "fenced", "trailing_commas", "thinking", "no_schema", "wrong_type"]
# Three attempts, then the fallback: what is wrong with the answer, and why.
UNREADABLE = {
    "error": "the provider answered 500",
    "empty": "the provider's answer is empty",
    "no_text": "the provider's answer is empty",
    "wrong_json": "the provider's answer cannot be read",
    "other_json": "the provider's answer cannot be read",
    "nonsense": "the provider's answer cannot be read",
    "cut_before": "the connection to the provider broke off",
    "cut_body": "the connection to the provider broke off",
    "huge": "the provider's answer is too large",
    "hang": "the provider did not answer in time",
    "drip": "the provider did not answer in time",
}


def test_every_answer_ends_in_a_summary_or_the_fallback(server, provider, make_database):
    """KNOCK 4.1 and 6.3. A database for each fault, all at once: the pauses between attempts add up otherwise."""
    modes = [*READABLE, *UNREADABLE, "redirect"]
    opened = {mode: make_database(llm_endpoint=f"{provider.root}/~{mode}/v1", llm_timeout="2s") for mode in modes}
    for connection in opened.values():
        talk(connection)
        end(connection)
    for mode, connection in opened.items():
        until(lambda: connection.execute("SELECT count(*) FROM memory.jobs WHERE state IN ('done', 'failed')").fetchone() == (1,), within=30)
        ((kind, state, attempts, outcome, error),) = jobs(connection)
        ((user, session, source, content),) = summaries(connection)
        ((memory_source, importance, memory),) = memories(connection)
        assert (source, content) == (memory_source, memory), mode
        if mode in READABLE:
            assert (state, attempts, outcome, error) == ("done", 1, "llm", None), mode
            assert (source, content) == ("llm", "The user told something."), mode
            assert importance == pytest.approx(0.6), mode
        else:
            assert (state, outcome, source, importance) == ("failed", "fallback", "fallback", 0.5), mode
            assert content.startswith(FALLBACK) and len(content) <= 500, mode
            # A redirect would be one again; the others have three attempts.
            assert attempts == (1 if mode == "redirect" else 3), mode
            reason = UNREADABLE.get(mode, "the provider redirected, which is not followed")
            assert error == f"LLM_SUMMARY_FAILED: {reason}", mode
        verbatim(connection)
    assert not [request for request in provider.requests if request["what"] == "followed"]


def test_attempts_are_one_and_two_seconds_apart(provider, make_database):
    connection = make_database()
    listener = connection.execute("LISTEN memory_events")
    provider.behave("chat", "error", status=503)
    talk(connection)
    end(connection)
    until(lambda: jobs(connection, "state = 'failed'"))
    at = [request["at"] for request in provider.of("chat")]
    assert len(at) == 3
    assert 1 <= at[1] - at[0] < 1.7 and 2 <= at[2] - at[1] < 2.7
    # Whoever listens hears of it.
    told = json.loads(next(connection.notifies(timeout=5, stop_after=1)).payload)
    assert (told["event"], told["kind"], told["user_id"], told["session_id"]) == ("job_failed", "summarize", "amy", "s")
    # A dead letter can be tried again, and then the fallback makes room.
    provider.reset()
    assert connection.execute("SELECT memory_requeue_job(user_id, id) FROM memory.failed_jobs").fetchone() == (True,)
    until(lambda: jobs(connection, "state = 'done'"))
    assert [row[0] for row in memories(connection)] == ["llm"]
    assert [row[2] for row in summaries(connection)] == ["fallback", "llm"]
    assert listener is not None


def test_an_outage_that_passes(provider, make_database):
    connection = make_database()
    provider.behave("chat", "error", status=500, times=2)
    talk(connection)
    end(connection)
    until(lambda: [job[:4] for job in jobs(connection)] == [("summarize", "done", 3, "llm")])


def test_429_leaves_the_provider_alone(provider, make_database):
    """At least a minute, for all that would ask it; it is no fault of the job, and what needs no LLM goes on."""
    connection = make_database()
    provider.behave("chat", "rate_limit", retry_after=1)
    talk(connection)
    end(connection)
    ((attempts, pause, error),) = until(
        lambda: connection.execute(
            "SELECT attempts, extract(epoch FROM not_before - clock_timestamp()), last_error FROM memory.jobs WHERE state = 'queued' AND last_error IS NOT NULL"
        ).fetchall()
    )
    assert attempts == 0 and 55 < pause <= 61
    assert error == "LLM_SUMMARY_FAILED: the provider answered 429"
    talk(connection, "bob", turns=5)
    end(connection, "bob")
    time.sleep(1.5)
    assert len(provider.of("chat")) == 1
    assert connection.execute("SELECT count(*) FROM memory.queued_jobs").fetchone() == (2,)
    # A review needs no LLM: its job is gone.
    assert connection.execute("SELECT count(*) FROM memory.queued_jobs WHERE kind = 'review'").fetchone() == (0,)


def test_what_an_llm_says_overwrites_nobody(provider, make_database):
    # The 429 of another test must not reach this one: another model is another provider.
    connection = make_database(llm_model="facts", extract_turns=1)

    def fact(subject, value):
        return {"subject": subject, "value": value, "category": "PERSONAL_INFO", "importance": 9, "confidence": 1.0, "said_by": "user"}

    provider.answer = lambda body: (
        {"facts": [fact("직업", "의사"), fact("이름", "민수"), fact("거주지", "부산"), fact("혈액형", "A형"), fact("취미", "등산")]}
        if "facts" in json.dumps(body.get("response_format", {}))
        else {"summary": "…", "topics": [], "emotion": "calm", "importance": 5}
    )
    connection.execute("SELECT memory_set_fact('amy', '직업', '개발자')")
    connection.execute("SELECT memory_add_turn('amy', 's', '내 이름은 지우야.', '반가워!')")
    connection.execute("SELECT memory_add_turn('amy', 's', '나는 서울에 살아.', '그렇구나.')")
    connection.execute("SELECT memory_add_turn('amy', 's', '실은 지난달부터 부산 사람이 다 됐지 뭐야.', '부산이라니!')")
    end(connection)
    until(lambda: jobs(connection, "kind = 'extract' AND state = 'done'"))
    known = dict(connection.execute("SELECT key, value || ' ' || source FROM memory.facts WHERE valid_to IS NULL").fetchall())
    assert known["직업"] == "개발자 application"
    assert known["이름"] == "지우 user"
    # Later words of the user's own.
    assert known["거주지"] == "부산 llm"
    assert known["혈액형"] == "A llm" and known["취미"] == "등산 llm"
    history = connection.execute("SELECT value, valid_to IS NULL, metadata FROM memory.facts WHERE key = '거주지' ORDER BY valid_from").fetchall()
    assert [(value, holds) for value, holds, _ in history] == [("서울", False), ("부산", True)]
    assert history[1][2] == {"model": "stub-1"}


def test_analysis_and_the_directors_note(provider, make_database):
    connection = make_database(llm_model="analysis", analyze_turns=5)
    talk(connection, turns=5)
    until(lambda: jobs(connection, "kind = 'analyze' AND state = 'done'"))
    assert connection.execute("SELECT trust, familiarity, director_note FROM memory.relationships").fetchone() == (1, 2, "Ask how it went.")
    assert connection.execute("SELECT reason, emotion FROM memory.relationship_changes").fetchone() == ("analysis by stub-1", "calm")
    context = connection.execute("SELECT build_context_json('amy', 's', 'hello')").fetchone()[0]
    assert context["director_note"] == "Ask how it went."
    # A note of the application's own stays.
    connection.execute("SELECT memory_apply_relationship('amy', director_note => 'Be kind.', speech_style => 'formal')")
    talk(connection, turns=5)
    until(lambda: len(jobs(connection, "kind = 'analyze' AND state = 'done'")) == 2)
    assert connection.execute("SELECT trust, director_note, speech_style FROM memory.relationships").fetchone() == (2, "Be kind.", "formal")


def test_interpretation_profile_and_prompts_of_the_agent(provider, make_database):
    connection = make_database(llm_model="voice", reflect_turns=2)
    connection.execute("SELECT memory_set_agent('luna', persona => 'You are Luna.', config => '{\"prompts\": {\"summary\": \"Say it as a haiku.\"}}')")
    connection.execute("SELECT memory_set_fact('amy', 'name', 'Amy', agent_id => 'luna')")
    talk(connection, turns=5, agent="luna")
    end(connection)
    until(lambda: jobs(connection, "kind = 'interpret' AND state = 'done'") and jobs(connection, "kind = 'reflect' AND state = 'done'"))
    assert connection.execute("SELECT interpretation, emotion_intensity FROM memory.memories WHERE kind = 'summary'").fetchone() == ("I was glad to hear it.", 0.5)
    assert connection.execute("SELECT content, metadata FROM memory.memories WHERE kind = 'reflection'").fetchone() == (
        "Somebody who likes to talk.",
        {"model": "stub-1", "source": "llm"},
    )
    asked = [request["body"]["messages"][0]["content"] for request in provider.of("chat")]
    assert any(text.startswith("Say it as a haiku.") for text in asked)
    spoken = [request["body"]["messages"][1]["content"] for request in provider.of("chat")]
    assert any("You are Luna." in text for text in spoken)


def test_the_budget_of_a_user(provider, make_database):
    connection = make_database(llm_model="budget", llm_daily_calls=1)
    for session in ("one", "two"):
        talk(connection, session=session)
        end(connection, session=session)
        until(lambda: len(summaries(connection)) == ("one", "two").index(session) + 1)
    assert [row[2] for row in summaries(connection)] == ["llm", "builtin"]
    talk(connection, "bob")
    end(connection, "bob")
    until(lambda: [row[2] for row in summaries(connection)] == ["llm", "builtin", "llm"])
    usage = connection.execute("SELECT user_id, calls, prompt_tokens, answer_tokens FROM memory.llm_usage ORDER BY 1").fetchall()
    assert usage == [("amy", 1, 11, 7), ("bob", 1, 11, 7)]
    # Tokens count as well.
    other = make_database(llm_model="budget", llm_daily_tokens=18)
    for session in ("one", "two"):
        talk(other, session=session)
        end(other, session=session)
        until(lambda: len(summaries(other)) == ("one", "two").index(session) + 1)
    assert [row[2] for row in summaries(other)] == ["llm", "builtin"]


def test_vectors_over_http_come_from_the_worker(provider, make_database):
    connection = make_database(embedding_provider="http", embed_endpoint=provider.endpoint, embed_model="vectors", embed_messages="on")
    connection.execute("SELECT memory_create('amy', 'She likes the sea')")
    entries = "(SELECT embedding FROM memory.search_entries UNION ALL SELECT embedding FROM memory.stored_messages) AS e"
    missing = f"SELECT count(*) FROM {entries} WHERE embedding IS NULL"
    until(lambda: connection.execute(missing).fetchone() == (0,))
    talk(connection, turns=5)
    until(lambda: connection.execute(missing).fetchone() == (0,))
    assert connection.execute(f"SELECT count(*) FROM {entries} WHERE embedding IS NOT NULL").fetchone() == (11,)
    assert connection.execute("SELECT model FROM memory.memories").fetchone() == ("vectors",)
    # An outage: it is found by its words until the service is back.
    provider.behave("embed", "error", status=500, times=2)
    connection.execute("SELECT memory_create('amy', 'She plays the violin')")
    until(lambda: connection.execute(missing).fetchone() == (0,))


def test_another_model_embeds_everything_anew(server, provider, make_database):
    connection = make_database(embedding_provider="none")
    for n in range(150):
        connection.execute("SELECT memory_create('amy', %s)", (f"event number {n} of {n * 7}",))
    name = connection.info.dbname
    for key, value in {"embedding_provider": "http", "embed_endpoint": provider.endpoint, "embed_model": "later"}.items():
        server.psql(f"ALTER DATABASE {name} SET memory_ext.{key} = '{value}'")
    server.psql(f"SELECT pg_terminate_backend({workers(server, name)})")
    until(lambda: connection.execute("SELECT count(*) FROM memory.memories WHERE model = 'later'").fetchone() == (150,), within=20)
    assert connection.execute("SELECT name FROM memory.scopes JOIN memory.models USING (model_id)").fetchone() == ("later",)


def test_by_hand_without_preloading(make_cluster, provider):
    server = make_cluster({**with_llm(provider, **{"memory_ext.llm_model": "hand"}), "fsync": "off"}, preload=False)
    server.psql("ALTER SYSTEM SET session_preload_libraries = 'memory_ext'")
    server.psql("SELECT pg_reload_conf()")
    with server.connect(server.create_database("app")) as connection:
        for user in ("amy", "bob", "eve"):
            talk(connection, user)
            end(connection, user)
        # In the caller's transaction.
        with connection.transaction(force_rollback=True):
            assert connection.execute("SELECT kind, done, retried, failed FROM memory_run_jobs(1)").fetchall() == [("summarize", 1, 0, 0)]
        assert summaries(connection) == []
        assert connection.execute("SELECT kind, done FROM memory_run_jobs(1)").fetchall() == [("summarize", 1)]
        assert len(summaries(connection)) == 1
        # With a commit after each step: others see what is going on, and no snapshot is held during the call.
        provider.behave("chat", "slow", seconds=1)
        provider.requests.clear()
        worker = threading.Thread(target=server.psql, args=("CALL memory_work()", "app"))
        worker.start()
        provider.wait_for(2)
        running = connection.execute("SELECT kind, attempts FROM memory.running_jobs").fetchall()
        assert running == [("summarize", 1)] * 2
        held = connection.execute("SELECT backend_xid, backend_xmin FROM pg_stat_activity WHERE query LIKE 'CALL memory_work%'").fetchall()
        assert held == [(None, None)]
        worker.join()
        assert sorted(row[0] for row in summaries(connection)) == ["amy", "bob", "eve"]
        with pytest.raises(psycopg.errors.ActiveSqlTransaction), connection.transaction():
            connection.execute("CALL memory_work()")
        # Idle sessions and maintenance, too.
        connection.execute("SELECT memory_add_turn('amy', 'old', 'I moved to Busan.', 'Oh!', created_at => now() - interval '1 hour')")
        connection.execute("CALL memory_work()")
        assert connection.execute("SELECT source FROM memory.summaries WHERE session_id = 'old'").fetchone() == ("llm",)
        # Whoever has no right to all users does nobody's work.
        connection.execute("CREATE ROLE app_writer IN ROLE memory_writer")
        connection.execute("SET ROLE app_writer")
        for call in ("SELECT memory_run_jobs()", "CALL memory_work()"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(call)


def test_two_hundred_sessions_end_at_once(server, provider, make_database):
    """All are summarised, nobody's transaction gets old, and the application goes on meanwhile."""
    provider.behave("chat", "slow", seconds=0.5)
    connection = make_database(llm_model="load", llm_concurrency=32)
    with connection.transaction():
        for n in range(200):
            talk(connection, f"user {n}", turns=2)
    oldest, stop, turns = [0.0], threading.Event(), [0]

    def watch():
        with server.connect() as watcher:
            while not stop.is_set():
                age = watcher.execute(
                    "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity WHERE backend_type = 'memory_ext worker'"
                ).fetchone()[0]
                oldest[0] = max(oldest[0], float(age))
                time.sleep(0.02)

    def go_on():
        with server.connect(connection.info.dbname) as application:
            while not stop.is_set():
                talk(application, "somebody else", f"session {turns[0] // 4}", turns=1)
                turns[0] += 1

    threads = [threading.Thread(target=watch), threading.Thread(target=go_on)]
    for thread in threads:
        thread.start()
    connection.execute("SELECT memory_end_session('user ' || n, 's') FROM generate_series(0, 199) AS n")
    until(lambda: connection.execute("SELECT count(*) FROM memory.summaries WHERE source = 'llm' AND session_id = 's'").fetchone() == (200,), within=40)
    stop.set()
    for thread in threads:
        thread.join()
    assert oldest[0] < 1
    assert turns[0] > 50
    assert provider.most_open > 8
    assert connection.execute("SELECT count(*), count(DISTINCT user_id) FROM memory.summaries").fetchone() == (200, 200)
    assert connection.execute("SELECT count(*) FROM memory.jobs WHERE kind = 'summarize' AND attempts <> 1").fetchone() == (0,)


def test_pg_cron(scheduled):
    if scheduled is None:
        pytest.skip("this PostgreSQL has no pg_cron")
    with scheduled.connect("app") as connection:
        until(lambda: summaries(connection), within=75, pause=0.5)
        assert [row[2] for row in summaries(connection)] == ["llm"]
        ran = "SELECT command, status FROM cron.job_run_details WHERE status <> 'running' ORDER BY runid LIMIT 2"
        assert sorted(connection.execute(ran).fetchall()) == [("CALL memory_work()", "succeeded"), ("SELECT memory_maintain()", "succeeded")]
