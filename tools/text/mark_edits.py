"""Edits of citation marks and of lists of references, written as a draft writes those it has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from errata.core.records import Edit
from errata.tools.text.citations import BETWEEN, NEAR
from errata.tools.text.marks import LOWERED, NUMBER, RAISED, Form, Known, Mark, MarkPart, Reference
from errata.tools.text.reference_lists import LABEL
from errata.tools.text.references import CitedSentence, read_cited
from errata.tools.text.works import read_entry_work

_RAISE = str.maketrans("0123456789", RAISED)
_DEFAULT: Mapping[Form, tuple[str, MarkPart]] = {
    "number": ("[1]", MarkPart(1, 2, ("1",))),
    "footnote": ("[^1]", MarkPart(0, 4, ("^1",))),
    "link": ("([1](1))", MarkPart(1, 7, ("1",), "1")),
    "author_year": ("(1)", MarkPart(1, 2, ("1",))),
}  # a mark in each form, for drafts that have none
_GAPS: Mapping[Form, str] = {"author_year": "; ", "footnote": ""}
"""What stands between the sources of a mark that has none."""
_SPACE = " \t\u00a0"
_END = re.compile(r"[.!?…:]+\Z")


class MarkWriter:
    """Writes the marks of a draft in the form of those that it has."""

    def __init__(self, draft: str, links: Sequence[Reference] = ()) -> None:
        """Read a draft; `links` are sources that it does not list."""
        sentences, listed = read_cited(draft)
        self._draft, self._known = draft, Known([*listed, *links])
        self._marks = sorted((m for s in sentences for m in s.marks), key=lambda mark: mark.start)

    def change(self, marks: Sequence[Mark], keys: Mapping[Mark, Sequence[str]]) -> list[Edit]:
        """Some marks of a sentence with other keys, one edit for those beside each other.

        A mark without keys goes, but for the words that it stands around; what stays is as it was.
        A year after the names of authors is left to the writer of the sentence.
        """
        keys = {m: own for m, own in keys.items() if m.form != "author_year" or not m.words}
        groups = list[list[Mark]]()
        for mark in marks:
            # Nothing but a separator stands between two marks beside each other.
            if not (groups and BETWEEN.fullmatch(self._draft, groups[-1][-1].end, mark.start)):
                groups.append([])
            groups[-1].append(mark)
        return [self._change(group, keys) for group in groups if not keys.keys().isdisjoint(group)]

    def _change(self, group: Sequence[Mark], keys: Mapping[Mark, Sequence[str]]) -> Edit:
        written, start, end = "", group[0].start, group[0].start
        for mark in group:
            own = keys.get(mark)
            text = mark.text if own is None else self._written(mark, own) if own else mark.words
            written += (self._draft[end : mark.start] if written and text else "") + text
            end = mark.end
        if not written:
            start -= len(self._spaces_before(start))
            if start == 0 or self._draft[start - 1] == "\n":
                end += len(self._draft[end:]) - len(self._draft[end:].lstrip(" \t"))
        return self._edit(start, end, written)

    def insert(
        self, sentence: CitedSentence, keys: Sequence[str], style: Form | None = None
    ) -> Edit:
        """A mark of some sources on a sentence, in a form or as most marks of the draft are.

        It stands before or after the full stop as the first such mark does; sources are put into a
        mark that is there.
        """
        counts = Counter(mark.form for mark in self._marks)
        form: Form = style or (counts.most_common(1)[0][0] if counts else "number")
        last = next((m for m in reversed(sentence.marks) if m.form == form and not m.words), None)
        end = _END.search(self._draft, sentence.start, sentence.end)
        stop = end.start() if end else sentence.end
        if last and not self._draft[last.end : stop].strip(f"{_SPACE},;"):
            return self._change([last], {last: tuple(dict.fromkeys((*last.keys, *keys)))})
        sample, gap, is_outside = self._sample(form)
        place = sentence.end if is_outside else stop
        added = gap + self._written(sample, keys)
        # A raised number beside a power would be one number with it.
        apart = " " if place and added[0] in RAISED and self._draft[place - 1] in RAISED else ""
        return self._edit(place, place, apart + added)

    def add_entries(self, entries: Sequence[str], form: Form) -> tuple[Edit, Sequence[str]]:
        """Entries below the others of the draft's list, as they are written, and their keys.

        Footnotes for marks of that form. Without a list there is a new one.
        """
        draft, sign = self._draft, "^" if form == "footnote" else ""
        listed = self._known.listed(form)
        taken = {key.lstrip("^") for key in self._known.keys}
        taken |= {key.lstrip("^") for mark in self._marks for key in mark.keys}
        numbers = (str(n) for n in count(len(listed) + 1) if str(n) not in taken)
        keys = [sign + number for number, _ in zip(numbers, entries, strict=False)]
        end = "\r\n" if "\r\n" in draft else "\n"
        if not listed:
            return self._edit(len(draft), len(draft), self._new_list(keys, entries, end)), keys
        last = listed[-1]
        label = LABEL.match(draft, last.start, last.end)
        own = label[0] if label else ""
        added = [own.replace(last.key, key) + e for key, e in zip(keys, entries, strict=True)]
        gap = draft[listed[-2].end : last.start] if len(listed) > 1 else ""
        gap = gap if gap and not gap.strip() else end
        return self._edit(last.end, last.end, "".join(gap + entry for entry in added)), keys

    def _new_list(self, keys: Sequence[str], entries: Sequence[str], end: str) -> str:
        is_note = any(key.startswith("^") for key in keys)
        labels = (f"[{key}]: " if is_note else f"{key}. " for key in keys)
        lines = [label + entry for label, entry in zip(labels, entries, strict=True)]
        head = [] if is_note else ["## References", ""]
        is_ended = self._draft.endswith("\n")
        return end.join(["", *[""] * (not is_ended), *head, *lines, *[""] * is_ended])

    def _edit(self, start: int, end: int, after: str) -> Edit:
        return Edit(start=start, end=end, before=self._draft[start:end], after=after)

    def _spaces_before(self, place: int) -> str:
        before = self._draft[max(0, place - NEAR) : place]
        return before[len(before.rstrip(_SPACE)) :]

    def _sample(self, form: Form) -> tuple[Mark, str, bool]:
        """A mark of one source in a form, the space before it, if it is after the full stop."""
        for mark in self._marks:
            if mark.form == form and not mark.words and len(mark.keys) == 1:
                gap = self._spaces_before(mark.start)
                place = mark.start - len(gap)
                return mark, gap, self._draft[place - 1 : place] in tuple(".!?…")
        text, piece = _DEFAULT[form]
        made = Mark(start=0, end=len(text), text=text, form=form, pieces=(piece,))
        return made, "" if form == "footnote" else " ", form == "footnote"

    def _written(self, mark: Mark, keys: Sequence[str]) -> str:
        """The text of a mark with other keys; what stays is as it was."""
        text, pieces, names, left = mark.text, mark.pieces, [], tuple(keys)
        while left:
            own = next((p for p in pieces if p.keys == left[: len(p.keys)]), None)
            names.append(text[own.start : own.end] if own else self._name(left[0], mark))
            left = left[len(own.keys) if own else 1 :]
        if mark.form == "number" and all(key.isdigit() for key in keys):
            names.sort(key=lambda name: int(re.split("[⁻–-]", name)[0].translate(LOWERED)))
        gap = "," if text[pieces[0].start] in RAISED else _GAPS.get(mark.form, ", ")
        gap = text[pieces[0].end : pieces[1].start] if len(pieces) > 1 else gap
        return text[: pieces[0].start] + gap.join(names) + text[pieces[-1].end :]

    def _name(self, key: str, like: Mark) -> str:
        """How a mark names a source, as its own first one shows."""
        first = like.pieces[0]
        if like.form == "footnote":
            return f"[^{key.removeprefix('^')}]"
        if like.form == "number":
            label = self._known.label(key)
            return label.translate(_RAISE) if like.text[first.start] in RAISED else label
        reference = self._known.keys.get(key)
        title, url = (reference.title, reference.url or key) if reference else (key, key)
        if like.form == "author_year":
            return self._called(key) or (_cite(reference) if reference else key)
        if not first.label:
            return url
        label = self._known.label(key) if NUMBER.fullmatch(first.label) else ""
        return f"[{like.words or (label if label.isdigit() else title) or key}]({url})"

    def _called(self, key: str) -> str:
        """What marks of the draft call a source by author and year; empty where none names it."""
        marks = (m for m in self._marks if m.form == "author_year" and not m.words)
        names = [m.text[p.start : p.end] for m in marks for p in m.pieces if p.keys == (key,)]
        return min(names, key=len, default="")


def _cite(reference: Reference) -> str:
    """The authors and year of a source; its title where its entry has none."""
    work = read_entry_work(reference.text)
    if not work:
        return reference.title
    several = work.names[2:] or "et al" in work.authors
    authors = f"{work.names[0]} et al." if several else " and ".join(work.names)
    return f"{authors}, {work.year}"
