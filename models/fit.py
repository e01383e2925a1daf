"""One space for both teachers, and the table whose sums land where the teachers put the sentences."""

import numpy as np
from scipy import sparse

# What the multilingual teacher counts beside MiniLM in a target. More of it helps Korean and costs English.
MULTILINGUAL_SHARE = 1.0
RIDGE = 3.0
# The first guess at a piece's weight, a / (a + p) with its share p of the text (Arora and others, 2017).
RARE = 1e-3
# Fitting leaves the commonest pieces a little heavy for finding things; the same formula, gently, once more.
COMMON = 5e-3


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


class Space:
    """Sentences of either language as [MiniLM | multilingual], turned to their main axes.

    MiniLM knows no Korean. What it would say is foretold from the multilingual vector, by a regression on English
    sentences that both have embedded.
    """

    def __init__(self, english_both, korean_multilingual, dimensions):
        mini, multi = english_both
        self.mini_mean, self.english_mean = mini.mean(0), multi.mean(0)
        self.korean_mean = korean_multilingual.mean(0)
        known = multi - self.english_mean
        self.foretell = np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1]),
                                        known.T @ (mini - self.mini_mean)).astype(np.float32)
        self.axes = np.eye(mini.shape[1] + multi.shape[1], dtype=np.float32)
        english, korean = self.english(mini, multi), self.korean(korean_multilingual)
        spread = english.T @ english / len(english) + korean.T @ korean / len(korean)
        values, vectors = np.linalg.eigh(spread)
        self.axes = vectors[:, ::-1][:, :dimensions].astype(np.float32)
        self.kept = float(values[::-1][:dimensions].sum() / values.sum())

    def english(self, mini, multi):
        return self.join(mini - self.mini_mean, multi - self.english_mean)

    def korean(self, multi):
        multi = multi - self.korean_mean
        return self.join(multi @ self.foretell, multi)

    def join(self, mini, multi):
        return unit(np.hstack([unit(mini), MULTILINGUAL_SHARE * unit(multi)]) @ self.axes).astype(np.float32)


def counts(tokenizer, texts):
    """Texts by pieces, sparse."""
    ids, ends = [], [0]
    for text in texts:
        ids.extend(tokenizer.encode(text))
        ends.append(len(ids))
    shape = (len(texts), len(tokenizer.scores))
    return sparse.csr_matrix((np.ones(len(ids), np.float32), ids, ends), shape)


def first_guess(prior, frequency):
    return (unit(prior) * (RARE / (RARE + frequency))[:, None]).astype(np.float32)


def damped(table, frequency):
    return (table * (COMMON / (COMMON + frequency))[:, None]).astype(np.float32)


def fit(texts, targets, table, epochs=3, rate=0.05, batch=256, seed=1, watch=None):
    """Turns the sums towards their targets: gradient steps on 1 - cosine, AdaGrad with one rate a piece."""
    rng = np.random.default_rng(seed)
    table = table.copy()
    seen = np.full(len(table), 1e-8, np.float32)
    for epoch in range(epochs):
        order, loss = rng.permutation(texts.shape[0]), 0.0
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            part = texts[chosen]
            rows = np.unique(part.indices)
            part = sparse.csr_matrix((part.data, np.searchsorted(rows, part.indices), part.indptr),
                                     (len(chosen), len(rows)))
            sums = part @ table[rows]
            length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
            there, wanted = sums / length, targets[chosen]
            cosine = (there * wanted).sum(1, keepdims=True)
            loss += float((1 - cosine).sum())
            step = part.T @ ((cosine * there - wanted) / length)
            seen[rows] += (step * step).mean(1)
            table[rows] -= rate * step / np.sqrt(seen[rows])[:, None]
        print(f"epoch {epoch}: 1 - cosine is {loss / len(order):.4f}", flush=True)
        if watch:
            watch(table)
    return table
