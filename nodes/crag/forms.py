"""The form that an answer has: its prompt, and how a model's reply is read (appendix B.1)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from errata.tools.text.choices import read_choice, split_choices

Task = Literal["", "popqa", "pubhealth", "arc", "biography"]
Origin = Literal["knowledge", "memory", "both", "guess", ""]
ORIGINS: tuple[Origin, ...] = ("knowledge", "memory", "both", "guess")
"""Where a model may say that its answer is from."""
_ORIGIN = re.compile(
    r"[\s*_]*[(\[]?\b(?:from|source)\b[\s*_]*:[\W_]*(?:the |my |own )*"
    r"(knowledge|memory|both|guess)\w*[\W_]*$",
    re.IGNORECASE,
)
LAST = 100
"""In how many last characters of a reply its origin is looked for."""
_LABEL = re.compile(r"^[\s*_#]*answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_VERDICT = re.compile(r"\b(?:(true|yes|correct)|(false|no|incorrect))\b", re.IGNORECASE)
_NOT_TRUE = re.compile(r"(?:\bnot|n['’]t)\s+(?:true|correct)\b|\buntrue\b", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\b(?:whether|if|(?:evidence|proof) that)\b[^.\n]{0,200}?\b(?:true|correct|false|incorrect)\b"
    r"(?:\s+or\s+(?:not|false|incorrect)\b)?"
    r"|\b(?:neither\s+)?(?:true|correct)\s+n?or\s+(?:false|incorrect)\b"
    r"|\bno(?=\s+(?:answer|evidence|information|doubt|proof)\b)",
    re.IGNORECASE,
)
"""Where the words of a verdict give none."""


@dataclass(frozen=True)
class Form:
    """One form of answer."""

    name: str
    template: str
    read: Callable[[str, str], str]
    """The answer by question and reply in the form's own words; empty if the reply has none."""


def read_origin(reply: str) -> tuple[str, Origin]:
    r"""The answer, and where the model says it is from; empty where it does not say.

    >>> read_origin("Answer: Riga\nFrom: memory")
    ('Riga', 'memory')
    """
    body = reply.rstrip()
    match = _ORIGIN.search(body, max(0, len(body) - LAST))
    text = body[: match.start()] if match else body
    said = match[1].lower() if match else ""
    return _LABEL.sub("", text).strip(), next((each for each in ORIGINS if each == said), "")


def read_verdict(question: str, answer: str) -> str:
    """`true` or `false`, by the first word that says so; `question` is not looked at.

    >>> read_verdict("", "Yes, that is so.")
    'true'
    """
    del question
    match = _VERDICT.search(_UNDECIDED.sub(" ", _NOT_TRUE.sub(" false", answer)))
    return ("true" if match[1] else "false") if match else ""


def _as_it_is(_: str, answer: str) -> str:
    return answer


def _letter(question: str, answer: str) -> str:
    return read_choice(split_choices(question)[1], answer)


FORMS: dict[Task, Form] = {
    "": Form("a few sentences", "crag/generate", _as_it_is),
    "popqa": Form("a few words", "crag/generate.short", _as_it_is),
    "biography": Form("a detailed text", "crag/generate.long", _as_it_is),
    "pubhealth": Form("true or false", "crag/generate.verdict", read_verdict),
    "arc": Form("one choice", "crag/generate.choice", _letter),
}
"""The form of each task's answers."""
