"""Make edits from two texts and a text from edits, exactly; find what lies where in a text."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Generic, TypeVar

from errata.core.errors import InputError
from errata.core.records import Edit
from errata.core.words import WORD, Borders, are_glued, fold

T = TypeVar("T")
Span = tuple[int, int]
"""Where a stretch begins and ends, in characters."""


def grouped(placed: Iterable[tuple[Span, T]]) -> list[tuple[Span, list[T]]]:
    """Things whose places overlap together, in order, each group with the place of all.

    >>> grouped([((4, 9), "c"), ((0, 2), "a"), ((1, 3), "b")])
    [((0, 3), ['a', 'b']), ((4, 9), ['c'])]
    """
    groups = list[tuple[Span, list[T]]]()
    for place, thing in sorted(placed, key=lambda item: item[0]):
        if groups and place[0] < groups[-1][0][1]:
            (start, end), things = groups.pop()
            groups.append(((start, max(end, place[1])), [*things, thing]))
        else:
            groups.append((place, [thing]))
    return groups


def outside(span: Span, holes: Iterable[Span]) -> list[Span]:
    """The parts of a span that lie in none of the holes, which stand in order."""
    parts, (start, end) = [], span
    for first, last in holes:
        if last > start and first < end:
            parts.append((start, first))
            start = last
    return [(a, b) for a, b in [*parts, (start, end)] if a < b]


class Spans(Generic[T]):
    """Things with a place in a text, indexed so that a search does not look at all of them."""

    def __init__(self, items: Iterable[T], place: Callable[[T], Span]) -> None:
        """Index things by their place."""
        self._items, self._place = list(items), place
        placed = sorted((place(item), number) for number, item in enumerate(self._items))
        self._order = [(end, number) for (_, end), number in placed]
        self._starts = [start for (start, _), _ in placed]
        self._furthest = list(accumulate((end for end, _ in self._order), max))

    def touching(self, start: int, end: int) -> list[T]:
        """The things that share a character with a stretch, in the order they came in."""
        last = bisect_left(self._starts, end)
        first = bisect_right(self._furthest, start, hi=last)
        return [self._items[n] for n in sorted(n for b, n in self._order[first:last] if b > start)]

    def within(self, start: int, end: int) -> list[T]:
        """The things that lie in a stretch as a whole."""
        places = ((item, self._place(item)) for item in self.touching(start, end))
        return [item for item, place in places if start <= place[0] and place[1] <= end]


MAX_REPEATS = 100_000
"""The most pairs of equal tokens for which two texts are compared token by token."""
_Change = tuple[int, int, int, int]
"""Start and end of what changes, in one text and in the other."""
_WORD = re.compile(r"\w")
_LINE_END = re.compile(r"\r?\n")
_UNIX_END = re.compile(r"(?<!\r)\n")
_TOKEN = re.compile(rf"{WORD}|\s+|\S")


def apply_edits(draft: str, edits: Iterable[Edit]) -> str:
    """The draft after its edits; raises InputError if one does not fit, or overlaps another."""
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not place <= edit.start <= edit.end <= len(draft) or (
            draft[edit.start : edit.end] != edit.before
        ):
            came = draft[edit.start : edit.end]
            raise InputError(
                f"edit {edit.start}-{edit.end} expects {edit.before!r}; the draft has {came!r} "
                "there, or an earlier edit covers it"
            )
        pieces += [draft[place : edit.start], edit.after]
        place = edit.end
    return "".join([*pieces, draft[place:]])


def in_form_of(draft: str, text: str) -> str:
    r"""A rewriting with the draft's line ends and letters, and the white space around the draft.

    >>> in_form_of("Ada sang.\r\nShe won.\r\n", "Ada sang.\nShe lost.")
    'Ada sang.\r\nShe lost.\r\n'
    """
    body = draft.strip()
    start = draft.find(body)
    windows = "\r\n" in draft and not _UNIX_END.search(draft)
    middle = _LINE_END.sub("\r\n", text.strip()) if windows else text.strip()
    return draft[:start] + as_written(body, middle) + draft[start + len(body) :]


def as_written(draft: str, text: str) -> str:
    """A rewriting in which the words that stay are written in the letters of the draft.

    >>> as_written("Rene\u0301 sang.", "René won.") == "Rene\u0301 won."
    True
    """
    if draft.isascii() and text.isascii():
        return text
    ours, theirs, written, place = _TOKEN.findall(draft), _TOKEN.findall(text), list[str](), 0
    for a, b, c, d in _changes(*([fold(token) for token in own] for own in (ours, theirs))):
        written += [*ours[place:a], *theirs[c:d]]
        place = b
    return "".join([*written, *ours[place:]])


def overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether an edit overlaps any of the others."""
    return any(edit.start < other.end and other.start < edit.end for other in others)


def on_word_borders(draft: str, edits: Iterable[Edit]) -> list[Edit]:
    """The same changes as edits of whole words, grown over what they cut or would glue together."""
    borders, placed = Borders(draft), list[tuple[Span, Edit]]()
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        before, after = draft[max(edit.start - 1, 0) : edit.start], draft[edit.end : edit.end + 1]
        start = borders.before(edit.start, glued=are_glued(before, edit.after or after))
        end = borders.after(edit.end, glued=are_glued(edit.after or before, after))
        placed.append(((start, end), edit))
    return [join_edits(draft, group, span) for span, group in grouped(placed)]


