"""Edits of citation marks and of lists of references, which keep the draft's form."""

import re
from collections.abc import Sequence, Set
from itertools import count, pairwise

from errata.core.records import Edit
from errata.tools.text.mark_style import SPACE, Marks, are_neighbours, spaces_before
from errata.tools.text.marks import RAISED, Form, Mark, Reference
from errata.tools.text.reference_lists import LABEL
from errata.tools.text.references import CitedSentence
from errata.tools.text.works import URL

_END = re.compile(r"[.!?…:]+\Z")


def move_mark(draft: str, mark: Mark, old: str, new: str, references: Sequence[Reference]) -> Edit:
    """The mark with one key in place of another."""
    keys = tuple(dict.fromkeys(new if key == old else key for key in mark.keys))
    return _edit(draft, mark.start, mark.end, Marks(draft, references).written(mark, keys))


def drop_mark(
    draft: str, mark: Mark, gone: Set[str] = frozenset(), references: Sequence[Reference] = ()
) -> Edit:
    """The draft without a mark and the space before it, or without some keys of the mark.

    The words that a link stands around stay.
    """
    kept = tuple(key for key in mark.keys if gone and key not in gone)
    if kept:
        return _edit(draft, mark.start, mark.end, Marks(draft, references).written(mark, kept))
    if mark.words:
        return _edit(draft, mark.start, mark.end, mark.words)
    start, end = mark.start, mark.end
    others = Marks(draft, references).all
    before = next((m for m in others if are_neighbours(draft, m, mark)), None)
    after = next((m for m in others if are_neighbours(draft, mark, m)), None)
    if before or not after:
        start = before.end if before else spaces_before(draft, start)
    else:
        end = after.start
    if start == 0 or draft[start - 1] == "\n":
        end += len(draft[end:]) - len(draft[end:].lstrip(" \t"))
    return _edit(draft, start, end, "")


def insert_mark(
    draft: str,
    sentence: CitedSentence,
    keys: Sequence[str],
    references: Sequence[Reference],
    style: Form | None = None,
) -> Edit:
    """A mark of some sources on a sentence, in a form or as most marks of the draft are.

    It stands before or after the full stop as the others do; beside the marks that are there.
    """
    marks = Marks(draft, references)
    form = style or marks.form
    last = next((m for m in reversed(sentence.marks) if m.form == form and not m.words), None)
    stop = _stop(draft, sentence)
    if last and not draft[last.end : stop].strip(f"{SPACE},;"):
        several = any(len(m.keys) > 1 for m in marks.beside(form))
        if several or last.text[0] in f"({RAISED}":
            both = tuple(dict.fromkeys((*last.keys, *keys)))
            return _edit(draft, last.start, last.end, marks.written(last, both))
        pairs = (p for p in pairwise(marks.all) if are_neighbours(draft, *p))
        # Nothing stands between marks that nobody has put beside each other; a space, addresses.
        apart = draft[spaces_before(draft, last.start) : last.start] if URL.match(last.text) else ""
        gap = next((draft[a.end : b.start] for a, b in pairs), apart)
        added = "".join(gap + marks.written(last, (key,)) for key in keys)
        return _edit(draft, last.end, last.end, added)
    sample, gap = marks.sample(form)
    place = sentence.end if marks.stands_outside(form) else stop
    added = gap + marks.written(sample, keys)
    # A raised number beside a power would be one number with it.
    apart = " " if place and added[0] in RAISED and draft[place - 1] in RAISED else ""
    return _edit(draft, place, place, apart + added)


def add_references(
    draft: str, entries: Sequence[str], references: Sequence[Reference], form: Form
) -> tuple[Edit, list[str]]:
    """Entries below the others of the draft's list, as they are written, and their keys.

    Footnotes for marks of that form. Without a list there is a new one.
    """
    is_note, line_end = form == "footnote", "\r\n" if "\r\n" in draft else "\n"
    listed = [r for r in references if r.end and r.key.startswith("^") == is_note]
    taken = {key.lstrip("^") for m in Marks(draft, references).all for key in m.keys}
    taken |= {reference.key.lstrip("^") for reference in references}
    numbers = (str(n) for n in count(len(listed) + 1) if str(n) not in taken)
    keys = ["^" * is_note + number for number, _ in zip(numbers, entries, strict=False)]
    if not listed:
        labels = (f"[{key}]: " if is_note else f"{key}. " for key in keys)
        lines = [label + entry for label, entry in zip(labels, entries, strict=True)]
        head = [] if is_note else ["## References", ""]
        ended = [""] if draft.endswith("\n") else []
        below = line_end.join(["", *([] if ended else [""]), *head, *lines, *ended])
        return _edit(draft, len(draft), len(draft), below), keys
    last = listed[-1]
    label = LABEL.match(draft, last.start, last.end)
    own = label[0] if label else ""
    added = [own.replace(last.key, key) + e for key, e in zip(keys, entries, strict=True)]
    gap = draft[listed[-2].end : last.start] if len(listed) > 1 else ""
    gap = gap if gap and not gap.strip() else line_end
    return _edit(draft, last.end, last.end, "".join(gap + entry for entry in added)), keys


def _edit(draft: str, start: int, end: int, after: str) -> Edit:
    return Edit(start=start, end=end, before=draft[start:end], after=after)


def _stop(draft: str, sentence: CitedSentence) -> int:
    """Where the full stop of a sentence stands, or where it ends without one."""
    end = _END.search(draft, sentence.start, sentence.end)
    return end.start() if end else sentence.end
