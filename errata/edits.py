"""Edits from two texts, and a text from edits, exactly."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from errata.errors import InputError
from errata.records import Edit

_WORD = re.compile(r"\w")
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def apply_edits(draft: str, edits: Iterable[Edit]) -> str:
    """The draft after its edits.

    Raises InputError if an edit does not fit the draft or overlaps another.
    """
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < place or draft[edit.start : edit.end] != edit.before:
            came = draft[edit.start : edit.end]
            raise InputError(
                f"edit {edit.start}-{edit.end} expects {edit.before!r}; the draft has {came!r} "
                "there, or an earlier edit covers it"
            )
        pieces += [draft[place : edit.start], edit.after]
        place = edit.end
    return "".join([*pieces, draft[place:]])


def overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether an edit overlaps any of the others."""
    return any(edit.start < other.end and other.start < edit.end for other in others)


def diff(before: str, after: str, offset: int = 0) -> list[Edit]:
    """The word-wise edits that turn one text into another.

    `offset` is where the first one stands in the draft.
    """
    ours, theirs = _TOKEN.findall(before), _TOKEN.findall(after)
    places = _starts(ours)
    changes = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    edits = [
        Edit(
            start=places[a],
            end=places[b],
            before="".join(ours[a:b]),
            after="".join(theirs[c:d]),
        )
        for kind, a, b, c, d in changes
        if kind != "equal"
    ]
    joined = _joined(before, edits)
    return [replace(e, start=e.start + offset, end=e.end + offset) for e in joined]


def _starts(tokens: Sequence[str]) -> list[int]:
    places = [0]
    for token in tokens:
        places.append(places[-1] + len(token))
    return places


def _joined(draft: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, those with no word between them joined, so that one change reads as one."""
    joined: list[Edit] = []
    for edit in edits:
        between = draft[joined[-1].end : edit.start] if joined else "x"
        if _WORD.search(between):
            joined.append(edit)
            continue
        last = joined[-1]
        joined[-1] = replace(
            last,
            end=edit.end,
            before=last.before + between + edit.before,
            after=last.after + between + edit.after,
        )
    return joined
