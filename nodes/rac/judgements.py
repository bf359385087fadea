"""What a model's verify reply says of each claim, and where the documents say it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from errata.core.edits import places_of
from errata.core.records import Document, Quote, VerdictLabel
from errata.nodes.shared.verdicts import is_taken_back, repeats
from errata.tools.text.words import content_stems

_LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    "notmentioned": "not_mentioned",
}
_LINE = re.compile(
    r"^[^\w\n]*(?:(?:statement|claim|fact)\s*)?#?(?P<number>\d{1,4})[\W_]+"
    r"(?P<label>true|false|not[\s_-]*mentioned)\b"
    r"(?!\s*(?:\||/|or\b)\W*(?:true|false|not[\s_-]*mentioned)\b)"
    r"(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_DOCUMENT = re.compile(r"\[(?:doc\w*\s*)?(\d{1,4})", re.IGNORECASE)
_OTHER_LABEL = re.compile(r"\b(?:false|not[\s_-]*mentioned)\b", re.IGNORECASE)
_MARKS = " \t\"'“”‘’«»*`.,|"
_SHORT = 2
"""Fewest words of a quote that is looked for in the documents."""


@dataclass(frozen=True)
class Judgement:
    """One line of a reply."""

    label: VerdictLabel = "unreadable"
    document: int = 0
    """The number of the document that it rests on; 0 where it names none."""
    doubted: tuple[str, ...] = ()
    """The claim's words that are wrong or not mentioned; empty where it is the whole claim."""
    quote: str = ""
    """The document's words that show it."""


def read_judgements(reply: str, claims: Sequence[str]) -> list[Judgement]:
    r"""One judgement a claim; the last one that the reply has for a number counts.

    A line that repeats its claim, or does not stand by its label, has none.

    >>> read_judgements("1: False [2] | 1865 | born in 1867\n", ["Ada was born in 1865."])
    [Judgement(label='refuted', document=2, doubted=('1865',), quote='born in 1867')]
    """
    judgements = [Judgement()] * len(claims)
    for match in _LINE.finditer(reply):
        number = int(match["number"])
        if 1 <= number <= len(claims):
            judgements[number - 1] = _read_line(reply, match, claims[number - 1])
    return judgements


def _read_line(reply: str, match: re.Match[str], claim: str) -> Judgement:
    said = match["label"] + match["rest"]
    if repeats(said, claim) or is_taken_back(reply, match.end("label")):
        return Judgement()
    label = _LABELS[re.sub(r"[\s_-]", "", match["label"].lower())]
    return _read_rest(label, match["rest"], claim)


def _read_rest(label: VerdictLabel, rest: str, claim: str) -> Judgement:
    """A judgement from what follows its label on the line; none where it takes back a True."""
    head, *fields = rest.split("|")
    if label == "supported" and _OTHER_LABEL.search(head):
        return Judgement()
    document = _DOCUMENT.search(head)
    doubted = _words_of(claim, fields[0] if fields and label != "supported" else "")
    quote = "|".join(fields[1:]).strip(_MARKS)
    return Judgement(label, int(document[1]) if document else 0, doubted, quote)


def _words_of(claim: str, field: str) -> tuple[str, ...]:
    """The parts of a field that are words of the claim; none where they are all that it says."""
    parts = (part.strip(_MARKS) for part in field.split(";"))
    text = claim.lower()
    own = tuple(part for part in dict.fromkeys(parts) if part and places_of(part.lower(), text))
    return own if content_stems(claim) - content_stems(" ".join(own)) else ()


def find_quote(
    judgement: Judgement, shown: Sequence[Document], documents: Sequence[Document]
) -> Quote | None:
    """Where the documents have a judgement's quote, whatever its white space; None if nowhere.

    `shown` are the documents by the numbers that the judgement uses. The one that it names is
    looked at first.
    """
    words = judgement.quote.split()
    if len(words) < _SHORT:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    named = {document.id for document in shown[max(judgement.document - 1, 0) :][:1]}
    for document in sorted(documents, key=lambda document: document.id not in named):
        if match := pattern.search(document.text):
            start, end = match.span()
            return Quote(document=document.id, start=start, end=end, text=match[0])
    return None
