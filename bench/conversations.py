"""memory_add_message against a plain INSERT, build_context_json against one SELECT of the same rows."""

from concurrent.futures import ThreadPoolExecutor

from server import Database, median

USERS = 100_000
TURNS = 5
"""Of two messages: 1 million messages in all."""

TEXTS = [
    "주말에 친구들이랑 북한산에 가려고 하는데 날씨가 괜찮을까?",
    "토요일은 맑고 일요일은 오후부터 비가 온대요. 토요일이 좋겠어요.",
    "I finally finished the report, but my manager wants the figures checked again.",
    "That sounds tiring. Which of the figures does she doubt?",
    "요즘 잠을 잘 못 자서 낮에 커피를 세 잔씩 마시고 있어",
    "Do you remember the name of the restaurant we talked about last month?",
]

PERSONA = "너는 루나, 따뜻하고 호기심 많은 친구야. 짧게 대답하고, 들은 것을 기억해."

ADD = f"""
\\set u random(1, :users)
SELECT memory_add_message('user-' || :u, 'chat', 'user', '{TEXTS[0]}');
"""

COLUMNS = """user_id, id, session_id, turn_id, role, content, emotion, intent, processing_time, cached, metadata, tokens,
             created_at, idempotency_key"""
"""What an application would store of a message."""

INSERT = f"""
\\set u random(1, :users)
INSERT INTO bench.messages ({COLUMNS})
VALUES ('user-' || :u, gen_random_uuid(), 'chat', gen_random_uuid(), 'user', '{TEXTS[0]}', NULL, NULL, NULL, NULL,
        NULL, 24, clock_timestamp(), NULL);
"""

CONTEXT = """
\\set u random(1, :users)
SELECT build_context_json('user-' || :u, 'chat');
"""

SELECT = """
\\set u random(1, :users)
SELECT s.agent_id, s.space, s.message_count, a.persona, a.config, y.id, y.content, y.created_at, m.id, m.turn_id, m.role,
       m.content, m.emotion, m.intent, m.metadata, m.tokens, m.created_at
FROM memory.sessions s
LEFT JOIN memory.agents a ON a.agent_id = s.agent_id
LEFT JOIN LATERAL (
    SELECT id, content, created_at FROM memory.stored_summaries
    WHERE user_id = s.user_id AND session_id = s.session_id ORDER BY created_at DESC, id DESC LIMIT 1) y ON true
CROSS JOIN LATERAL (
    SELECT * FROM memory.stored_messages
    WHERE user_id = s.user_id AND session_id = s.session_id ORDER BY created_at DESC, id DESC LIMIT 10) m
WHERE s.user_id = 'user-' || :u AND s.session_id = 'chat';
"""


def run(report, scale):
    users = max(int(USERS * scale), 100)
    full, tenth = load("bench_conversations", users), load("bench_conversations_tenth", users // 10)
    rounds, seconds = (5, 6) if scale >= 0.1 else (3, 1)
    contexts(report, full, tenth, rounds, seconds)
    for commit in ["on", "off"]:
        messages(report, full, tenth, rounds, seconds, commit)
    for database, _ in [full, tenth]:
        database.drop()


def load(name, users):
    """Every user has one session of ten messages and a summary, written by the extension itself."""
    print(f"==> loading {users * TURNS * 2:,} messages of {users:,} users", flush=True)
    database = Database(name)
    with database.connect() as connection:
        connection.execute("SELECT memory_set_agent('luna', %s)", [PERSONA])
        connection.execute(f"CREATE TABLE bench.messages AS SELECT {COLUMNS} FROM memory.stored_messages")
        connection.execute("ALTER TABLE bench.messages ADD PRIMARY KEY (user_id, id)")
    half = users // 2
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda part: talk(database, *part), [(1, half), (half + 1, users)]))
    with database.connect() as connection:
        connection.execute(f"INSERT INTO bench.messages SELECT {COLUMNS} FROM memory.stored_messages")
    database.settle()
    return database, users


