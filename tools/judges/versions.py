"""Copies and newer versions of a document, and what these say otherwise."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from errata.core.records import Document
from errata.tools.judges.evidence import date_of
from errata.tools.judges.values import Value, find_values, has_value, is_stated
from errata.tools.text.sentences import Strip, split_strips
from errata.tools.text.words import content_stems, split_words

_EDITIONS = content_stems(
    "first second third fourth fifth edition version release issue revision revised amended updated"
    " amendment update reissue current former superseded withdrawn consolidated rev preprint draft"
    " interim preliminary provisional final"
)
"""Stems of what a title says of its version."""
_OTHER_WORDS = 2
"""How many words the titles of two versions may not share: one on each side."""
_LONGER = 1.1
"""How many times as many sentences a copy may have."""
_ALIKE = 0.5
"""The share of its other words that a strip has in the next version, at least."""
_PAST = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\A(?:until|before)\b|\b(?:used to|at first|no longer)\b"
    r"|\b(?:previous|former|original|initial)(?:ly)?\b"
    r"|\b(?:earlier|first|old) (?:edition|version)\b",
    re.IGNORECASE,
)
"""What a text says that speaks of some time, such as that of an earlier version."""
_TOLD = re.compile(
    r"[\"“”„«»]|\b(?:said|says|told|wrote|claim(?:s|ed)|reported|according)\b", re.IGNORECASE
)
"""What a text says or quotes in somebody's words, which no version changes."""
_SAME = 0.7
"""The share of two strips' words, values aside, that both have if only values changed."""


def find_copies(documents: Sequence[Document]) -> dict[str, str]:
    """The longest document that says the same as a shorter one, by the ids of the shorter ones.

    It has all sentences of the other, and at most a tenth more.

    >>> texts = ("It rains. It's cold!", "It RAINS.  It's cold.", "It rains. It's colder.")
    >>> find_copies([Document(id=str(n), text=text) for n, text in enumerate(texts)])
    {'1': '0'}
    """
    said = {
        document.id: {" ".join(w.text.lower() for w in s.words) for s in split_strips(document)}
        for document in documents
    }
    first, same = list[str](), dict[str, str]()
    for name in sorted(said, key=lambda name: -len(said[name])):
        least = len(said[name]) * _LONGER
        own = (o for o in first if len(said[o]) <= least and said[name] <= said[o])
        same |= dict.fromkeys([name], next(own, name))
        first += [name] if same[name] == name else []
    return {name: other for name, other in same.items() if name != other}


def find_newer(documents: Sequence[Document]) -> dict[str, str]:
    """The newest version of each document that has a newer one, by their ids.

    Versions have the same title but for its date and edition; or for its edition, where their pages
    are dated.

    >>> titles = {year: f"Rules for cheese ({year})" for year in ("2016", "2024")}
    >>> find_newer([Document(id=year, text="x", title=titles[year]) for year in titles])
    {'2016': '2024'}
    >>> first, new = "Note 6: Pumps", "Note 6: Pumps (revised)"
    >>> dated = ((first, "2016"), (new, "2024"))
    >>> find_newer([Document(id=title, text="x", title=title, dated=day) for title, day in dated])
    {'Note 6: Pumps': 'Note 6: Pumps (revised)'}
    """
    dated = [(_date(document), document) for document in documents]
    return {
        old.id: max(later)[1]
        for year, old in dated
        if (later := [(y, new.id) for y, new in dated if _follows(y, year) and _is_alike(old, new)])
    }


def _date(document: Document) -> str:
    """The date of a version: the year in its title, else the day that its page says."""
    return date_of(document) or document.dated


def _follows(later: str, earlier: str) -> bool:
    """Whether a date is later than another one, by what both say of it."""
    return bool(earlier) and later[: len(earlier)] > earlier[: len(later)]


