"""A claim with its values and words as the evidence writes them."""

import re
from collections.abc import Iterator, Sequence

from errata.core.edits import Spans
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.values import MOST, Value, find_values, rewrite
from errata.tools.text.strips import Strip
from errata.tools.text.words import replace_span

Replacement = tuple[int, int, str]
"""Where a value stands in a claim, in characters, and how a strip writes it."""
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")
_NOT = re.compile(r"\bnot ([a-z]+)")


def as_stated(claim: Reading, evidence: Evidence) -> Reading:
    """The claim with every quantity, date and time that a strip bears out written as in that strip.

    The cross-encoder compares words: it does not know that 5,400 metres are 5.4 kilometres.

    >>> from errata.core.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> evidence = Evidence(split_strips(Document(text="The tunnel is 5.4 kilometres long.")))
    >>> as_stated(Reading("The tunnel is more than 5,000 metres long."), evidence).text
    'The tunnel is 5.4 kilometres long.'
    """
    strips = [strip for strip, _ in evidence.best(claim)]
    text, last = claim.text, len(claim.text)
    values = list(_values(claim, strips))
    taken = Spans(values, lambda value: (value[0], value[1]))
    words = (word for word in _denied(claim, strips) if not taken.touching(word[0], word[1]))
    found = [*values, *words]
    for start, end, stated in sorted(found)[::-1]:
        if end <= last:
            text, last = replace_span(text, start, end, stated), start
    return Reading(text, claim.topic, claim.question_entity) if text != claim.text else claim


def _values(claim: Reading, strips: Sequence[Strip]) -> Iterator[Replacement]:
    """The values of a claim as the strip writes them that bears them out."""
    stated = [value for strip in strips for value in find_values(strip.text)]
    for claimed in find_values(claim.text)[:MOST]:
        like = (v for v in stated if v.is_like(claimed) and v.bears_out(claimed))
        found = next(like, None) if _is_rewritten(claimed) else None
        if found and found.text.lower() != claimed.text.lower():
            yield rewrite(claim.text, claimed, found)


def _is_rewritten(claimed: Value) -> bool:
    """Whether a value can be written in another way in its sentence: no year, and no position."""
    is_year = claimed.entity is not None and claimed.entity.kind == "year"
    return not (is_year or claimed.kind == "ordinal" or claimed.is_bare)


def _denied(claim: Reading, strips: Sequence[Strip]) -> Iterator[Replacement]:
    """Words with a denying prefix as the evidence writes them: "inaccurate" for "not accurate"."""
    stated = {word.text.lower() for strip in strips for word in strip.words}
    for match in _NOT.finditer(claim.text):
        whole = next((p + match[1] for p in _PREFIXES if p + match[1] in stated), "")
        if whole and match[1] not in stated:
            yield match.start(), match.end(), whole
    told = {m[1].lower() for strip in strips for m in _NOT.finditer(strip.text)}
    for word in claim.words:
        plain = next((p for p in _PREFIXES if word.text.startswith(p)), "")
        if plain and word.text.removeprefix(plain) in told:
            yield word.start, word.end, f"not {word.text.removeprefix(plain)}"
