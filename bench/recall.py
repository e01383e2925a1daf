"""Does recall find the turns that hold the answer? Through SQL alone: memory_add_turn, memory_recall.

    make bench-recall DATA=file [PROFILES="default keyword"]

DATA is a file in the form of LoCoMo: conversations of two people in sessions, questions with the ids of the turns that
hold the answer. One speaker is the user, the other one the agent; their names are the ids. Questions, answers, categories
and the ids of sessions are not shown to the extension, only the text of the question is asked. Prints recall of evidence
turns at 5, 10, 20 and 50, overall and by category, nDCG at 10, the share of questions with any and with all of their
sessions among the first 5 and 10 sessions, and the time of a query on the server.
"""

import argparse
import json
import math
import os
import re
import statistics

import time
from datetime import datetime, timedelta, timezone

import psycopg

CUTS = (5, 10, 20, 50)
DEPTH = 400
"""Hits that are asked for, so that ten sessions are among them."""

ADD_TURN = "SELECT user_message_id, assistant_message_id FROM memory_add_turn(%s, %s, %s, %s, created_at => %s, agent_id => %s)"
ADD_MESSAGE = "SELECT memory_add_message(%s, %s, %s, %s, created_at => %s, agent_id => %s)"
RECALL = "SELECT id FROM memory_recall(%s, %s, k => %s, profile => %s)"


def sessions(conversation):
    """Number, time and turns of each session."""
    for key in sorted((key for key in conversation if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])):
        said_at = datetime.strptime(conversation[f"{key}_date_time"], "%I:%M %p on %d %B, %Y")
        yield key, said_at.replace(tzinfo=timezone.utc), conversation[key]


def text_of(turn):
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else turn["text"]


def store(connection, sample, user, agent):
    """Stores a conversation and gives the turn of each message, and the session of each turn."""
    conversation, turns, session_of = sample["conversation"], {}, {}
    for session, said_at, said in sessions(conversation):
        session_of.update({turn["dia_id"]: session for turn in said})
        place = 0
        while place < len(said):
            at = said_at + timedelta(seconds=20 * place)
            first, second = said[place], said[place + 1] if place + 1 < len(said) else None
            mine = first["speaker"] == conversation["speaker_a"]
            if mine and second and second["speaker"] != first["speaker"]:
                ids = connection.execute(ADD_TURN, (user, session, text_of(first), text_of(second), at, agent)).fetchone()
                turns.update({ids[0]: first["dia_id"], ids[1]: second["dia_id"]})
                place += 2
            else:
                role = "user" if mine else "assistant"
                done = connection.execute(ADD_MESSAGE, (user, session, role, text_of(first), at, agent)).fetchone()
                turns[done[0]] = first["dia_id"]
                place += 1
    return turns, session_of


def questions(sample, session_of):
    for question in sample["qa"]:
        # Some ids stand together in one string; some name no turn.
        named = (id for text in question.get("evidence", []) for id in re.findall(r"D\d+:\d+", text))
        evidence = [id for id in dict.fromkeys(named) if id in session_of]
        if evidence:
            yield question["question"], evidence, question.get("category")


def first_sessions(ranked, session_of):
    return list(dict.fromkeys(session_of[turn] for turn in ranked))


def judge(ranked, evidence, session_of):
    """The measures of one answer."""
    wanted, order = set(evidence), first_sessions(ranked, session_of)
    needed = {session_of[turn] for turn in evidence}
    measures = {f"recall@{k}": len(wanted & set(ranked[:k])) / len(wanted) for k in CUTS}
    gain = sum(1 / math.log2(place + 2) for place, turn in enumerate(ranked[:10]) if turn in wanted)
    measures["ndcg@10"] = gain / sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    for k in (5, 10):
        found = needed & set(order[:k])
        measures[f"sessions any@{k}"] = float(bool(found))
        measures[f"sessions all@{k}"] = float(found == needed)
    return measures


def mean(answers, measure):
    return statistics.fmean(answer[measure] for answer in answers)


def measure(connection, samples, profile):
    answers, times = [], []
    for user, turns, session_of, asked in samples:
        for question, evidence, category in asked:
            began = time.perf_counter()
            ranked = [turns[row[0]] for row in connection.execute(RECALL, (user, question, DEPTH, profile)) if row[0] in turns]
            times.append(time.perf_counter() - began)
            answers.append({"category": category, **judge(ranked, evidence, session_of)})
    return answers, times


def show(profile, answers, times):
    print(f"\n{profile}: {len(answers)} questions, {statistics.median(times) * 1000:.1f} ms a query (median, {DEPTH} hits fetched)")
    for name in [key for key in answers[0] if key != "category"]:
        print(f"  {name:16} {mean(answers, name):.3f}")
    categories = sorted({answer["category"] for answer in answers}, key=str)
    for category in categories if len(categories) > 1 else []:
        of = [answer for answer in answers if answer["category"] == category]
        print(f"  category {category}: recall@10 {mean(of, 'recall@10'):.3f} of {len(of)}")


def main():
    parser = argparse.ArgumentParser(description="recall of evidence")
    parser.add_argument("data")
    parser.add_argument("--profiles", default="keyword vector default")
    arguments = parser.parse_args()
    with open(arguments.data, encoding="utf-8") as file:
        data = json.load(file)

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("INSERT INTO memory.recall_profiles (profile, similarity) VALUES ('vector', 1) ON CONFLICT DO NOTHING")
        # Messages have vectors only when that is asked for.
        connection.execute("SET memory_ext.embed_messages = on")
        samples = []
        for sample in data:
            user, agent = sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]
            user = f"{user} {sample.get('sample_id', len(samples))}"
            connection.execute("SELECT memory_set_fact(%s, 'name', %s)", (user, sample["conversation"]["speaker_a"]))
            turns, session_of = store(connection, sample, user, agent)
            samples.append((user, turns, session_of, list(questions(sample, session_of))))
            print(f"==> {len(turns)} turns of {user} and {agent}", flush=True)
        for profile in arguments.profiles.split():
            answers, times = measure(connection, samples, profile)
            show(profile, answers, times)


if __name__ == "__main__":
    main()
