"""Free text to fit on: sentences, Korean and English, out of the packages that fetch.py brings."""

import csv
import gettext
import gzip
import html
import re
from pathlib import Path

SENTENCE_END = re.compile(r"(?<=[.!?。])[\"')\]]*\s+|\n+|\s{3,}| • |; ")
MARKUP = re.compile(r"<[^>]*>|\{\{.*?\}\}|\[/?[a-z_]+[^\]]*\]|%%%%", re.S)
PLACEHOLDER = re.compile(r"%[-+ #0-9.$]*[a-zA-Z]|\$\{?\w+\}?|\{\w*\}|%\d|\\[nt]|_\(|[~_&](?=\w)")
HANGUL = re.compile("[가-힣]")
LETTER = re.compile("[A-Za-z]")
SHORTEST, LONGEST = 2, 240


def clean(text):
    text = html.unescape(MARKUP.sub(" ", text))
    text = PLACEHOLDER.sub(" ", text)
    return text


def sentences(text):
    for part in SENTENCE_END.split(clean(text)):
        part = re.sub(r"\s+", " ", part or "").strip(" -*•·|")
        if SHORTEST <= len(part) <= LONGEST:
            yield part


def is_korean(text):
    hangul = len(HANGUL.findall(text))
    return hangul >= 2 and hangul >= len(LETTER.findall(text))


def is_english(text):
    letters = len(LETTER.findall(text))
    return letters >= 2 and letters * 2 > len(text) and not HANGUL.search(text) and text.isascii()


def catalogues(root):
    for path in sorted(root.glob("**/ko/LC_MESSAGES/*.mo")):
        with open(path, "rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog
        for source, target in sorted((str(k), v) for k, v in catalogue.items()):
            yield source, target


def page_text(path):
    text = path.read_text("utf-8", "ignore")
    text = re.sub(r"<(script|style|head)\b.*?</\1>", " ", text, flags=re.S | re.I)
    text = re.sub(r"</?(p|div|li|td|th|h\d|br|tr|title|item|dt|dd|note)\b[^>]*>", "\n", text, flags=re.I)
    # Lines are wrapped within a paragraph; only the tags above end it.
    return re.sub(r"[ \t]*\n[ \t]*(?=[^\n])", "\n", text)


def paragraphs(text):
    return re.split(r"\n\s*\n", text)


def korean(debs, pips, chatbot):
    for _, target in catalogues(debs):
        yield from sentences(target)
    for pattern in ("**/help/ko/**/*.page", "**/manual/ko/**/*.html", "libreoffice-help-ko/**/*.html",
                    "installation-guide-amd64/**/ko/*.html", "debian-faq-ko/**/*.html"):
        for path in sorted(debs.glob(pattern)):
            yield from sentences(page_text(path))
    for path in sorted(debs.glob("crawl-common/**/descript/ko/*.txt")):
        for paragraph in paragraphs(path.read_text("utf-8", "ignore")):
            yield from sentences(paragraph.replace("\n", " "))
    for path in sorted(debs.glob("renpy-thequestion/**/tl/korean/*.rpy")):
        for line in re.findall(r'"([^"\n]+)"', path.read_text("utf-8", "ignore")):
            yield from sentences(line)
    for path in sorted(pips.glob("**/data/korean/*.yml")):
        for line in path.read_text("utf-8").splitlines():
            yield from sentences(line.strip(" -"))
    for path in sorted(pips.glob("**/data/corpus/ko*/*.txt")):
        yield from sentences(path.read_text("utf-8"))
    if chatbot:
        with open(chatbot, encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                yield row["Q"].strip()
                yield row["A"].strip()


def glosses(debs):
    for path in sorted(debs.glob("wordnet-base/**/data.*")):
        for line in path.read_text("utf-8", "ignore").splitlines():
            if not line.startswith(" "):
                definition = line.partition(" | ")[2]
                yield from sentences(definition.replace('"', ""))


def english(debs, pips):
    for source, _ in catalogues(debs):
        yield from sentences(source.rpartition("\x04")[2])
    yield from glosses(debs)
    for path in sorted(debs.glob("**/games/fortunes/*")):
        if path.suffix == "" and path.is_file() and not path.is_symlink():
            for saying in re.split(r"\n%\n", path.read_text("utf-8", "ignore")):
                yield from sentences(re.sub(r"\s*\n\s*", " ", saying))
    for path in sorted(debs.glob("crawl-common/**/descript/*.txt")):
        for paragraph in paragraphs(path.read_text("utf-8", "ignore")):
            yield from sentences(paragraph.replace("\n", " "))
    for path in sorted(debs.glob("gnome-user-docs/**/help/C/**/*.page")):
        yield from sentences(page_text(path))
    for path in sorted(pips.glob("**/data/english/*.yml")):
        for line in path.read_text("utf-8").splitlines():
            yield from sentences(line.strip(" -"))
    for path in sorted(pips.glob("**/data/web/t_web.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for row in csv.reader(file):
                yield from sentences(row[-1])


def unique(texts, keep):
    return sorted({t for t in texts if keep(t)})


def load(debs, pips, chatbot=None):
    debs, pips = Path(debs), Path(pips)
    return unique(korean(debs, pips, chatbot), is_korean), unique(english(debs, pips), is_english)
