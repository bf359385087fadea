"""A claim with its values and words as the evidence writes them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from errata.bounds import current_bounds
from errata.spans import Spans
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.agreement import agree as holds
from errata.tools.text.agreement import is_alike
from errata.tools.text.entities import Entity, agree
from errata.tools.text.opposites import SAME_PHRASES, synonyms_of
from errata.tools.text.quantities import Quantity, find_quantities, find_times, with_hedge
from errata.tools.text.rewording import replace_span
from errata.tools.text.strips import Strip
from errata.tools.text.words import Word

Replacement = tuple[int, int, str]
"""Where a value stands in a claim, in characters, and how a strip writes it."""

_LONGEST_FIRST = sorted(
    (re.escape(p) for group in SAME_PHRASES for p in group), key=len, reverse=True
)
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")
_NOT = re.compile(r"\bnot ([a-z]+)")
_PHRASES = re.compile(rf"\b(?:{'|'.join(_LONGEST_FIRST)})\b", re.IGNORECASE)


def as_stated(claim: Reading, evidence: Evidence) -> Reading:
    """The claim with every quantity, date and synonym that a strip has written as in that strip.

    The cross-encoder compares words: it does not know that 5,400 metres are 5.4 kilometres.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> evidence = Evidence(split_strips(Document(text="The tunnel is 5.4 kilometres long.")))
    >>> as_stated(Reading("The tunnel is more than 5,000 metres long."), evidence).text
    'The tunnel is 5.4 kilometres long.'
    """
    strips = [strip for strip, _ in evidence.best(claim)]
    text, last = claim.text, len(claim.text)
    values = [*_quantities(claim, strips), *_dates(claim, strips), *_times(claim, strips)]
    taken = Spans(values, lambda value: (value[0], value[1]))
    spoken = [*_words(claim, strips), *_denied(claim, strips)]
    words = [word for word in spoken if not taken.touching(word[0], word[1])]
    found = [*values, *words]
    for start, end, stated in sorted(found)[::-1]:
        if end <= last:
            text, last = replace_span(text, start, end, stated), start
    return Reading(text, claim.topic, claim.question_entity) if text != claim.text else claim


def _quantities(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    for claimed in find_quantities(claim.text)[: current_bounds().max_entities]:
        stated = next((q for strip in strips for q in _bearing_out(claimed, strip)), None)
        if stated and stated.text.lower() != claimed.text.lower():
            start = with_hedge(claim.text, claimed)
            if claimed.rate == stated.rate:
                yield start, claimed.end, stated.text
            else:
                end = claim.text.index(claimed.rate, claimed.end) + len(claimed.rate)
                yield start, end, f"{stated.text} {stated.rate}"


def _bearing_out(claimed: Quantity, strip: Strip) -> Iterator[Quantity]:
    for stated in find_quantities(strip.text):
        if is_alike(claimed, stated) and holds(claimed, stated):
            yield stated


def _dates(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    dates = (entity for entity in claim.all_entities if entity.kind == "date")
    for claimed in dates:
        stated = (e for strip in strips for e in strip.entities if _is_finer(e, claimed))
        found = next(stated, None)
        if found and found.text != claimed.text:
            yield claimed.start, claimed.end, found.text


def _times(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    for claimed in find_times(claim.text):
        stated = (time for strip in strips for time in find_times(strip.text))
        found = next((time for time in stated if time.minutes == claimed.minutes), None)
        if found and found.text != claimed.text:
            yield claimed.start, claimed.end, found.text


def _words(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    """The words and phrases of a claim for which a strip has others that mean the same."""
    texts = [f" {' '.join(word.text.lower() for word in strip.words)} " for strip in strips]
    for match in _PHRASES.finditer(claim.text):
        phrase = match.group().lower()
        others = (other for group in SAME_PHRASES if phrase in group for other in group)
        yield from _as_in(texts, match.start(), match.end(), phrase, others)
    for word in claim.words:
        if word.is_content and word.text.islower() and synonyms_of(word.stem):
            others = (w.text for strip in strips for w in strip.words if _is_same(word, w))
            yield from _as_in(texts, word.start, word.end, word.text, others)


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


def _as_in(
    texts: Sequence[str], start: int, end: int, own: str, others: Iterable[str]
) -> Iterator[Replacement]:
    """What a text has in place of words of a claim that no text has."""
    if not any(f" {own} " in text for text in texts):
        stated = (other for other in others if any(f" {other} " in text for text in texts))
        yield from ((start, end, other) for other in islice(stated, 1))


def _is_same(word: Word, other: Word) -> bool:
    """Whether another word means the same and has the same ending."""
    is_synonym = other.stem in synonyms_of(word.stem) and other.text.islower()
    return is_synonym and _ending(word.text) == _ending(other.text)


def _ending(word: str) -> str:
    return next((end for end in ("ed", "ing", "s") if word.endswith(end)), "")


def _is_finer(stated: Entity, claimed: Entity) -> bool:
    """Whether a date says all that another one says."""
    parts = zip(stated.key.split("-"), claimed.key.split("-"), strict=False)
    return (
        stated.kind == "date"
        and agree(stated, claimed)
        and all(a != "?" or b == "?" for a, b in parts)
    )