def _is_alike(old: Document, new: Document) -> bool:
    ours, theirs = (
        {s for s in content_stems(each.title) - _EDITIONS if not s.isdigit()} for each in (old, new)
    )
    other_words = _OTHER_WORDS if date_of(old) and date_of(new) else 0
    return len(ours & theirs) > 1 and len(ours ^ theirs) <= other_words


class VersionChange(NamedTuple):
    """What the next version of a document has in the place of what a text says."""

    strip: Strip
    mends: list[tuple[str, str]]
    """The text's quantity and that of the strip; none unless one plainly stands for the other."""


def find_change(text: str, old: Sequence[Strip], new: Sequence[Strip]) -> VersionChange | None:
    """Where a version has what a text says, and the next version other values in the same words.

    None if the text has no such value, or speaks of an earlier time.

    >>> said, now = "It has 9 seats on 2 decks.", "It has 12 seats on 2 decks."
    >>> versions = [split_strips(Document(text=text)) for text in (said, now)]
    >>> find_change("There are 9 seats.", *versions).mends
    [('9', '12')]
    >>> find_change("Ada Moll said there were 9 seats.", *versions).mends
    []
    >>> texts = ("Nine boards tell of it.", "Ten boards tell of it.")
    >>> find_change("We met nine boards.", *(split_strips(Document(text=x)) for x in texts)).mends
    [('nine', 'ten')]
    """
    own = find_values(text)
    if not own or _PAST.search(text):
        return None
    stems = content_stems(text)
    strip = _closest(old, stems, stems)
    if strip is None:
        return None
    shared = [value for value in own if has_value(value, find_values(strip.text))]
    bag = content_stems(strip.text)
    other = _closest(new, bag, stems)
    values = find_values(other.text) if other else []
    if other is None or not shared or any(has_value(value, values) for value in shared):
        return None
    words = {stem for stem in bag if not any(sign.isdigit() for sign in stem)}
    is_same = len(words & content_stems(other.text)) >= _ALIKE * len(words)
    if not (is_same and values):
        return None
    is_plain = len(own) == 1 and _is_plain(text, strip, other)
    is_gone = is_plain and not any(is_stated(own[0], each.text) for each in new)
    return VersionChange(other, _exchange(own[0], values) if is_gone else [])


def _is_plain(text: str, strip: Strip, other: Strip) -> bool:
    """Whether a text tells in its own words, of now, what two strips differ in by values alone."""
    is_own = not _TOLD.search(text) and _is_past(text) <= _is_past(other.text)
    return is_own and _differ_in_values(strip, other)


def _differ_in_values(strip: Strip, other: Strip) -> bool:
    """Whether two strips have nearly the same words, their values aside."""
    ours, theirs = _plain_stems(strip.text), _plain_stems(other.text)
    return len(ours & theirs) >= _SAME * len(ours | theirs)


def _plain_stems(text: str) -> frozenset[str]:
    return content_stems(text).difference(*(content_stems(v.text) for v in find_values(text)))


def _exchange(claimed: Value, values: Sequence[Value]) -> list[tuple[str, str]]:
    """A quantity and the one other like it, if both have the same bound and rate."""
    like = [value for value in values if value.is_like(claimed)]
    ours, theirs = claimed.quantity, like[0].quantity if len(like) == 1 else None
    is_alike = ours and theirs and (ours.bound, ours.rate) == (theirs.bound, theirs.rate)
    if not is_alike:
        return []
    stated = like[0].text  # a number in words may begin its sentence
    first = stated[0].upper() if claimed.text[0].isupper() else stated[0].lower()
    return [(claimed.text, first + stated[1:])]


def _is_past(text: str) -> bool:
    return any(word.text in ("had", "was", "were", "did") for word in split_words(text))


def _closest(strips: Sequence[Strip], bag: frozenset[str], stems: frozenset[str]) -> Strip | None:
    """The strip that shares most with a bag of words, and then with a text's."""

    def shared(strip: Strip) -> tuple[int, int]:
        own = content_stems(strip.text)
        return len(own & bag), len(own & stems)

    best = max(strips, key=shared, default=None)
    return best if best and any(shared(best)) else None
