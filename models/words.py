"""Candidates for pieces: Korean words of mecab-ko-dic and of the text, English ones of MiniLM and of the text, emoji."""

import re
import struct
import xml.etree.ElementTree as xml
from pathlib import Path

START = " "
# The price of entries that mecab-ko-dic's makers never met in their corpus; others they met.
UNMET_PRICE = {"NNG": 2788, "NNP": 3123, "VV": 4354, "VA": 3945, "MAG": 3175, "XR": 4796}
UNMET_PLACE = 4912
# Just above the price of the unmet lie thousands that no one says.
MET_NOUNS = range(2900, 3251)
ALWAYS = {"IC", "NNB", "NNBC", "NP", "NR", "MM", "MAJ"}
TEXT_COUNT = 6


def dictionary(path):
    """(surface, class, meaning's class) and price of each Hangul entry of a compiled mecab dictionary."""
    data = Path(path).read_bytes()
    _, _, _, _, _, _, trie, tokens, features, _ = struct.unpack_from("<10I", data)
    first = 72 + trie
    text = first + tokens
    out = {}
    for at in range(first, first + tokens, 16):
        _, _, _, price, feature, _ = struct.unpack_from("<HHHhII", data, at)
        start = text + feature
        fields = data[start : data.index(b"\0", start)].decode("utf-8").split(",")
        if re.fullmatch("[가-힣]+", fields[3]):
            key = (fields[3], fields[0], fields[1])
            out[key] = min(price, out.get(key, price))
    return out


def is_common(entry, price):
    word, kind, meaning = entry
    if not 2 <= len(word) <= 6:
        return False
    if kind == "NNG":
        return price < UNMET_PRICE[kind] or price in MET_NOUNS
    if kind == "NNP":
        return len(word) <= 5 and price < (UNMET_PLACE if meaning == "지명" else UNMET_PRICE[kind]) and meaning != "인명"
    return kind in ALWAYS or price < UNMET_PRICE.get(kind, -9999)


def is_short_verb(entry):
    """A verb with its ending, run together: 봤, 줘, 해서."""
    return re.fullmatch("[VX][A-Z]+[+].*", entry[1]) and len(entry[0]) <= 2


def nouns(entries):
    return sorted({e[0] for e, price in entries.items() if e[1] in ("NNG", "NNP") and is_common(e, price)})


def korean(entries, teacher_pieces, counts):
    out = {START + e[0] for e, price in entries.items() if is_common(e, price)}
    out |= {e[0] for e in entries if re.fullmatch("[JE][A-Z]+", e[1]) and len(e[0]) <= 3}
    out |= {p for p in teacher_pieces if re.fullmatch(f"{START}?([가-힣]+|[ㄱ-ㆎ]+)", p)}
    out |= {run for run, n in counts.items() if n >= TEXT_COUNT and re.fullmatch(f"{START}[가-힣]{{1,8}}", run)}
    verbs = {e[0] for e in entries if is_short_verb(e)}
    jamo = {chr(c) for c in range(0x3131, 0x3164)}
    syllables = {c for run, n in counts.items() if n >= 2 for c in run if "가" <= c <= "힣"}
    anywhere = {p for p in verbs if len(p) == 1} | jamo | syllables
    return sorted(out | anywhere | {START + p for p in anywhere | verbs})


def english(vocabulary, counts):
    out = {START + w for w in vocabulary if re.fullmatch("[a-z]+|[0-9]+", w)}
    out |= {w[2:] for w in vocabulary if re.fullmatch("##([a-z]+|[0-9]+)", w)}
    out |= {run for run, n in counts.items() if n >= TEXT_COUNT and re.fullmatch(f"{START}[a-z]{{3,16}}", run)}
    single = "abcdefghijklmnopqrstuvwxyz0123456789"
    return sorted(out | set(single) | {START + c for c in single})


def emoji(annotations):
    """Emoji of one character and their English names."""
    out = {}
    for node in xml.parse(annotations).iter("annotation"):
        sign = node.get("cp").replace("\ufe0f", "")
        if node.get("type") == "tts" and len(sign) == 1 and (ord(sign) >= 0x1F300 or 0x2600 <= ord(sign) <= 0x27BF):
            if not 0x1F3FB <= ord(sign) <= 0x1F3FF:
                out[sign] = node.text
    return sorted(out.items())
