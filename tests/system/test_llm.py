"""The client of LLM and embedding providers, against a provider on loopback that misbehaves in every way."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

import cluster as clusters
import psycopg
import pytest
from provider import Provider

KEY = "sk-very-secret-0123456789"


@pytest.fixture(scope="module")
def provider():
    with Provider() as one:
        yield one


@pytest.fixture(scope="module")
def server(provider, module_cluster):
    return module_cluster


@pytest.fixture
def connect(server, database, provider):
    """A connection with both providers set; settings can be changed: connect(llm_timeout="1s")."""
    provider.reset()
    connections = []

    def connect(**settings):
        connection = server.connect(database)
        connections.append(connection)
        wanted = {
            "llm_provider": "openai",
            "llm_endpoint": provider.endpoint,
            "llm_model": f"m-{time.monotonic_ns()}",  # a pause of one test is not the next one's
            "embedding_provider": "http",
            "embed_endpoint": provider.endpoint,
            "embed_model": f"e-{time.monotonic_ns()}",
            "embed_query_pause": "0",
            **settings,
        }
        for name, value in wanted.items():
            connection.execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [str(value)])
        connection.user = f"user-{time.monotonic_ns()}"
        connection.notices = []
        connection.add_notice_handler(lambda notice: connection.notices.append(notice.message_primary))
        return connection

    yield connect
    for connection in connections:
        connection.close()


@pytest.fixture(scope="module")
def module_cluster():
    # No workers: these tests look at what is done in the caller's backend.
    settings = {"fsync": "off", "log_min_messages": "info", "log_min_error_statement": "panic", "memory_ext.workers": "off"}
    one = clusters.Cluster(settings)
    # The server's environment holds a key that a setting can name.
    before = os.environ.get("MEMORY_EXT_TEST_KEY")
    os.environ["MEMORY_EXT_TEST_KEY"] = KEY
    one.start()
    if before is None:
        del os.environ["MEMORY_EXT_TEST_KEY"]
    yield one
    one.remove()


@pytest.fixture(scope="module")
def database(server):
    name = server.create_database(f"llm_{time.monotonic_ns()}")
    yield name
    server.psql(f'DROP DATABASE "{name}" WITH (FORCE)')


def check(connection, what="llm"):
    """(ok, error) of memory_llm_check for the LLM or the embedding service."""
    rows = {row[0]: row for row in connection.execute("SELECT * FROM memory_llm_check()").fetchall()}
    return rows[what][1], rows[what][2]


def timed(work):
    before = time.monotonic()
    result = work()
    return result, time.monotonic() - before


# What goes well


@pytest.mark.parametrize("protocol", ["openai", "gemini", "ollama"])
def test_every_protocol(connect, provider, protocol):
    endpoint = {"openai": provider.endpoint, "gemini": provider.gemini, "ollama": provider.root}[protocol]
    connection = connect(
        llm_provider=protocol, llm_endpoint=endpoint, embed_protocol=protocol, embed_endpoint=endpoint + "/"
    )
    rows = connection.execute("SELECT what, ok, error, model, milliseconds > 0, detail FROM memory_llm_check()").fetchall()
    embed_model = connection.execute("SHOW memory_ext.embed_model").fetchone()[0]
    assert rows == [
        ("llm", True, None, "stub-1", True, "11 tokens in, 7 out"),
        ("embedding", True, None, embed_model, True, "64 dimensions"),
    ]
    asked, embedded = provider.requests
    assert (asked["protocol"], embedded["protocol"]) == (protocol, protocol)
    assert "authorization" not in asked["headers"] and "x-goog-api-key" not in asked["headers"]
    assert asked["headers"]["content-type"] == "application/json"
    connection.execute("SET memory_ext.embed_dimensions = 16")
    assert connection.execute("SELECT detail FROM memory_llm_check() WHERE what = 'embedding'").fetchone()[0] == "16 dimensions"


def test_nothing_is_configured(server, database):
    with server.connect(database) as connection:
        rows = connection.execute("SELECT * FROM memory_llm_check()").fetchall()
    assert rows == [
        ("llm", False, "no provider is configured", None, None, None),
        ("embedding", False, "no provider is configured", None, None, None),
    ]


def test_a_server_without_structured_output_is_asked_again_without(connect, provider):
    provider.behave("chat", "no_schema")
    assert check(connect()) == (True, None)
    first, second = provider.of("chat")
    assert "response_format" in first["body"] and "response_format" not in second["body"]


def test_the_type_of_the_content_does_not_matter(connect, provider):
    provider.behave("chat", "wrong_type")
    provider.behave("embed", "wrong_type")
    connection = connect()
    assert check(connection) == (True, None)
    assert check(connection, "embedding") == (True, None)


# What goes wrong

FAULTS = [
    ("cut_before", {}, "the connection to the provider broke off"),
    ("cut_headers", {}, "the connection to the provider broke off"),
    ("cut_body", {}, "the connection to the provider broke off"),
    ("garbage", {}, "the connection to the provider broke off"),
    ("error", {"status": 500}, "the provider answered 500"),
    ("error", {"status": 503}, "the provider answered 503"),
    ("error", {"status": 401}, "the provider answered 401"),
    ("error", {"status": 404}, "the provider answered 404"),
    ("empty", {}, "the provider's answer is empty"),
    ("no_text", {}, "the provider's answer is empty"),
    ("wrong_json", {}, "the provider's answer cannot be read"),
    ("other_json", {}, "the provider's answer cannot be read"),
    ("invalid_utf8", {}, "the provider's answer cannot be read"),
    ("redirect", {"status": 302}, "the provider redirected, which is not followed"),
    ("redirect", {"status": 307}, "the provider redirected, which is not followed"),
    ("huge", {"announced": True}, "the provider's answer is too large"),
    ("huge", {"announced": False}, "the provider's answer is too large"),
    ("hang", {}, "the provider did not answer in time"),
    ("drip", {}, "the provider did not answer in time"),
]


@pytest.mark.parametrize("mode, options, message", FAULTS, ids=lambda value: str(value) if isinstance(value, str) else "")
def test_every_fault_has_its_message(connect, provider, mode, options, message):
    connection = connect(llm_timeout="1500ms", embed_timeout="1500ms")
    for what, name in [("chat", "llm"), ("embed", "embedding")]:
        provider.behave("chat", "ok")
        provider.behave("embed", "ok")
        provider.behave(what, mode, **options)
        result, seconds = timed(lambda: check(connection, name))
        assert result == (False, message)
        assert seconds < 3
    assert not provider.of("followed")
    # The backend is as good as new.
    provider.reset()
    assert check(connection) == (True, None)


def test_vectors_that_cannot_be_compared(connect, provider):
    provider.behave("embed", "nonsense")
    assert check(connect(), "embedding") == (False, "the provider's answer cannot be read")


def test_nobody_listens(connect):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        connection = connect(llm_endpoint=f"http://127.0.0.1:{free.getsockname()[1]}/v1")
        assert check(connection) == (False, "the provider cannot be reached")


def test_no_such_host(connect):
    connection = connect(llm_endpoint="http://no-such-host.invalid/v1", llm_timeout="5s")
    ok, error = check(connection)
    assert not ok and error in ("the provider cannot be reached", "the provider did not answer in time")


def test_a_port_that_takes_no_connection_ends_by_the_connect_timeout(connect):
    # A listener whose queue is full leaves further connections hanging.
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
            fillers.append(filler)
        connection = connect(llm_endpoint=f"http://127.0.0.1:{full.getsockname()[1]}/v1", connect_timeout="500ms", llm_timeout="20s")
        result, seconds = timed(lambda: check(connection))
        for filler in fillers:
            filler.close()
    assert result == (False, "the provider cannot be reached")
    assert seconds < 3


def test_tls_to_somebody_who_does_not_speak_it(connect, provider):
    connection = connect(llm_endpoint=f"https://127.0.0.1:{provider.port}/v1", llm_timeout="5s")
    assert check(connection) == (False, "the provider cannot be reached")


def certificate(home, name, issuer=None, **subject):
    """A key and a certificate in one file; without an issuer it is one itself."""
    both, config = home / f"{name}.pem", home / f"{name}.cnf"
    kind = "basicConstraints=critical,CA:TRUE" if issuer is None else "subjectAltName=IP:127.0.0.1"
    config.write_text(f"[req]\ndistinguished_name=d\nprompt=no\n[d]\nCN={name}\n[x]\n{kind}\n")
    by = ["-CA", issuer, "-CAkey", issuer] if issuer else []
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-config", config, "-extensions", "x", *by, "-keyout", home / "key.pem", "-out", home / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text((home / "key.pem").read_text() + (home / "cert.pem").read_text())
    return both


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_https_by_the_systems_certificates(make_cluster, tmp_path, monkeypatch):
    issuer = certificate(tmp_path, "issuer")
    with Provider(certificate=certificate(tmp_path, "server", issuer)) as provider:
        for trusted, expected in [(False, (False, "the provider cannot be reached")), (True, (True, None))]:
            server = clusters.Cluster({"fsync": "off"})
            if trusted:
                trust = server.home / "issuer.pem"
                trust.write_text((tmp_path / "issuer.pem").read_text())
                trust.chmod(0o644)
                monkeypatch.setenv("SSL_CERT_FILE", str(trust))
            make_cluster.made.append(server.start())
            server.create_database("app")
            with server.connect("app") as connection:
                for name, value in {"llm_provider": "openai", "llm_endpoint": provider.endpoint, "llm_model": "m"}.items():
                    connection.execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [value])
                assert check(connection) == expected
    assert len(provider.of("chat")) == 1


# 429


def test_a_provider_that_asks_for_a_pause_gets_it_from_all_backends(connect, provider):
    provider.behave("chat", "rate_limit", retry_after=2)
    first = connect()
    assert check(first) == (False, "the provider answered 429")
    assert check(first) == (False, "the provider is left alone for a while")
    model = first.execute("SHOW memory_ext.llm_model").fetchone()[0]
    assert check(connect(llm_model=model)) == (False, "the provider is left alone for a while")
    assert len(provider.of("chat")) == 1
    # Another model is another limit.
    provider.behave("chat", "ok")
    assert check(connect()) == (True, None)


def test_the_pause_is_remembered_without_preloading_too(make_cluster, provider):
    provider.reset()
    provider.behave("chat", "rate_limit")
    server = make_cluster({"fsync": "off"}, preload=False)
    server.create_database("app")
    with server.connect("app") as connection:
        connection.execute("LOAD 'memory_ext'")
        for name, value in {"llm_provider": "openai", "llm_endpoint": provider.endpoint, "llm_model": "m"}.items():
            connection.execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [value])
        assert check(connection) == (False, "the provider answered 429")
        assert check(connection) == (False, "the provider is left alone for a while")
    assert len(provider.of("chat")) == 1


# Keys


def test_the_key_of_a_file_or_of_the_environment(connect, provider, server, tmp_path):
    file = server.home / "key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o644)
    assert check(connect(llm_key_file=file, embed_key_env="MEMORY_EXT_TEST_KEY")) == (True, None)
    asked, embedded = provider.requests
    assert asked["headers"]["authorization"] == f"Bearer {KEY}"
    assert embedded["headers"]["authorization"] == f"Bearer {KEY}"
    provider.reset()
    assert check(connect(llm_provider="gemini", llm_endpoint=provider.gemini, llm_key_file=file)) == (True, None)
    assert provider.of("chat")[0]["headers"]["x-goog-api-key"] == KEY
    assert KEY not in provider.of("chat")[0]["path"]


def test_a_key_that_is_not_there_is_said_so(connect, provider, server):
    empty, wrong, pipe = server.home / "empty", server.home / "wrong", server.home / "pipe"
    empty.write_text("\n")
    wrong.write_bytes(b"sk-\xff\x00\n")
    os.mkfifo(pipe)
    for path in ["/nowhere/key", server.home, empty, wrong, pipe]:
        assert check(connect(llm_key_file=path)) == (False, "the provider's key cannot be read")
    assert check(connect(llm_key_env="MEMORY_EXT_NO_SUCH_KEY")) == (False, "the provider's key cannot be read")
    assert not provider.of("chat")


def test_no_secret_is_ever_shown(connect, provider, server):
    file = server.home / "key"
    file.write_text(KEY)
    file.chmod(0o644)
    connection = connect(llm_key_file=file, embed_key_file=file, llm_timeout="500ms", embed_timeout="500ms")
    seen = []
    for mode in ["ok", "error", "redirect", "cut_headers", "hang", "rate_limit"]:
        provider.behave("chat", mode)
        provider.behave("embed", mode)
        seen.append(connection.execute("SELECT * FROM memory_llm_check()").fetchall())
        seen.append(connection.execute("SELECT * FROM memory_recall('nobody', 'tea', explain => true)").fetchall())
    # Somebody who puts the key itself where its place belongs is not shown it again.
    for name in ["llm_key_file", "llm_key_env", "embed_key_file", "embed_key_env"]:
        with pytest.raises(psycopg.Error) as failed:
            connection.execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [KEY])
        seen.append(str(failed.value))
    seen.append(connection.notices)
    assert KEY not in str(seen) and "sk-secret" not in str(seen)
    assert KEY not in server.log() and "sk-secret" not in server.log()


def test_only_superusers_say_where_requests_go(server, database, connect):
    connection = connect()
    connection.execute("CREATE ROLE app_admin LOGIN; GRANT memory_admin TO app_admin; CREATE ROLE app LOGIN; GRANT memory_writer TO app")
    try:
        with server.connect(database, user="app_admin") as admin:
            for name in ["llm_provider", "llm_endpoint", "llm_model", "llm_key_file", "llm_key_env", "llm_timeout",
                         "embed_endpoint", "embed_model", "embed_key_file", "embed_key_env", "embed_timeout", "connect_timeout"]:  # fmt: skip
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    admin.execute(f"SELECT set_config('memory_ext.{name}', '1', false)")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                admin.execute("SHOW memory_ext.llm_key_file")
            assert admin.execute("SELECT count(*) FROM memory_llm_check()").fetchone() == (2,)
        with server.connect(database, user="app") as app:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute("SELECT * FROM memory_llm_check()")
    finally:
        connection.execute("DROP OWNED BY app, app_admin; DROP ROLE app; DROP ROLE app_admin")


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("llm_endpoint", "localhost:8080", "the endpoint is not an http or https URL"),
        ("llm_endpoint", "nonsense", "the endpoint is not a URL"),
        ("llm_endpoint", "file:///etc/passwd", "the endpoint is not an http or https URL"),
        ("llm_endpoint", "ftp://example.com", "the endpoint is not an http or https URL"),
        ("llm_endpoint", "https://user:pw@example.com/v1", "the endpoint holds a user or password"),
        ("embed_endpoint", "https://example.com/v1?key=x", "the endpoint has a query or fragment"),
        ("llm_key_file", "key.txt", "the key's file must be named by an absolute path"),
        ("llm_key_env", "MY KEY", "that is no name of an environment variable"),
    ],
)
def test_settings_are_checked(connect, name, value, message):
    with pytest.raises(psycopg.errors.InvalidParameterValue) as failed:
        connect().execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [value])
    assert failed.value.diag.message_primary == message
    assert failed.value.diag.message_hint
    assert "pw" not in str(failed.value) and "key=x" not in str(failed.value)


# Query embeddings


def remember(connection, *contents):
    for content in contents:
        connection.execute("SELECT memory_create(%s, %s)", [connection.user, content])


def reembed(connection, batch=1000):
    return connection.execute("SELECT * FROM memory_reembed(%s, batch => %s)", [connection.user, batch]).fetchone()


def context(connection, query):
    return connection.execute("SELECT build_context_json(%s, query => %s)", [connection.user, query]).fetchone()[0]


def embedded(connection):
    """How many of the user's entries have a vector."""
    return connection.execute("SELECT count(embedding) FROM memory.search_entries WHERE user_id = %s", [connection.user]).fetchone()[0]


