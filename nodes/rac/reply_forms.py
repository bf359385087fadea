"""Verdicts in JSON, or after the claims that a reply repeats, as a line each."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from errata.core.words import loosely

NUMBER = r"(?:(?:statement|claim|fact)\s*|c)?#?(?P<number>\d{1,4})"
"""How a reply names a claim."""
_BODY = re.compile(
    r"\A(?:[^\n\[{\"]{0,200}:\s*)?(?:```\w*\s*\n(.*?)\s*```|([\[{].*))\s*\Z", re.DOTALL
)
_NUMBERED = re.compile(rf"\W*{NUMBER}\W*", re.IGNORECASE)
_NUMBERS = ("claim", "number", "id", "index", "statement")
_VERDICTS = ("label", "verdict", "judgement", "judgment", "answer")
_FEWEST = 2
"""Words of a claim whose repetition is told from a label."""


def schema_for(claims: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a label for each claim, by its number."""
    label = {"type": "string", "enum": ["True", "False", "Not Mentioned"]}
    labels = {str(number): label for number, _ in enumerate(claims, start=1)}
    own = {"type": "object", "properties": labels, "required": [*labels]}
    return {"title": "verdicts", **own, "additionalProperties": False}


def in_lines(reply: str, claims: Sequence[str], label_pattern: str) -> tuple[str, bool]:
    r"""A reply with a line a verdict; whether it numbers the claims that it repeats as we do not.

    >>> in_lines('[{"claim": 1, "label": "False", "document": 2}]', ["Ada won."], "False")
    ('1: False [2]', False)
    >>> in_lines("1. Ada won. - False", ["Ada won."], "False")
    ('1: False', False)
    """
    body = _BODY.fullmatch(reply)
    try:
        records = _records(json.loads(body[1] or body[2])) if body else []
    except (ValueError, RecursionError):
        records = []
    if not records:
        return _without_claims(reply, claims, label_pattern)
    named = [str(next((r[name] for name in _NUMBERS if name in r), "")) for r in records]
    if len(records) == len(claims) and not any(named):
        named = [str(number) for number, _ in enumerate(claims, start=1)]
    return "\n".join(map(_line, named, records)), False


def _records(value: object) -> list[Mapping[str, Any]]:
    if isinstance(value, list):
        return [each if isinstance(each, dict) else {"label": each} for each in value]
    if not isinstance(value, dict):
        return []
    if all(map(_NUMBERED.fullmatch, value)):
        rows = [(key, x if isinstance(x, dict) else {"label": x}) for key, x in value.items()]
        return [{**row, "claim": key} for key, row in rows]
    inner = next(iter(value.values()))
    return _records(inner) if len(value) == 1 and isinstance(inner, dict | list) else [value]


def _line(named: str, record: Mapping[str, Any]) -> str:
    number = _NUMBERED.fullmatch(named)
    label = next((record[name] for name in _VERDICTS if name in record), "")
    document = re.search(r"\A\W*(\d{1,4})\b", str(record.get("document", "")))
    shown = f" [{document[1]}]" if document else ""
    return f"{number['number']}: {' '.join(str(label).split())}{shown}" if number else ""


def _without_claims(reply: str, claims: Sequence[str], label: str) -> tuple[str, bool]:
    """A reply without the claims that stand before their labels; whether a number is another's."""
    shifts = set[int]()
    for own, claim in enumerate(claims, start=1):
        words = " ".join(claim.split()).rstrip(".!? ")
        if len(words.split()) < _FEWEST:
            continue
        echo = re.compile(
            rf"^[^\w\n]{{0,20}}(?:{NUMBER}[\W_]{{1,8}}?)?[\"“*_]{{0,4}}{loosely(words)}"
            r"(?:[.!?][\"”*_]{0,4}\s|[^\w.\n]|[.!?]?[\"”*_]{0,4}\s*[-–—:=>→|(\n])[\W_]{0,20}"
            rf"(?=(?:(?:label|verdict|judge?ment|answer)\W{{1,4}})?(?:{label})\b)",
            re.IGNORECASE | re.MULTILINE,
        )
        shifts |= {own - int(found["number"] or own) for found in echo.finditer(reply)}
        reply = echo.sub(partial(_numbered, own), reply)
    return reply, len(shifts - {0, 1}) > 0 or len(shifts) > 1


def _numbered(own: int, echo: re.Match[str]) -> str:
    return f"{echo['number'] or own}: "
