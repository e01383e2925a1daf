"""Figures of an embedder: KorSTS, KLUE-STS, LoCoMo evidence, questions across the languages.

measure.py MODEL --embed target/release/examples/embed_lines --korsts F --klue F --locomo F
"""

import argparse
import csv
import json
import re
import subprocess
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def ranks(values):
    order = np.argsort(values, kind="stable")
    out = np.empty(len(values))
    values = np.asarray(values)[order]
    start = 0
    while start < len(values):
        end = start
        while end < len(values) and values[end] == values[start]:
            end += 1
        out[order[start:end]] = (start + end - 1) / 2
        start = end
    return out


def spearman(a, b):
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def pairs_figure(embed, pairs):
    left, right, gold = zip(*pairs)
    a, b = unit(embed(left)), unit(embed(right))
    return spearman((a * b).sum(1), gold)


def korsts(path):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(r["sentence1"], r["sentence2"], float(r["score"])) for r in rows]


def klue(path):
    with open(path, encoding="utf-8") as file:
        return [(r["sentence1"], r["sentence2"], r["labels"]["real-label"]) for r in json.load(file)]


def conversations(path):
    """(ids of turns, their texts, [(question, set of evidence ids)]) for each conversation."""
    with open(path, encoding="utf-8") as file:
        samples = json.load(file)
    for sample in samples:
        turns = {}
        for name, session in sample["conversation"].items():
            if re.fullmatch(r"session_\d+", name):
                for turn in session:
                    turns[turn["dia_id"]] = turn["text"]
        questions = []
        for qa in sample["qa"]:
            evidence = {e for item in qa.get("evidence") or [] for e in re.findall(r"D\d+:\d+", item)} & set(turns)
            if evidence:
                questions.append((qa["question"], evidence))
        yield list(turns), list(turns.values()), questions


def locomo_figure(embed, path, k=10):
    found = []
    for ids, texts, questions in conversations(path):
        memory, asked = unit(embed(texts)), unit(embed([q for q, _ in questions]))
        for scores, (_, evidence) in zip(asked @ memory.T, questions):
            best = {ids[i] for i in np.argsort(-scores, kind="stable")[:k]}
            found.append(len(best & evidence) / len(evidence))
    return float(np.mean(found))


def cross_figures(embed, path=HERE / "cross.tsv"):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    column = {name: unit(embed([r[name] for r in rows])) for name in rows[0]}
    out = {}
    for question, memory in (("question_ko", "memory_en"), ("question_en", "memory_ko"),
                             ("question_ko", "memory_ko"), ("question_en", "memory_en")):
        scores = column[question] @ column[memory].T
        place = (scores > np.diag(scores)[:, None]).sum(1)
        out[f"{question} > {memory}"] = (float((place < 1).mean()), float((place < 5).mean()))
    return out


def report(embed, files):
    if files.get("korsts"):
        print(f"KorSTS Spearman    {pairs_figure(embed, korsts(files['korsts'])):.4f}")
    if files.get("klue"):
        print(f"KLUE-STS Spearman  {pairs_figure(embed, klue(files['klue'])):.4f}")
    if files.get("locomo"):
        print(f"LoCoMo recall@10   {locomo_figure(embed, files['locomo']):.4f}")
    if (HERE / "cross.tsv").exists():
        for name, (first, fifth) in cross_figures(embed).items():
            print(f"{name:28} recall@1 {first:.2f}  recall@5 {fifth:.2f}")


def embedder(program, model):
    """Embeds with the extension's own code: lines in, rows of little-endian floats out."""

    def embed(texts):
        lines = "".join(re.sub(r"\s+", " ", t) + "\n" for t in texts)
        run = subprocess.run([program, model], input=lines.encode(), stdout=subprocess.PIPE, check=True)
        return np.frombuffer(run.stdout, "<f4").reshape(len(texts), -1)

    return embed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--embed", required=True)
    for name in ("korsts", "klue", "locomo"):
        parser.add_argument("--" + name)
    arguments = parser.parse_args()
    report(embedder(arguments.embed, arguments.model), vars(arguments))
