"""Made-up memories of about the shape of real ones: a thousand topics, each with its own words and direction."""

from itertools import product

import numpy as np

DIMENSIONS = 256
TOPICS = 1_000
TOPIC_WORDS = 20
VOCABULARY = 2_000
WORDS = 12
"""In a memory: half of them are its topic's, half are common."""
SPREAD = 0.9
"""How far a memory lies from its topic: two of one topic have a cosine of about 0.55."""

SYLLABLES = [c + v for c, v in product("bdfgklmnprst", "aou")]


class Corpus:
    def __init__(self, seed=1):
        self.random = np.random.default_rng(seed)
        words = ["".join(parts) for parts in product(SYLLABLES, repeat=3)]
        self.words = np.array(self.random.permutation(words)[:VOCABULARY], dtype="S6")
        self.topic_words = self.random.integers(0, VOCABULARY, (TOPICS, TOPIC_WORDS))
        self.centres = unit(self.random.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32))

    def memories(self, count):
        """The words of each memory, as numbers, and its vector."""
        topics = self.random.integers(0, TOPICS, count)
        return self.sayings(topics, WORDS), self.vectors(topics)

    def queries(self, count):
        topics = self.random.integers(0, TOPICS, count)
        return self.sayings(topics, 6), self.vectors(topics)

    def sayings(self, topics, length):
        own = self.random.integers(0, TOPIC_WORDS, (len(topics), length // 2))
        # A common word is the more common the lower its number.
        common = (VOCABULARY * self.random.random((len(topics), length - length // 2)) ** 3).astype(int)
        return np.hstack([self.topic_words[topics[:, None], own], common])

    def vectors(self, topics):
        noise = self.random.standard_normal((len(topics), DIMENSIONS), dtype=np.float32)
        return unit(self.centres[topics] + np.float32(SPREAD) * unit(noise))

    def text(self, numbers):
        return b" ".join(self.words[numbers]).decode()


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