def recalled(connection, query):
    rows = connection.execute(
        "SELECT content, similarity, keyword, explanation->>'no_vector' FROM memory_recall(%s, %s, explain => true)",
        [connection.user, query],
    ).fetchall()
    return rows


def test_stored_texts_are_not_embedded_in_the_callers_transaction(connect, provider):
    connection = connect()
    remember(connection, "the dog loves the sea", "tea with milk")
    connection.execute("SELECT memory_add_turn(%s, 's', 'hello', 'hi')", [connection.user])
    assert not provider.requests
    assert embedded(connection) == 0
    # They are found by their words, though the query has a vector.
    assert [row[0] for row in recalled(connection, "dog") if row[2] > 0] == ["the dog loves the sea"]


def test_vectors_of_stored_texts_by_hand(connect, provider):
    connection = connect()
    remember(connection, *[f"memory number {n} of the sea" for n in range(70)])
    assert reembed(connection) == (70, 0)
    assert [len(request["body"]["input"]) for request in provider.of("embed")] == [64, 6]
    assert embedded(connection) == 70
    assert reembed(connection) == (0, 0)
    assert recalled(connection, "memory number 7 of the sea")[0][1] > 0.9
    # Another number of dimensions is another model: all move, and recall goes on meanwhile.
    connection.execute("SET memory_ext.embed_dimensions = 32")
    assert recalled(connection, "sea")[0][1] == 0
    assert reembed(connection, 30) == (30, 40)
    assert reembed(connection) == (40, 0)
    assert recalled(connection, "memory number 7 of the sea")[0][1] > 0.9
    provider.behave("embed", "error")
    remember(connection, "one more")
    with pytest.raises(psycopg.errors.SystemError) as failed:
        reembed(connection)
    assert failed.value.diag.message_primary == "the provider answered 500"


