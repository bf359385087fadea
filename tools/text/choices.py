"""Questions with choices: where the choices are, and which of them a reply names."""

import re
from collections.abc import Mapping

_KEY = re.compile(r"(?:^|(?<=[\s;,]))[(\[]?([A-H]|[1-8])(?:[)\]][.:]?|[.:])\s+(?=\S)")
_REPLY_KEY = re.compile(
    r"^\W*(?:(?i:choice|option|the answer is|answer)\W*)*([A-Ha-h]|[1-8])\W*?(?:$|\n|[:.,;)\]*])"
)
_NO_WORD = re.compile(r"\W+")
LETTERS = "ABCDEFGH"


def split_choices(question: str) -> tuple[str, dict[str, str]]:
    """What is asked, and the choices by their letter or number; none if there are not two.

    Letters and numbers must run from A or 1 on.

    >>> split_choices("Which is a metal? A: iron; B: wood")
    ('Which is a metal?', {'A': 'iron', 'B': 'wood'})
    """
    for keys in (LETTERS, "12345678"):
        marks = _marks_in_order(question, keys)
        if len(marks) > 1:
            ends = [*(mark.start() for mark in marks[1:]), len(question)]
            texts = [question[m.end() : end] for m, end in zip(marks, ends, strict=True)]
            choices = {m[1]: text.strip(" \n\t;,") for m, text in zip(marks, texts, strict=True)}
            return question[: marks[0].start()].strip(), choices
    return question, {}


def _marks_in_order(question: str, keys: str) -> list[re.Match[str]]:
    """The marks of choices, each the next after the one before."""
    found: list[re.Match[str]] = []
    for mark in _KEY.finditer(question):
        if mark[1] == keys[0]:
            found = [mark]
        elif found and len(found) < len(keys) and mark[1] == keys[len(found)]:
            found.append(mark)
    return found


def read_choice(choices: Mapping[str, str], reply: str) -> str:
    """The key of the choice that a reply names, as in the question; empty if it names none.

    A reply names a choice by its key, by the key's place in the other row (1 for A), or by its
    text.

    >>> read_choice({"1": "iron", "2": "wood"}, "(B) wood")
    '2'
    """
    match = _REPLY_KEY.match(reply)
    if not match:
        return _by_text(choices, reply)
    key = match[1].upper()
    if key in choices or not choices:
        return key
    place = LETTERS.find(key) if key.isalpha() else int(key) - 1
    return list(choices)[place] if place < len(choices) else _by_text(choices, reply)


def _by_text(choices: Mapping[str, str], reply: str) -> str:
    """The key of the one choice whose words are the reply's, or stand in it."""
    said = _words(reply)
    texts = {key: _words(text) for key, text in choices.items() if _words(text).strip()}
    equal = [key for key, text in texts.items() if text == said]
    held = equal or [key for key, text in texts.items() if text in said]
    return held[0] if len(held) == 1 else ""


def _words(text: str) -> str:
    return f" {_NO_WORD.sub(' ', text.lower()).strip()} "
