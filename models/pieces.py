"""The tokenizer of the model, as core/src/embed reads it: words, then pieces of words.

A text is normalised (NFKC, lower case, no accents), cut into runs of one class of characters, and each run into
pieces: the whole run if it is a piece, else the cheapest way to write it (Viterbi over piece scores).
"""

import re
import unicodedata

START = " "  # stands before the first run of a word
LONGEST_RUN = 48
# Scores are thousandths of a logarithm, whole numbers on both sides.
UNKNOWN = -40_000
SKIPPED_START = -4_000

_FOLD = str.maketrans({"ς": "σ", "ı": "i", "ё": "е", "ø": "o", "đ": "d", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe",
                       "‘": "'", "’": "'", "ʼ": "'", "′": "'", "`": "'", "‐": "-", "‑": "-", "−": "-"})
_RUN = re.compile(r"[가-힣]+|[ㄱ-ㆎ]+|[a-z]+|[0-9]+|[^\W\d_]")


def normalize(text):
    """As core/src/text/normalize.rs, but for corners that training text does not reach."""
    if not text.isascii():
        parts = re.split("([ㄱ-ㆎ]+)", text)
        text = "".join(p if i % 2 else unicodedata.normalize("NFKC", p) for i, p in enumerate(parts))
        text = text.lower().translate(_FOLD)
        text = "".join(
            "".join(d for d in unicodedata.normalize("NFD", c) if not unicodedata.combining(d))
            if "À" <= c <= "ɏ" or "Ͱ" <= c <= "Ͽ" or "Ḁ" <= c <= "῿" else c for c in text)
    return text.lower()


def runs(text):
    """Runs with START before those that begin a word."""
    last = -1
    for match in _RUN.finditer(normalize(text)):
        run = match.group()
        glued = match.start() == last
        last = match.end()
        for i in range(0, len(run), LONGEST_RUN):
            yield run[i : i + LONGEST_RUN] if glued or i else START + run[i : i + LONGEST_RUN]


class Tokenizer:
    def __init__(self, pieces, scores):
        self.ids = {p: i for i, p in enumerate(pieces)}
        self.scores = list(scores)
        self.longest = max(map(len, pieces))
        self.cache = {}

    def run(self, run):
        known = self.cache.get(run)
        if known is None:
            known = self.cache[run] = self.split(run)
        return known

    def split(self, run):
        if run in self.ids:
            return [self.ids[run]]
        size = len(run)
        best, back = [0] + [-(2**30)] * size, [None] * (size + 1)

        def step(start, end, score, piece):
            if score > best[end]:
                best[end], back[end] = score, (start, piece)

        for i in range(size):
            for j in range(i + 1, min(size, i + self.longest) + 1):
                piece = self.ids.get(run[i:j])
                if piece is not None:
                    step(i, j, best[i] + self.scores[piece], piece)
            step(i, i + 1, best[i] + (SKIPPED_START if run[i] == START else UNKNOWN), None)
        out, at = [], size
        while at:
            at, piece = back[at]
            if piece is not None:
                out.append(piece)
        return out[::-1]

    def encode(self, text):
        return [piece for run in runs(text) for piece in self.run(run)]
