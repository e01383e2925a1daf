"""The wire works with a real server, and whatever a tiny model says, nothing is lost by it."""

import json
import time

import pytest

ENGLISH = [
    ("Hi! I finally got the job at the bakery on Elm Street.", "Congratulations! When do you start?"),
    ("Next Monday. I'm a bit nervous, I have never baked for so many people.", "You will do great."),
    ("My sister Anna lent me her apron, she worked there for ten years.", "What a kind sister."),
    ("Please remember that I am allergic to hazelnuts.", "Of course, no hazelnuts."),
]
KOREAN = [
    ("안녕! 내일 중요한 면접이 있어.", "와, 떨리겠다! 어떤 회사야?"),
    ("IT 스타트업인데 정말 가고 싶어. 나는 부산에 사는 개발자야.", "잘 될 거야! 준비 많이 해!"),
    ("고마워. 요즘 너무 지쳤는데 힘이 난다.", "언제든지 이야기해."),
]


@pytest.fixture
def connection(server, database):
    with server.connect(database) as one:
        yield one


def test_the_providers_answer(connection, said):
    rows = connection.execute("SELECT what, ok, error, model, milliseconds, detail FROM memory_llm_check()").fetchall()
    said("memory_llm_check()", "\n".join(str(row) for row in rows))
    assert [(row[0], row[1], row[3]) for row in rows] == [("llm", True, "smollm2-135m"), ("embedding", True, "smollm2-135m")]
    assert rows[1][5] == "576 dimensions"


def test_vectors_of_stored_texts_and_of_queries(connection, said):
    memories = [
        "The cat sleeps on the sofa all day",
        "My car broke down on the motorway",
        "We booked a flight to Lisbon in June",
        "She plays the violin in an orchestra",
    ]
    for memory in memories:
        connection.execute("SELECT memory_create('reader', %s)", [memory])
    done, left = connection.execute("SELECT * FROM memory_reembed('reader')").fetchone()
    assert (done, left) == (4, 0)
    rows = connection.execute("SELECT content, similarity FROM memory_recall('reader', 'The cat sleeps on the sofa', k => 4, profile => 'synk')").fetchall()
    said("Recall by meaning: \"The cat sleeps on the sofa\"", "\n".join(f"- {score:.3f} {content}" for content, score in rows))
    assert rows[0][0] == memories[0] and rows[0][1] > 0.9
    started = time.monotonic()
    connection.execute("SELECT memory_recall('reader', 'cat') FROM generate_series(1, 10)")
    said("A query with its vector", f"{(time.monotonic() - started) * 100:.0f} ms each")


@pytest.mark.parametrize("language, turns", [("English", ENGLISH), ("Korean", KOREAN)])
def test_a_session_ends_in_a_summary(connection, said, language, turns):
    if connection.execute("SELECT to_regproc('memory_run_jobs')").fetchone()[0] is None:
        pytest.skip("there are no jobs in this version")
    connection.execute("SELECT memory_set_agent('luna', 'You are Luna, a warm friend.')")
    for question, answer in turns:
        connection.execute("SELECT memory_add_turn(%s, %s, %s, %s, agent_id => 'luna')", [language, language, question, answer])
    connection.execute("SELECT memory_end_session(%s, %s)", [language, language])
    until = time.monotonic() + 180
    while connection.execute("SELECT count(*) FROM memory.jobs WHERE user_id = %s AND state NOT IN ('done', 'failed')", [language]).fetchone()[0]:
        connection.execute("SELECT * FROM memory_run_jobs(100)")
        assert time.monotonic() < until
        time.sleep(0.5)
    summaries = connection.execute("SELECT source, content, topics, emotion, importance FROM memory.summaries WHERE user_id = %s", [language]).fetchall()
    jobs = connection.execute("SELECT kind, state, outcome, attempts, last_error, count(*) FROM memory.jobs WHERE user_id = %s GROUP BY 1, 2, 3, 4, 5 ORDER BY 1", [language]).fetchall()
    facts = connection.execute("SELECT key, value, source FROM memory.facts WHERE user_id = %s ORDER BY 1", [language]).fetchall()
    memories = connection.execute("SELECT kind, source, content, interpretation FROM memory.memories WHERE user_id = %s", [language]).fetchall()
    said(f"A session in {language}", json.dumps({"summaries": summaries, "jobs": jobs, "facts": facts, "memories": memories}, ensure_ascii=False, indent=1, default=str))
    assert summaries and summaries[-1][0] in ("llm", "fallback") and summaries[-1][1].strip()
    # Whatever became of it, the conversation itself is there.
    told = connection.execute("SELECT count(*) FROM memory.messages WHERE user_id = %s", [language]).fetchone()[0]
    assert told == 2 * len(turns)
