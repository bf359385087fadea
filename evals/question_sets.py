"""Sets of questions with what was retrieved for them, and how an answer to each is told right."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from errata.evals.items import Item
from errata.tools.retrieval.index import build

_FIRST_VERDICT = re.compile(r"\b(true|false|yes|no(?! answer))\b")
_NO_WORD = re.compile(r"[\W_]+")
_FIRST_LETTER = re.compile(r"\W*(?:answer\W+)?([A-E1-5])\b")
SETS = {
    "popqa": ("popqa-e5", "popqa"),
    "longtail": ("popqa", "popqa"),
    "arc": ("arc", "arc"),
    "pubhealth": ("pubhealth", "pubhealth"),
}
"""For each set its dataset and its task."""


def draw(items: Sequence[Item], sample: str, count: int) -> list[Item]:
    """The first `count` items of one half, in an order that a hash of their names gives."""
    digests = {i.id: hashlib.sha256(f"answers|{i.id}".encode()).digest() for i in items}
    half = [i for i in items if digests[i.id][0] % 2 == (sample == "report")]
    return sorted(half, key=lambda item: digests[item.id])[:count]


def index_web(items: Iterable[Item], folder: Path) -> str:
    """Index the pages that searches found, the paragraphs of one title on lines of their own."""
    pages: dict[str, dict[str, None]] = {}
    for item in items:
        for page in item.web:
            pages.setdefault(page.title, {})[page.text] = None
    source = folder / "web.jsonl"
    lines = (json.dumps({"title": t, "text": "\n".join(texts)}) for t, texts in pages.items())
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build([source], folder / "web")
    return f"corpus:{folder / 'web'}"


def is_right(item: Item, response: str) -> bool:
    """Whether a response holds an accepted answer, or names the right choice or label."""
    if "answers" in item.gold:
        return mentions(response, item.gold["answers"])
    if "choice" in item.gold:
        letter = _FIRST_LETTER.match(response)
        if letter:
            return bool(letter[1] == item.gold["choice"])
        return mentions(response, [item.gold["text"]])
    verdict = _FIRST_VERDICT.search(response.lower())
    return verdict is not None and (verdict[1] in ("true", "yes")) == item.gold["label"]


def mentions(text: str, answers: Sequence[str]) -> bool:
    """Whether one of some answers occurs in a text, by whole words; one without any word does not.

    >>> mentions("", ["!"]), mentions("By Dvořák.", ["dvořák"])
    (False, True)
    """
    words = _normalize(text)
    return any(own.strip() and own in words for own in map(_normalize, answers))


def _normalize(text: str) -> str:
    """A text's words in lower case, without punctuation."""
    return f" {_NO_WORD.sub(' ', text.lower()).strip()} "
