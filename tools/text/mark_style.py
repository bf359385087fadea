"""How a draft writes its citation marks, told by those that it has."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from urllib.parse import urlsplit

from errata.tools.text.mark_places import plain_words
from errata.tools.text.marks import (
    SUPERSCRIPTS,
    Form,
    Known,
    Mark,
    Reference,
    read_numbers,
)
from errata.tools.text.references import read_cited
from errata.tools.text.works import URL, read_entry_work

DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED = str.maketrans("0123456789", DIGITS)
_LINK = r"\[[^\[\]]*\]\([^()\s]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\]\[[^\[\]]*\]"
_ANCHOR = r"<(?P<e>\w+)\b[^<>]*\bhref\b[^<>]*>.*?</(?P=e)\s*>"
_PIECES: Mapping[Form, re.Pattern[str]] = {
    "number": re.compile(r"\d+|[⁰¹²³⁴-⁹]+"),
    "footnote": re.compile(r"\[\^[^\]]+\]"),
    "link": re.compile(rf"{_LINK}|{URL.pattern}"),
    "html": re.compile(rf"{_ANCHOR}|(?<=>)[^<>]*\w[^<>]*(?=<)", re.DOTALL | re.IGNORECASE),
    "author_year": re.compile(r"[^();\[\]<>]*\w[^();\[\]<>]*"),
}
"""What of a mark's text names one source, by the mark's form."""
DEFAULT: Mapping[Form, tuple[str, str]] = {
    "number": (" [", "]"),
    "footnote": ("", ""),
    "link": (" (", ")"),
    "author_year": (" (", ")"),
    "html": (" (", ")"),
}
"""What stands around the name of a source where a draft has no mark in the form."""
_BOTH = 2
"""The most authors that are all named, and the most numbers in a row that are."""
_NEAR = 40
"""How many characters before a mark are looked at."""
_HREF = re.compile(r"(\bhref\s*=\s*[\"']?)[^\s\"'<>]+", re.IGNORECASE)
_BY_LABEL = re.compile(r"\]\[[^\[\]]+\]\Z")
SEPARATOR = re.compile(r"[ \t\u00a0]*[,;]?[ \t\u00a0]*")


def spaces_before(draft: str, place: int) -> int:
    """Where the spaces before a place begin."""
    before = draft[max(0, place - _NEAR) : place]
    return place - len(before) + len(before.rstrip(" \t\u00a0"))


def are_neighbours(draft: str, first: Mark, second: Mark) -> bool:
    """Whether nothing but a separator stands between two marks."""
    return first.end <= second.start and bool(SEPARATOR.fullmatch(draft, first.end, second.start))


class Marks:
    """The marks of a draft, as examples of how it writes them."""

    def __init__(self, draft: str, references: Sequence[Reference]) -> None:
        """Read the marks of a draft, which name these references or those that it lists."""
        sentences, listed = read_cited(draft)
        self.all = sorted((m for s in sentences for m in s.marks), key=lambda mark: mark.start)
        self._draft = draft
        self._ends = {(m.start, m.end): s.end for s in sentences for m in s.marks}
        self._known = Known(references or listed)
        linked = (r for r in listed if r.key not in self._known.keys)
        self._references = {**{r.key: r for r in linked}, **self._known.keys}

    @property
    def form(self) -> Form:
        """The form of most marks."""
        counts = Counter(mark.form for mark in self.all)
        return counts.most_common(1)[0][0] if counts else "number"

    def sample(self, form: Form) -> Mark | None:
        """A mark in a form that names one source and stands beside the words."""
        return next(
            (m for m in self.all if m.form == form and len(m.keys) == 1 and not m.words), None
        )

    def stands_outside(self, form: Form) -> bool:
        """Whether most marks in a form stand after the full stop."""
        marks = [mark for mark in self.all if mark.form == form and not mark.words]
        before = [
            self._draft[(a := spaces_before(self._draft, m.start)) - 1 : a] in tuple(".!?…")
            for m in marks
        ]
        return sum(before) * 2 > len(before)

    def written(self, mark: Mark, keys: Sequence[str]) -> str:
        """The text of a mark with other keys; what stays is as it was."""
        text, pieces = mark.text, list(_PIECES[mark.form].finditer(mark.text))
        if mark.form == "author_year" and mark.words:
            return "; ".join(self._cite(key, narrative=True) for key in keys)
        if not pieces:
            return text.replace(mark.keys[0], keys[0])
        opening, closing = text[: pieces[0].start()], text[pieces[-1].end() :]
        inner = text[pieces[0].start() : pieces[-1].end()]
        gaps = [text[a.end() : b.start()] for a, b in pairwise(pieces)]
        if mark.form == "number" and any(re.fullmatch(r"\s*[⁻–-]\s*", gap) for gap in gaps):
            return opening + _numbers(keys, inner, self._known) + closing
        own = dict(zip(mark.keys, (p[0] for p in pieces), strict=False))
        own = own if len(pieces) == len(mark.keys) else {}
        names = [own.get(key) or self.name(key, mark.form, pieces[0][0], mark) for key in keys]
        gap = gaps[0] if gaps else self.gap(mark.form, pieces[0][0])
        if mark.form == "number" and all(key.isdigit() for key in keys) and len(keys) > 1:
            names = sorted(names, key=lambda n: int(n.translate(SUPERSCRIPTS)))
        return opening + gap.join(names) + closing

    def gap(self, form: Form, piece: str) -> str:
        """What stands between two sources in a mark of a form."""
        if piece[0] in DIGITS:
            return ","
        for mark in (mark for mark in self.all if mark.form == form):
            pieces = list(_PIECES[form].finditer(mark.text))
            if len(pieces) == len(mark.keys) > 1:
                return mark.text[pieces[0].end() : pieces[1].start()]
        return {"author_year": "; ", "footnote": ""}.get(form, ", ")

    def name(self, key: str, form: Form, sample: str, mark: Mark | None = None) -> str:
        """How a mark in a form names a source, as another mark does or as a sample shows."""
        if form == "footnote":
            return f"[{key}]" if key.startswith("^") else f"[^{key}]"
        if form == "number" or re.fullmatch(r"\s*\d+\s*", sample):
            label = self._known.label(key)
            return label.translate(_RAISED) if sample[:1] in DIGITS and sample else label
        words = mark.words if mark else ""
        if not words and (copied := self._copied(key, form)):
            return copied
        if form == "author_year" or (form == "html" and sample and "<" not in sample):
            return self._cite(key)
        return self._link(key, form, sample, words)

    def _copied(self, key: str, form: Form) -> str:
        """What names a source in another mark of the form."""
        for mark in self.all:
            pieces = [piece[0] for piece in _PIECES[form].finditer(mark.text)]
            is_like = mark.form == form and not mark.words and len(pieces) == len(mark.keys)
            if is_like and key in mark.keys:
                return pieces[mark.keys.index(key)]
        return ""

    def _link(self, key: str, form: Form, sample: str, words: str) -> str:
        """A link to a source, with the words that it stands around or a label of its own."""
        reference = self._references.get(key)
        url = reference.url if reference else key
        if URL.fullmatch(sample):
            return url
        shown, title = plain_words(sample), reference.title if reference else ""
        host = urlsplit(url).netloc.removeprefix("www.")
        label = words or (host if "." in shown and " " not in shown else title or host or key)
        if form != "html" and (_BY_LABEL.search(sample) or not url):
            is_note = key.startswith("^")
            return f"[{label}][{key}]" if words and not is_note else f"{words}[{key}]"
        if form != "html":
            return f"[{label}]({url})"
        if not sample:
            return f'<a href="{escape(url)}">{escape(label)}</a>'
        if number := re.fullmatch(r"\W*(\d+)\W*", shown):
            own = label if label.isdigit() else self._known.label(key)
            own = own if own.isdigit() else self._next_number()
            label = shown.replace(number[1], own)
        linked = _HREF.sub(lambda m: m[1] + escape(url), sample, count=1)
        return linked if words else linked.replace(f">{shown}<", f">{escape(label)}<", 1)

    def _next_number(self) -> str:
        """A number that names no source."""
        names = (
            plain_words(piece[0]) for m in self.all for piece in _PIECES[m.form].finditer(m.text)
        )
        return str(max((int(name) for name in names if name.isdigit()), default=0) + 1)

    def _cite(self, key: str, *, narrative: bool = False) -> str:
        """The authors and year of a source."""
        reference = self._references.get(key)
        work = read_entry_work(reference.text) if reference else None
        if not work:
            return reference.title if reference else key
        joint = " & " if any(" & " in mark.text for mark in self.all) else " and "
        names = work.names
        authors = (
            f"{names[0]} et al."
            if len(names) > _BOTH or "et al" in work.authors
            else (joint.join(names))
        )
        return f"{authors} ({work.year})" if narrative else f"{authors}, {work.year}"


def _numbers(keys: Iterable[str], sample: str, known: Known) -> str:
    """Numbers as a list with ranges, written as a sample is."""
    raised = sample[0] in DIGITS
    dash = next(iter(re.findall(r"[⁻–-]", sample)), "-")
    comma = next(iter(re.findall(r"\s*[,;]\s*", sample)), "," if raised else ", ")
    runs = list[list[int]]()
    for number in sorted(int(n) for key in keys for n in read_numbers(known.label(key))):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [
        f"{run[0]}{dash}{run[-1]}" if len(run) > _BOTH else comma.join(map(str, run))
        for run in runs
    ]
    text = comma.join(parts)
    return text.translate(_RAISED) if raised else text
