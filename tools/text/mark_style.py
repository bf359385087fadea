"""How a draft writes its citation marks, told by those that it has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

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
from errata.tools.text.references import read_cited
from errata.tools.text.works import read_entry_work

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
SPACE = " \t\u00a0"
_SEPARATOR = re.compile(rf"[{SPACE}]*[,;]?[{SPACE}]*")


def spaces_before(draft: str, place: int) -> int:
    """Where the spaces before a place begin."""
    before = draft[max(0, place - _NEAR) : place]
    return place - len(before) + len(before.rstrip(SPACE))


def are_neighbours(draft: str, first: Mark, second: Mark) -> bool:
    """Whether nothing but a separator stands between two marks."""
    return first.end <= second.start and bool(_SEPARATOR.fullmatch(draft, first.end, second.start))


class Marks:
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
                return mark, self._draft[spaces_before(self._draft, mark.start) : mark.start]
        text, piece = _DEFAULT[form]
        made = Mark(start=0, end=len(text), text=text, form=form, pieces=(piece,))
        return made, "" if form == "footnote" else " "

    def stands_outside(self, form: Form) -> bool:
        """Whether most marks in a form stand after the full stop; footnotes do."""
        ends = [spaces_before(self._draft, mark.start) for mark in self.beside(form)]
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
