"""Edits of citation marks and of lists of references, written as a draft writes those it has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import count, pairwise
from urllib.parse import urlsplit

from errata.core.records import Edit
from errata.tools.text.marks import (
    NUMBER,
    RAISED,
    SUPERSCRIPTS,
    Form,
    Known,
    Mark,
    Piece,
    Reference,
)
from errata.tools.text.reference_lists import LABEL
from errata.tools.text.references import CitedSentence, read_cited
from errata.tools.text.works import URL, read_entry_work

_RAISE = str.maketrans("0123456789", RAISED)
_DEFAULT: Mapping[Form, tuple[str, Piece]] = {
    "number": ("[1]", Piece(1, 2, ("1",))),
    "footnote": ("[^1]", Piece(0, 4, ("^1",))),
    "link": ("([1](1))", Piece(1, 7, ("1",), "1")),
    "author_year": ("(1)", Piece(1, 2, ("1",))),
}
"""A mark in each form, for drafts that have none."""
_GAPS: Mapping[Form, str] = {"author_year": "; ", "footnote": ""}
"""What stands between the sources of a mark where no mark of a draft has several."""
_BOTH = 2
"""The most authors that are all named."""
_NEAR = 40
"""How many characters before a mark are looked at."""
_SPACE = " \t\u00a0"
_END = re.compile(r"[.!?…:]+\Z")
_SEPARATOR = re.compile(rf"[{_SPACE}]*[,;]?[{_SPACE}]*")


def _spaces_before(draft: str, place: int) -> int:
    """Where the spaces before a place begin."""
    before = draft[max(0, place - _NEAR) : place]
    return place - len(before) + len(before.rstrip(_SPACE))


def _are_neighbours(draft: str, first: Mark, second: Mark) -> bool:
    """Whether nothing but a separator stands between two marks."""
    return first.end <= second.start and bool(_SEPARATOR.fullmatch(draft, first.end, second.start))


class _Marks:
    """The marks of a draft, as examples of how it writes them."""

    def __init__(self, draft: str, references: Sequence[Reference]) -> None:
        """Read the marks of a draft, which name these references or those that it lists."""
        sentences, listed = read_cited(draft)
        self.all = sorted((m for s in sentences for m in s.marks), key=lambda mark: mark.start)
        self._draft = draft
        self._known = Known(references or listed)
        self._references = {r.key: r for r in (*listed, *self._known.references)}

    @property
    def form(self) -> Form:
        """The form of most marks."""
        counts = Counter(mark.form for mark in self.all)
        return counts.most_common(1)[0][0] if counts else "number"

    def beside(self, form: Form) -> list[Mark]:
        """The marks in a form that stand beside the words."""
        return [mark for mark in self.all if mark.form == form and not mark.words]

    def sample(self, form: Form) -> tuple[Mark, str]:
        """A mark in a form that names one source, and the space before it."""
        for mark in self.beside(form):
            if len(mark.keys) == 1:
                return mark, self._draft[_spaces_before(self._draft, mark.start) : mark.start]
        text, piece = _DEFAULT[form]
        made = Mark(start=0, end=len(text), text=text, form=form, pieces=(piece,))
        return made, "" if form == "footnote" else " "

    def stands_outside(self, form: Form) -> bool:
        """Whether most marks in a form stand after the full stop; footnotes do."""
        ends = [_spaces_before(self._draft, mark.start) for mark in self.beside(form)]
        after = sum(self._draft[end - 1 : end] in tuple(".!?…") for end in ends)
        return after * 2 > len(ends) if ends else form == "footnote"

    def written(self, mark: Mark, keys: Sequence[str]) -> str:
        """The text of a mark with other keys; what stays is as it was."""
        text, pieces, names, left = mark.text, mark.pieces, list[str](), tuple(keys)
        if mark.form == "author_year" and mark.words:
            return "; ".join(self._cite(key, narrative=True) for key in keys)
        while left:
            own = next((p for p in pieces if p.keys == left[: len(p.keys)]), None)
            names.append(text[own.start : own.end] if own else self.name(left[0], mark))
            left = left[len(own.keys) if own else 1 :]
        if mark.form == "number" and all(key.isdigit() for key in keys):
            names.sort(key=lambda name: int(re.split("[⁻–-]", name)[0].translate(SUPERSCRIPTS)))
        return text[: pieces[0].start] + self.gap(mark).join(names) + text[pieces[-1].end :]

    def gap(self, mark: Mark) -> str:
        """What stands between two sources in a mark."""
        for each in (mark, *self.beside(mark.form)):
            if len(each.pieces) > 1:
                return each.text[each.pieces[0].end : each.pieces[1].start]
        return "," if mark.text[mark.pieces[0].start] in RAISED else _GAPS.get(mark.form, ", ")

    def name(self, key: str, like: Mark) -> str:
        """How a mark names a source, as another mark does or as its own first one shows."""
        sample = like.text[like.pieces[0].start : like.pieces[0].end]
        if like.form == "footnote":
            return f"[{key}]" if key.startswith("^") else f"[^{key}]"
        if like.form == "number":
            label = self._known.label(key)
            return label.translate(_RAISE) if sample[0] in RAISED else label
        same = ((m.text, p) for m in self.beside(like.form) for p in m.pieces if p.keys == (key,))
        if not like.words and (copied := next(same, None)):
            return copied[0][copied[1].start : copied[1].end]
        return self._cite(key) if like.form == "author_year" else self._link(key, like, sample)

    def _link(self, key: str, like: Mark, sample: str) -> str:
        """A link to a source, with the words that it stands around or a label of its own."""
        reference, shown = self._references.get(key), like.pieces[0].label
        url, title = (reference.url, reference.title) if reference else (key, "")
        if not shown:
            return url
        if not url or (sample.endswith("]") and key in self._known.keys):
            return (
                f"[{like.words}][{key}]" if like.words and key[0] != "^" else f"{like.words}[{key}]"
            )
        host = urlsplit(url).netloc.removeprefix("www.")
        label = host if "." in shown and " " not in shown else title or host or key
        if NUMBER.fullmatch(shown) and (number := self._known.label(key)).isdigit():
            label = number
        return f"[{like.words or label}]({url})"

    def _cite(self, key: str, *, narrative: bool = False) -> str:
        """The authors and year of a source."""
        reference = self._references.get(key)
        work = read_entry_work(reference.text) if reference else None
        if not work:
            return reference.title if reference else key
        joint = " & " if any(" & " in mark.text for mark in self.all) else " and "
        several = len(work.names) > _BOTH or "et al" in work.authors
        authors = f"{work.names[0]} et al." if several else joint.join(work.names)
        return f"{authors} ({work.year})" if narrative else f"{authors}, {work.year}"


def move_mark(draft: str, mark: Mark, old: str, new: str, references: Sequence[Reference]) -> Edit:
    """The mark with one key in place of another."""
    keys = tuple(dict.fromkeys(new if key == old else key for key in mark.keys))
    return _edit(draft, mark.start, mark.end, _Marks(draft, references).written(mark, keys))


def drop_mark(
    draft: str, mark: Mark, gone: Set[str] = frozenset(), references: Sequence[Reference] = ()
) -> Edit:
    """The draft without a mark and the space before it, or without some keys of the mark.

    The words that a link stands around stay.
    """
    kept = tuple(key for key in mark.keys if gone and key not in gone)
    if kept:
        return _edit(draft, mark.start, mark.end, _Marks(draft, references).written(mark, kept))
    if mark.words:
        return _edit(draft, mark.start, mark.end, mark.words)
    start, end = mark.start, mark.end
    others = _Marks(draft, references).all
    before = next((m for m in others if _are_neighbours(draft, m, mark)), None)
    after = next((m for m in others if _are_neighbours(draft, mark, m)), None)
    if before or not after:
        start = before.end if before else _spaces_before(draft, start)
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
    marks = _Marks(draft, references)
    form = style or marks.form
    last = next((m for m in reversed(sentence.marks) if m.form == form and not m.words), None)
    stop = _stop(draft, sentence)
    if last and not draft[last.end : stop].strip(f"{_SPACE},;"):
        several = any(len(m.keys) > 1 for m in marks.beside(form))
        if several or last.text[0] in f"({RAISED}":
            both = tuple(dict.fromkeys((*last.keys, *keys)))
            return _edit(draft, last.start, last.end, marks.written(last, both))
        pairs = (p for p in pairwise(marks.all) if _are_neighbours(draft, *p))
        # Nothing stands between marks that nobody has put beside each other; a space, addresses.
        apart = (
            draft[_spaces_before(draft, last.start) : last.start] if URL.match(last.text) else ""
        )
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
    taken = {key.lstrip("^") for m in _Marks(draft, references).all for key in m.keys}
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