def talk(database, first, last):
    """Turn by turn, so that a session's messages lie apart as they do in a table that many users write to."""
    with database.connect() as connection:
        connection.execute("SET synchronous_commit = off")
        # The SELECT that contexts are measured against reads no facts. (And a transaction that learns facts of 50,000 users
        # holds as many locks.)
        connection.execute("SET memory_ext.learn_facts = off")
        for turn in range(TURNS):
            connection.execute(
                """SELECT count(*) FROM generate_series(%(first)s::int, %(last)s) u
                   CROSS JOIN LATERAL memory_add_turn('user-' || u, 'chat', (%(texts)s::text[])[1 + u %% 6],
                       (%(texts)s::text[])[1 + (u + 1) %% 6], agent_id => 'luna',
                       created_at => now() - interval '1 hour' * (%(turns)s - %(turn)s))""",
                {"first": first, "last": last, "texts": TEXTS, "turn": turn, "turns": TURNS},
            )
        connection.execute(
            """SELECT count(memory_add_summary('user-' || u, 'chat', 'They talked about a trip, sleep and work.'))
               FROM generate_series(%s::int, %s) u""",
            [first, last],
        )


def alternate(full, tenth, rounds, seconds, ours, plain, settings=None):
    """Rounds of each kind in turn, because disks and neighbours change from second to second."""

    def one(where, script):
        database, users = where
        return database.pgbench(script, ["-T", seconds], variables={"users": users}, settings=settings)

    kinds = {"ours": (full, ours), "plain": (full, plain), "ours_tenth": (tenth, ours), "plain_tenth": (tenth, plain)}
    for kind in kinds.values():
        one(*kind)
    return [{name: one(*kind) for name, kind in kinds.items()} for _ in range(rounds)]


def messages(report, full, tenth, rounds, seconds, commit):
    print(f"==> memory_add_message and INSERT, synchronous_commit {commit}", flush=True)
    full[0].settle()
    tenth[0].settle()
    done = alternate(full, tenth, rounds, seconds, ADD, INSERT, {"synchronous_commit": commit})
    tps = {name: median(r[name].throughput for r in done) for name in done[0]}
    what = f"memory_add_message / INSERT, commit {commit}"
    for suffix, label in [("", "1M messages"), ("_tenth", "100k messages")]:
        ratio = median(r["ours" + suffix].throughput / r["plain" + suffix].throughput for r in done)
        limit = 0.5 if commit == "on" else None
        report.add("conversations", f"{what}, {label}", tps["ours" + suffix], tps["plain" + suffix], ratio, "/s", at_least=limit)
    for name, label in [("ours", "memory_add_message"), ("plain", "INSERT")]:
        growth = median(r[name + "_tenth"].throughput / r[name].throughput for r in done)
        limit = 1.2 if name == "ours" else None
        what = f"{label}, commit {commit}: cost at 10 × the rows"
        report.add("conversations", what, tps[name], tps[name + "_tenth"], growth, "/s", at_most=limit)


def contexts(report, full, tenth, rounds, seconds):
    print("==> build_context_json and SELECT", flush=True)
    done = alternate(full, tenth, rounds, seconds, CONTEXT, SELECT)
    for share, label in [(0.50, "p50"), (0.95, "p95")]:
        at = {name: [r[name].percentile(share) for r in done] for name in done[0]}
        for suffix, rows in [("", "1M messages"), ("_tenth", "100k messages")]:
            ours, plain = at["ours" + suffix], at["plain" + suffix]
            ratio = median(a / b for a, b in zip(ours, plain))
            what = f"build_context_json / SELECT, {label}, {rows}"
            report.add("conversations", what, median(ours), median(plain), ratio, "µs", at_most=3)
        for name, what in [("ours", "build_context_json"), ("plain", "SELECT")]:
            growth = median(a / b for a, b in zip(at[name], at[name + "_tenth"]))
            limit = 1.2 if name == "ours" else None
            what = f"{what}, {label}: cost at 10 × the rows"
            report.add("conversations", what, median(at[name]), median(at[name + "_tenth"]), growth, "µs", at_most=limit)