@pytest.mark.parametrize("mode, problem", [("error", "the provider answered 500"), ("hang", "the provider did not answer in time"),
                                           ("cut_body", "the connection to the provider broke off"), ("wrong_json", "the provider's answer cannot be read"),
                                           ("rate_limit", "the provider answered 429")])  # fmt: skip
def test_a_query_without_a_vector_goes_on_with_keywords_and_says_so(connect, provider, mode, problem):
    connection = connect()
    remember(connection, "the dog loves the sea", "tea with milk")
    reembed(connection)
    provider.behave("embed", mode)
    rows, seconds = timed(lambda: recalled(connection, "dog"))
    assert rows[0][0] == "the dog loves the sea" and rows[0][2] == 1
    assert {row[1] for row in rows} == {0} and {row[3] for row in rows} == {problem}
    assert connection.notices == [f"no vector for the query, searching by keywords alone: {problem}"]
    assert seconds < 2.5
    if mode == "rate_limit":
        return
    connection.execute("SET memory_ext.embed_query_timeout = '300ms'")
    told, seconds = timed(lambda: context(connection, "dog"))
    assert told["no_vector"] == problem and "the dog loves the sea" in json.dumps(told["memories"])
    assert seconds < 1
    provider.behave("embed", "ok")
    assert "no_vector" not in context(connection, "dog")
    assert recalled(connection, "dog")[0][1] > 0.3


