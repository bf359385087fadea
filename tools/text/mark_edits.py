"""Edits of citation marks and of lists of references, which keep the draft's form."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import count, pairwise
from urllib.parse import urlsplit

from errata.core.records import Edit
from errata.tools.text.marks import (
    SUPERSCRIPTS,
    URL,
    Form,
    Known,
    Mark,
    Reference,
    plain_url,
    read_entry_work,
    read_numbers,
)
from errata.tools.text.reference_lists import LABEL
from errata.tools.text.references import CitedSentence, plain_words, read_cited

_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED = str.maketrans("0123456789", _DIGITS)
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
_DEFAULT: Mapping[Form, tuple[str, str]] = {
    "number": (" [", "]"),
    "footnote": ("", ""),
    "link": (" (", ")"),
    "author_year": (" (", ")"),
    "html": (" (", ")"),
}
"""What stands around the name of a source where a draft has no mark in the form."""
_END = re.compile(r"[.!?…:]+\Z")
_BOTH = 2
"""The most authors that are all named, and the most numbers in a row that are."""
_NEAR = 40
"""How many characters before a mark are looked at."""
_HREF = re.compile(r"(\bhref\s*=\s*[\"']?)[^\s\"'<>]+", re.IGNORECASE)
_ELEMENT = re.compile(r"(<\w+)\b[^<>]*>.*(</\w+\s*>)", re.DOTALL)
_SEPARATOR = re.compile(r"[ \t\u00a0]*[,;]?[ \t\u00a0]*")


def move_mark(draft: str, mark: Mark, old: str, new: str, references: Sequence[Reference]) -> Edit:
    """The mark with one key in place of another."""
    keys = tuple(dict.fromkeys(new if key == old else key for key in mark.keys))
    return _edit(draft, mark.start, mark.end, _Marks(draft, references).written(mark, keys))


def drop_mark(draft: str, mark: Mark, key: str = "", references: Sequence[Reference] = ()) -> Edit:
    """The draft without a mark and the space before it, or without one key of the mark.

    The words that a link stands around stay.
    """
    kept = tuple(other for other in mark.keys if key and other != key)
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
    if last and _separated(draft, last.end) >= _stop(draft, sentence):
        several = any(len(m.keys) > 1 and not m.words for m in marks.all if m.form == form)
        if several or last.text[0] in f"({_DIGITS}":
            both = tuple(dict.fromkeys((*last.keys, *keys)))
            return _edit(draft, last.start, last.end, marks.written(last, both))
        pairs = (p for p in pairwise(marks.all) if _are_neighbours(draft, *p))
        gap = next((draft[a.end : b.start] for a, b in pairs), _gap(draft, last))
        added = "".join(gap + marks.written(last, (key,)) for key in keys)
        return _edit(draft, last.end, last.end, added)
    sample = marks.sample(form)
    if not sample:
        opening, closing = _DEFAULT[form]
        place = sentence.end if form == "footnote" else _stop(draft, sentence)
        names = [marks.name(key, form, "") for key in keys]
        return _edit(draft, place, place, opening + marks.gap(form, "[").join(names) + closing)
    gap = draft[_spaces_before(draft, sample.start) : sample.start]
    outside = marks.stands_outside(form)
    place = sentence.end if outside else _stop(draft, sentence)
    return _edit(draft, place, place, gap + marks.written(sample, keys))


def add_references(
    draft: str, entries: Sequence[str], references: Sequence[Reference], form: Form
) -> tuple[Edit, list[str]]:
    """Entries below the others of the draft's list, as they are written, and their keys.

    Footnotes for marks of that form. Without a list there is a new one.
    """
    is_note = form == "footnote"
    listed = [r for r in references if r.end and r.key.startswith("^") == is_note]
    taken = {key.lstrip("^") for m in _Marks(draft, references).all for key in m.keys}
    taken |= {reference.key.lstrip("^") for reference in references}
    numbers = (str(n) for n in count(len(listed) + 1) if str(n) not in taken)
    keys = ["^" * is_note + number for number, _ in zip(numbers, entries, strict=False)]
    if not listed:
        labels = [f"[{key}]: " if is_note else f"{key}. " for key in keys]
        lines = [label + entry for label, entry in zip(labels, entries, strict=True)]
        head = () if is_note else ("## References", "")
        return _edit(draft, len(draft), len(draft), below(draft, [*head, *lines])), keys
    last = listed[-1]
    written = draft[last.start : last.end]
    html, label = _ELEMENT.fullmatch(written), LABEL.match(written)
    if html:
        added = [f"{html[1]}>{escape(entry)}{html[2]}" for entry in entries]
    else:
        own = label[0] if label else ""
        added = [own.replace(last.key, key) + e for key, e in zip(keys, entries, strict=True)]
    gap = draft[listed[-2].end : last.start] if len(listed) > 1 else ""
    gap = gap if gap and not gap.strip() else _line_end(draft)
    return _edit(draft, last.end, last.end, "".join(gap + entry for entry in added)), keys


def below(draft: str, lines: Sequence[str]) -> str:
    """Lines as they follow a draft, after a blank line, with its line ends."""
    line_end = _line_end(draft)
    last = line_end if draft.endswith("\n") else ""
    return line_end * (1 if last else 2) + line_end.join(lines) + last


def _line_end(draft: str) -> str:
    return "\r\n" if "\r\n" in draft else "\n"


def merge_duplicates(
    draft: str, marks: Sequence[Mark], references: Sequence[Reference]
) -> list[Edit]:
    """Each reference once, the first; the marks of the others name that one.

    Footnotes of one page that say something else, such as the place there, are no duplicates.
    Where numbers come from the place in a list, as in `1.` or `<ol>`, later ones move up.
    """
    first, same = dict[tuple[bool, str], str](), dict[str, str]()
    for reference in references:
        is_note, words = reference.key.startswith("^"), " ".join(reference.text.lower().split())
        page = words if is_note else plain_url(reference.url) or words
        key = first.setdefault((is_note, page), reference.key)
        if reference.end and key != reference.key:
            same[reference.key] = key
    gone = [r for r in references if r.key in same]
    edits = [_without_entry(draft, reference) for reference in gone]
    renamed = _renumbered(draft, references, same)
    for reference in references:
        if reference.key in renamed and draft[reference.start : reference.end][:1].isdigit():
            end = reference.start + len(reference.key)
            edits.append(_edit(draft, reference.start, end, renamed[reference.key]))
    return [*edits, *_moved(draft, marks, references, same, renamed)] if gone else []


def _moved(
    draft: str,
    marks: Sequence[Mark],
    references: Sequence[Reference],
    same: Mapping[str, str],
    renamed: Mapping[str, str],
) -> Iterator[Edit]:
    """The marks under the keys of the references that stay; none twice side by side."""
    known, last = _Marks(draft, references), None
    for mark in marks:
        stay = [same.get(key, key) for key in mark.keys]
        keys = tuple(dict.fromkeys(renamed.get(key, key) for key in stay))
        changed = keys != mark.keys or bool(last and last[1] != last[0].keys)
        if last and changed and _are_neighbours(draft, last[0], mark) and {*keys} <= {*last[1]}:
            yield _edit(draft, last[0].end, mark.end, "")
        elif keys != mark.keys:
            yield _edit(draft, mark.start, mark.end, known.written(mark, keys, renamed))
        last = mark, keys


def _without_entry(draft: str, reference: Reference) -> Edit:
    """The draft without an entry of its list, and the line or blank line that it leaves."""
    start, end = draft.rfind("\n", 0, reference.start) + 1, reference.end
    if draft[start : reference.start].strip():
        start = reference.start
    tail = re.compile(r"[ \t]*(?:\r?\n|\Z)").match(draft, end)
    end = tail.end() if tail and start < reference.start + 1 else end
    blank = re.compile(r"[ \t]*\r?\n").match(draft, end)
    above = re.search(r"\n[ \t]*\r?\n\Z", draft[:start])
    end = blank.end() if blank and above else end
    return _edit(draft, start, end, "")


def _renumbered(
    draft: str, references: Sequence[Reference], same: Mapping[str, str]
) -> dict[str, str]:
    """The new numbers of entries whose number is their place in the list."""
    placed = [
        r for r in references if r.key.isdigit() and _is_placed(draft[r.start : r.end]) and r.end
    ]
    kept = [reference for reference in placed if reference.key not in same]
    numbers = {r.key: str(n) for n, r in enumerate(kept, int(placed[0].key) if placed else 1)}
    return {key: number for key, number in numbers.items() if key != number}


def _is_placed(entry: str) -> bool:
    return bool(re.match(r"\d+[.)]\s|<li\b", entry))


def _edit(draft: str, start: int, end: int, after: str) -> Edit:
    return Edit(start=start, end=end, before=draft[start:end], after=after)


def _stop(draft: str, sentence: CitedSentence) -> int:
    """Where the full stop of a sentence stands, or where it ends without one."""
    end = _END.search(draft, sentence.start, sentence.end)
    return end.start() if end else sentence.end


def _gap(draft: str, mark: Mark) -> str:
    """What stands between a mark and another one beside it: nothing, after an address a space."""
    return draft[_spaces_before(draft, mark.start) : mark.start] if URL.match(mark.text) else ""


def _separated(draft: str, place: int) -> int:
    """Where what separates a mark from the next one ends."""
    gap = _SEPARATOR.match(draft, place)
    return gap.end() if gap else place


def _spaces_before(draft: str, place: int) -> int:
    before = draft[max(0, place - _NEAR) : place]
    return place - len(before) + len(before.rstrip(" \t\u00a0"))


def _are_neighbours(draft: str, first: Mark, second: Mark) -> bool:
    """Whether nothing but a separator stands between two marks."""
    return first.end <= second.start and bool(_SEPARATOR.fullmatch(draft, first.end, second.start))


class _Marks:
    """The marks of a draft, as examples of how it writes them."""

    def __init__(self, draft: str, references: Sequence[Reference]) -> None:
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
            self._draft[(a := _spaces_before(self._draft, m.start)) - 1 : a] in tuple(".!?…")
            for m in marks
        ]
        return sum(before) * 2 > len(before)

    def written(
        self, mark: Mark, keys: Sequence[str], renamed: Mapping[str, str] | None = None
    ) -> str:
        """The text of a mark with other keys; what stays, `renamed` or not, is as it was."""
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
        for old, new in (renamed or {}).items():
            if "<" in own.get(old, ""):
                own[new] = re.sub(r"\d+(?=\W*<)", new, own[old])
        names = [own.get(key) or self.name(key, mark.form, pieces[0][0], mark) for key in keys]
        gap = gaps[0] if gaps else self.gap(mark.form, pieces[0][0])
        if mark.form == "number" and all(key.isdigit() for key in keys) and len(keys) > 1:
            names = sorted(names, key=lambda n: int(n.translate(SUPERSCRIPTS)))
        return opening + gap.join(names) + closing

    def gap(self, form: Form, piece: str) -> str:
        """What stands between two sources in a mark of a form."""
        if piece[0] in _DIGITS:
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
            return label.translate(_RAISED) if sample[:1] in _DIGITS and sample else label
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
        if form != "html":
            return f"[{label}]({url})"
        if not sample:
            return f'<a href="{escape(url)}">{escape(label)}</a>'
        if number := re.fullmatch(r"\W*(\d+)\W*", shown):
            own = label if label.isdigit() else self._known.label(key)
            own = own if own.isdigit() else self._next_number()
            label = shown.replace(number[1], own)
            jump = re.search(rf"(?<=#)[^\s\"'<>]*?(?={number[1]}\b)", sample)
            url = f"#{jump[0]}{own}" if jump else url
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
    raised = sample[0] in _DIGITS
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
