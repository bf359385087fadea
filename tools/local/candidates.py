"""Words of the evidence that may stand in the place of words of a claim: of the same kind."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from errata.core.records import Document, Quote
from errata.tools.judges.unfounded import BEGINS
from errata.tools.judges.values import Value, find_values, has_value
from errata.tools.local.mends import Mend
from errata.tools.text.clauses import find_subject
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.sentences import split_strips
from errata.tools.text.words import content_stems, split_words

MOST = 24
"""The most candidates for the words of a claim, the closest first."""
DOUBTS = 8
"""In how many places of a claim words are looked for."""
_ROLE = re.compile(r"\ban? (?:[A-Z][\w-]+ ){0,2}((?:[a-z][\w-]+ ){0,3}[a-z][\w-]+)")
_YEAR = re.compile(r"\b\d{4}\b")


class Doubt(NamedTuple):
    """Words of a claim that may be wrong, and what the evidence has of their kind."""

    words: str
    candidates: tuple[str, ...]


def find_doubts(claim: str, texts: Sequence[str]) -> list[Doubt]:
    """The values, names and roles that a claim gives its subject, first those that no text has.

    The candidates are words of the texts, those of the texts closest to the claim first; of a date
    its year for a year.

    >>> find_doubts("Ada Moll died in Rome in 1934.", ["Ada Moll died in Bern in May 1933."])
    [Doubt(words='1934', candidates=('1933',)), Doubt(words='Rome', candidates=('Bern',))]
    >>> find_doubts("The shop is in Rome.", ["Given the rain it was shut. It is in Bern."])
    [Doubt(words='Rome', candidates=('Bern',))]
    """
    own = content_stems(claim)
    closest = sorted(texts, key=lambda text: -len(own & content_stems(text)))
    stated = [value for text in closest for value in _values(text)]
    subject = len(find_subject(claim))
    ours = [v for v in _values(claim) if claim.count(v.text) == 1 and v.start >= subject]
    doubted = sorted(ours, key=lambda value: _is_said(value, stated))
    doubts = [Doubt(v.text, tuple(islice(_like(v, stated, claim), MOST))) for v in doubted]
    roles = dict.fromkeys(role for text in closest for role in _roles(text) if role not in claim)
    doubts += [Doubt(role, tuple(islice(roles, MOST))) for role in _roles(claim)]
    return [doubt for doubt in doubts if doubt.candidates][:DOUBTS]


def _roles(text: str) -> Iterator[str]:
    """What somebody or something is, in the words after an article.

    >>> list(_roles("Ada was a gifted painter of birds, and worked as a gardener as well."))
    ['gifted painter', 'gardener']
    """
    for match in _ROLE.finditer(text):
        words = takewhile(lambda word: word.is_content, split_words(match[1]))
        if end := max((word.end for word in words), default=0):
            yield match[1][:end]


def _values(text: str) -> list[Value]:
    names = (each for each in find_entities(text) if each.kind == "name" and _is_name(each, text))
    told = [Value("name", each.start, each.end, each.text, entity=each) for each in names]
    return [*find_values(text), *told]


def _is_name(entity: Entity, text: str) -> bool:
    """Whether it is neither an initial nor a word that is capitalized for beginning a sentence."""
    if " " in entity.text or not BEGINS.search(text[: entity.start]):
        return len(entity.text.rstrip(".")) > 1
    return bool(re.search(rf"[a-z,;] {re.escape(entity.text)}\b", text))


def _is_said(value: Value, stated: Sequence[Value]) -> bool:
    if value.kind == "name":
        return any(other.kind == "name" and value.stems <= other.stems for other in stated)
    return has_value(value, stated)


def _like(value: Value, stated: Sequence[Value], claim: str) -> Iterator[str]:
    """The words of values that are like one, the likest first; no name that the claim has."""
    is_year, seen = value.kind == "date" and value.text.isdigit(), {value.text.casefold()}
    for other in sorted(stated, key=lambda other: not value.is_like(other)):
        year = _YEAR.search(other.text) if is_year else None
        words = year[0] if year else other.text
        is_known = words.casefold() in seen or (value.kind == "name" and words in claim)
        are_counts = all(v.quantity and v.quantity.kind == "count" for v in (value, other))
        if (value.is_like(other) or are_counts) and not is_known and "\n" not in words:
            seen.add(words.casefold())
            yield words


def quote_mends(
    text: str, mends: Sequence[Mend], documents: Sequence[Document]
) -> tuple[Quote, ...]:
    """The strips closest to a text that have what mends put in; none unless all is in some."""
    strips = [strip for document in documents for strip in split_strips(document)]
    own = content_stems(text)
    strips.sort(key=lambda strip: -len(own & content_stems(strip.text)))
    found = [next((s.quote for s in strips if words in s.text), None) for _, words in mends]
    return tuple(dict.fromkeys(filter(None, found))) if all(found) else ()
