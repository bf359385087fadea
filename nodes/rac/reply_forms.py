"""Verdicts in another form than a line each: JSON, XML, after the claim, several on one line."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from errata.core.words import loosely

NUMBER = r"(?:(?:statement|claim|fact)\s*|c)?#?(?P<number>\d{1,4})"
"""How a reply names a claim."""
_BODY = re.compile(
    r"\A(?:[^\n\[{<\"]{0,200}:\s*)?(?:```\w*\s*\n(.*?)\s*```|([\[{<].*))\s*\Z", re.DOTALL
)
_ELEMENT = re.compile(
    r"<(claim|verdict|judge?ment|item|result|statement|fact)\b([^<>]*?)(?:/>|>(.*?)</\1\s*>)",
    re.DOTALL | re.IGNORECASE,
)
_FIELD = re.compile(r"<(\w+)>([^<>]*)</\1>|\b(\w+)\s*=\s*[\"']([^\"'<>]*)[\"']")
_NUMBERED = re.compile(rf"\W*{NUMBER}\W*", re.IGNORECASE)
_NUMBERS = ("claim", "number", "id", "index", "n", "no", "claim_id", "claim_number", "statement")
_VERDICTS = ("label", "verdict", "judgement", "judgment", "status", "result", "answer", "value")
_DOCUMENTS = ("document", "doc", "source", "document_id", "evidence")
_FEWEST = 2
"""Words of a claim whose repetition is told from a label."""


def in_lines(reply: str, claims: Sequence[str], label: str) -> tuple[str, bool]:
    r"""A reply with a line a verdict; whether it numbers the claims that it repeats as we do not.

    `label` is the pattern of a label.

    >>> in_lines('[{"claim": 1, "label": "False", "document": 2}]', ["Ada won."], "False")
    ('1: False [2]', False)
    >>> in_lines("1. Ada won. - False", ["Ada won."], "False")
    ('1: False', False)
    """
    body = _BODY.fullmatch(reply)
    text = (body[1] or body[2]) if body else ""
    if records := _read_json(text) or [*_read_xml(text)]:
        ordered = len(records) == len(claims) and not any(map(_number_in, records))
        lines = (_line(each, claims, n * ordered) for n, each in enumerate(records, start=1))
        return "\n".join(lines), False
    reply, shifts = _without_claims(reply, claims, label)
    return _one_a_line(reply, label), shifts


def _read_json(text: str) -> list[Mapping[str, Any]]:
    for form in (text, f"[{','.join(line.rstrip(' ,') for line in text.splitlines() if line)}]"):
        try:
            return _records(json.loads(form))
        except (ValueError, RecursionError):
            continue
    return []


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


def _read_xml(text: str) -> Iterator[Mapping[str, Any]]:
    for element in _ELEMENT.finditer(text):
        parts = [*_FIELD.finditer(element[2]), *_FIELD.finditer(element[3] or "")]
        fields = {(part[1] or part[3]).lower(): part[2] or part[4] for part in parts}
        if fields.keys().isdisjoint(_VERDICTS):
            fields["label"] = re.sub(r"<[^<>]*>", "", element[3] or "")
        yield fields


def _number_in(record: Mapping[str, Any]) -> str:
    """What a record says of its claim: a number, or its words."""
    said = (record[name] for name in _NUMBERS if name in record)
    return " ".join(str(next(said, "")).split())


def _line(record: Mapping[str, Any], claims: Sequence[str], place: int) -> str:
    said = _number_in(record)
    numbered, words = _NUMBERED.fullmatch(said), [" ".join(claim.split()) for claim in claims]
    number = numbered["number"] if numbered else words.index(said) + 1 if said in words else place
    label = next((record[name] for name in _VERDICTS if name in record), "")
    cited = next((str(record[name]) for name in _DOCUMENTS if name in record), "")
    document = re.search(r"\A\W*(?:doc\w*\W*)?(\d{1,4})\b", cited, re.IGNORECASE)
    shown = f" [{document[1]}]" if document else ""
    return f"{number}: {' '.join(str(label).split())}{shown}" if number else ""


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
        for found in echo.finditer(reply):
            shifts.add(own - int(found["number"] or own))
        reply = echo.sub(partial(_numbered, own), reply)
    return reply, len(shifts - {0, 1}) > 0 or len(shifts) > 1


def _numbered(own: int, echo: re.Match[str]) -> str:
    return f"{echo['number'] or own}: "


def _one_a_line(reply: str, label: str) -> str:
    """A reply whose lines that hold nothing but several verdicts are parted."""
    number = NUMBER.replace("?P<number>", "")
    item = rf"{number}[\s:.)=-]{{1,4}}(?:{label})(?:\s*\[[\w ,]{{1,20}}\])?"
    several = rf"^[^\w\n]{{0,20}}{item}(?:\s*[;,|]\s*{item})+\W*$"
    parted = re.compile(rf"\s*[;,|]\s*(?={item})", re.IGNORECASE)
    pattern = re.compile(several, re.IGNORECASE | re.MULTILINE)
    return pattern.sub(lambda line: parted.sub("\n", line[0]), reply)