def test_after_a_failure_queries_do_not_wait_for_a_service_that_hangs(connect, provider):
    connection = connect(embed_query_pause="2s", embed_query_timeout="500ms")
    remember(connection, "the dog loves the sea")
    provider.behave("embed", "hang")
    assert timed(lambda: recalled(connection, "dog"))[1] > 0.4
    rows, seconds = timed(lambda: [recalled(connection, "dog") for _ in range(20)])
    assert seconds < 0.4 and rows[0][0][3] == "the provider is left alone for a while"
    assert len(provider.of("embed")) == 1
    provider.behave("embed", "ok")
    time.sleep(2.1)
    assert recalled(connection, "dog")[0][3] is None


def test_a_query_can_be_cancelled_while_it_waits(connect, provider):
    connection = connect(embed_query_timeout="60s")
    provider.behave("embed", "hang")
    threading.Timer(1, connection.cancel).start()
    with pytest.raises(psycopg.errors.QueryCanceled):
        recalled(connection, "dog")
    provider.behave("embed", "ok")
    assert check(connection) == (True, None)
    # So does a time-out of the statement.
    provider.behave("embed", "drip")
    connection.execute("SET statement_timeout = '500ms'")
    before = time.monotonic()
    with pytest.raises(psycopg.errors.QueryCanceled):
        recalled(connection, "dog")
    assert time.monotonic() - before < 1.2