def join_edits(draft: str, edits: Sequence[Edit], span: Span | None = None) -> Edit:
    """One edit of `span`, or from the first to the last, with the effect and grounds of several."""
    start, end = span or (edits[0].start, edits[-1].end)
    if (edits[0].start, edits[0].end) == (start, end) and len(edits) == 1:
        return edits[0]
    after = apply_edits(draft[start:end], [moved(edit, -start) for edit in edits])
    return rest_on(Edit(start=start, end=end, before=draft[start:end], after=after), edits)


def places_after(edits: Iterable[Edit]) -> list[tuple[Span, Edit]]:
    """The edits in order, each with where its text stands once all of them are made."""
    placed, shift = list[tuple[Span, Edit]](), 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        start = edit.start + shift
        placed.append(((start, start + len(edit.after)), edit))
        shift += len(edit.after) - len(edit.before)
    return placed


def compose(draft: str, edits: Sequence[Edit], later: Iterable[Edit]) -> list[Edit]:
    """The edits with the effect of `edits`, then of `later` ones; those that overlap become one."""
    response, composed, shift = apply_edits(draft, edits), list[Edit](), 0
    marked = [(span, (edit, False)) for span, edit in places_after(edits)]
    marked += [((edit.start, edit.end), (edit, True)) for edit in later]
    for (start, end), group in grouped(marked):
        own, new = ([edit for edit, is_new in group if is_new == kind] for kind in (False, True))
        before = start - shift
        shift += sum(len(edit.after) - len(edit.before) for edit in own)
        after = apply_edits(response[start:end], [moved(edit, -start) for edit in new])
        made = Edit(start=before, end=end - shift, before=draft[before : end - shift], after=after)
        composed.append(rest_on(made, [*own, *new]))
    return composed


def rest_on(edit: Edit, grounds: Sequence[Any]) -> Edit:
    """The edit with the claims, quotes and explanations of all grounds, such as other edits."""
    reasons = (ground.explanation for ground in grounds if ground.explanation)
    return replace(
        edit,
        claims=tuple(dict.fromkeys(claim for ground in grounds for claim in ground.claims)),
        evidence=tuple(dict.fromkeys(quote for ground in grounds for quote in ground.evidence)),
        explanation="; ".join(dict.fromkeys(reasons)),
        by="choice" if grounds and all(ground.by == "choice" for ground in grounds) else "",
    )


def moved(edit: Edit, by: int) -> Edit:
    """The edit, moved by some characters."""
    return replace(edit, start=edit.start + by, end=edit.end + by)


def diff(before: str, after: str, offset: int = 0) -> list[Edit]:
    """The word-wise edits that turn one text into another; those with no word between are one.

    `offset` is where `before` begins in the draft. Texts in which much repeats are split at words
    that both have exactly once; a part in which too much repeats even then is replaced whole.
    """
    ours, theirs = _TOKEN.findall(before), _TOKEN.findall(after)
    places = list(accumulate(map(len, ours), initial=0))
    groups: list[list[Edit]] = []
    for a, b, c, d in _changes(ours, theirs):
        start, end = places[a], places[b]
        edit = Edit(start=start, end=end, before=before[start:end], after="".join(theirs[c:d]))
        if groups and not _WORD.search(before, groups[-1][-1].end, start):
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return [moved(join_edits(before, group), offset) for group in groups]


def _changes(ours: Sequence[str], theirs: Sequence[str]) -> list[_Change]:
    """Where two texts differ, in tokens."""
    if _repeats(ours, theirs) <= MAX_REPEATS:
        return _compare(ours, theirs)
    changes = list[_Change]()
    a = c = 0
    for b, d in [*_shared_words(ours, theirs), (len(ours), len(theirs))]:
        while a < b and c < d and ours[a] == theirs[c]:
            a, c = a + 1, c + 1
        last, end = b, d
        while a < last and c < end and ours[last - 1] == theirs[end - 1]:
            last, end = last - 1, end - 1
        if _repeats(ours[a:last], theirs[c:end]) <= MAX_REPEATS:
            changes += _compare(ours[a:last], theirs[c:end], a, c)
        else:
            changes.append((a, last, c, end))
        a, c = b, d
    return changes


def _compare(ours: Sequence[str], theirs: Sequence[str], a: int = 0, c: int = 0) -> list[_Change]:
    """The changes of two parts, which begin at these places of their texts."""
    changes = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return [(a + i, a + j, c + k, c + m) for kind, i, j, k, m in changes if kind != "equal"]


def _repeats(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """How many pairs of equal tokens two texts have, which is what comparing them costs."""
    counts, others = Counter(ours), Counter(theirs)
    return sum(count * others[token] for token, count in counts.items())


def _shared_words(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """The places of tokens that both texts have once: the longest series in the same order."""
    counts, others = Counter(ours), Counter(theirs)
    places = {token: place for place, token in enumerate(theirs) if others[token] == 1}
    pairs = [(i, places[t]) for i, t in enumerate(ours) if counts[t] == 1 and t in places]
    ends: list[int] = []
    runs: list[int] = []
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(runs[length - 1] if length else None)
        ends[length : length + 1], runs[length : length + 1] = [place], [number]
    chain, last = [], runs[-1] if runs else None
    while last is not None:
        chain.append(pairs[last])
        last = before[last]
    return chain[::-1]
