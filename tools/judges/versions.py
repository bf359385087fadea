"""Newer versions of a document, and what they say otherwise."""

from collections.abc import Sequence

from errata.core.records import Document
from errata.tools.judges.evidence import date_of
from errata.tools.judges.values import find_values, has_value
from errata.tools.text.sentences import Strip, split_strips
from errata.tools.text.words import content_stems

_OTHER_WORDS = 2
"""How many words the titles of two versions may not share: one on each side."""
_ALIKE = 0.5
"""The share of its other words that a strip has in the next version, at least."""


def find_newer(documents: Sequence[Document]) -> dict[str, str]:
    """The newest version of each document that has a newer one, by their ids.

    Versions have the same title but for its date.

    >>> titles = {year: f"Rules for cheese ({year})" for year in ("2016", "2024")}
    >>> find_newer([Document(id=year, text="x", title=titles[year]) for year in titles])
    {'2016': '2024'}
    """
    dated = [(date_of(document), document) for document in documents]
    newer = dict[str, str]()
    for year, old in dated:
        later = [(y, new.id) for y, new in dated if y > year > "" and _is_alike(old, new)]
        if later:
            newer[old.id] = max(later)[1]
    return newer


def _is_alike(old: Document, new: Document) -> bool:
    ours, theirs = (
        {stem for stem in content_stems(each.title) if not stem.isdigit()} for each in (old, new)
    )
    return len(ours & theirs) > 1 and len(ours ^ theirs) <= _OTHER_WORDS


def find_change(text: str, old: Document, new: Document) -> tuple[Strip, Strip] | None:
    """Where a version has what a text says, and the next version other values in the same words.

    None if the text has no such value, or speaks of the older version by its date.
    """
    own = [value for value in find_values(text) if value.text != date_of(old)]
    if not own or (date_of(old) and date_of(old) in text):
        return None
    stems = content_stems(text)
    strip = _closest(split_strips(old), stems, stems)
    if strip is None:
        return None
    theirs = find_values(strip.text)
    shared = [value for value in own if has_value(value, theirs)]
    bag = content_stems(strip.text)
    other = _closest(split_strips(new), bag, stems)
    values = find_values(other.text) if other else []
    if other is None or not shared or not values:
        return None
    words = {stem for stem in bag if not any(sign.isdigit() for sign in stem)}
    is_same = len(words & content_stems(other.text)) >= _ALIKE * len(words)
    return (strip, other) if is_same and not any(has_value(v, values) for v in shared) else None


def _closest(strips: Sequence[Strip], bag: frozenset[str], stems: frozenset[str]) -> Strip | None:
    """The strip that shares most with a bag of words, and then with a text's."""

    def shared(strip: Strip) -> tuple[int, int]:
        own = content_stems(strip.text)
        return len(own & bag), len(own & stems)

    best = max(strips, key=shared, default=None)
    return best if best and any(shared(best)) else None