def test_others_do_not_wait_for_a_backend_in_a_call(connect, provider, server):
    """DROP DATABASE waits until every process has served an interrupt; a process that ends is gone at once."""
    connection = connect(llm_timeout="60s", embed_query_timeout="60s")
    provider.behave("chat", "hang")
    waiting = threading.Thread(target=lambda: pytest.raises(psycopg.Error, connection.execute, "SELECT * FROM memory_llm_check()"))
    waiting.start()
    provider.wait_for(1, "chat")
    # The quickest of three: psql and the machine take their time, too.
    took = []
    for _ in range(3):
        server.create_database("dropped", extension=False)
        took.append(timed(lambda: server.psql("DROP DATABASE dropped"))[1])
    assert min(took) < 1
    event = "SELECT wait_event_type FROM pg_stat_activity WHERE query LIKE '%memory_llm_check%' AND pid <> pg_backend_pid()"
    assert server.psql(event) == "Extension"
    _, seconds = timed(lambda: server.psql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE '%memory_llm_check%' AND pid <> pg_backend_pid()"))
    assert seconds < 1
    waiting.join(5)
    assert not waiting.is_alive()


def test_a_server_stops_fast_while_a_backend_is_in_a_call(make_cluster, provider):
    provider.reset()
    provider.behave("chat", "hang")
    server = make_cluster({"fsync": "off"})
    server.create_database("app")
    connection = server.connect("app")
    for name, value in {"llm_provider": "openai", "llm_endpoint": provider.endpoint, "llm_model": "m"}.items():
        connection.execute(f"SELECT set_config('memory_ext.{name}', %s, false)", [value])
    waiting = threading.Thread(target=lambda: pytest.raises(psycopg.Error, connection.execute, "SELECT * FROM memory_llm_check()"))
    waiting.start()
    provider.wait_for(1, "chat")
    _, seconds = timed(server.stop)
    assert seconds < 3
    waiting.join(5)


def test_signals_reach_only_the_main_thread(connect, provider, server):
    """A name is looked up in another thread; all signals are blocked there."""
    connection = connect(llm_endpoint=f"http://localhost:{provider.port}/v1")
    assert check(connection) == (True, None)
    pid = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    # While names are looked up, signals come all the time; the backend survives and answers.
    done = threading.Event()

    def bother():
        while not done.is_set():
            os.kill(pid, signal.SIGHUP)
            for thread in os.listdir(f"/proc/{pid}/task"):
                if int(thread) != pid:
                    try:
                        status = open(f"/proc/{pid}/task/{thread}/status").read()
                    except OSError:
                        continue
                    masks.append(int(next(line for line in status.splitlines() if line.startswith("SigBlk")).split()[1], 16))
            time.sleep(0.0005)

    masks = []
    thread = threading.Thread(target=bother)
    thread.start()
    try:
        assert {check(connection) for _ in range(100)} == {(True, None)}
    finally:
        done.set()
        thread.join()
    assert masks
    # SIGHUP, SIGINT, SIGUSR1, SIGTERM, SIGALRM
    for mask in masks:
        assert all(mask >> (number - 1) & 1 for number in (1, 2, 10, 14, 15))
    assert len(os.listdir(f"/proc/{pid}/task")) == 1


def test_a_thousand_calls_leave_nothing_behind(connect, provider, server):
    connection = connect()
    pid = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    connection.execute("SELECT count(*) FROM memory_llm_check()")
    before = len(os.listdir(f"/proc/{pid}/fd"))
    connection.execute("SELECT count(*) FROM generate_series(1, 500), memory_llm_check()")
    assert len(os.listdir(f"/proc/{pid}/fd")) <= before + 1
    assert len(os.listdir(f"/proc/{pid}/task")) == 1
