"""The guard of a text's markdown: edits after which it would no longer parse as before are dropped.

Marks, links, images, code, tables, headings, items, footnotes and HTML are counted before and
after; a deleted sentence may take its own along, but no code and no table's row.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from textwrap import shorten
from typing import NamedTuple

from errata.core.edits import Spans, apply_edits
from errata.core.limits import check_time
from errata.core.records import Edit
from errata.tools.text.inline import InlineMark
from errata.tools.text.markdown import READING, Block, read_blocks
from errata.tools.text.prose import read_passages
from errata.tools.text.references import read_cited

SPOILED = "a mark, a link, code or the like would be lost or broken"
_WHOLE = frozenset("fence code_block math_block amsmath front_matter definition html_block".split())
"""Blocks that stay as they are written."""
_FIXED = frozenset("fence code_block math_block amsmath table thead tbody tr td th".split())
"""Blocks that stay even where nothing in them does."""
_FREE = frozenset(("link", "footnote", "citation"))
"""What the repair of citations puts in and takes out."""
_INLINE = frozenset("link image code tag footnote emphasis".split())
_STRAY = re.compile(r"\*\*|`|\]\(|\[\^|\]\[|\[\s*\]|\(\s*\)|<!--|<(?=/?[a-z])", re.IGNORECASE)
"""Signs of markup that are left among the words, where it is broken."""
_EMPTY = re.compile(
    r"!?\[[^\]]*\]\(\s*(?:<\s*>)?\s*\)|!?\[\s*\](?=\()|<(\w+)\b[^<>]*>\s*</\1\s*>"
    r"|\](?=\[[^\[\]\n]+\]\()"
)
"""Links and tags that are empty, and words in brackets that touch a link."""
_WORD = re.compile(r"\w")


class _Part(NamedTuple):
    """A block or mark of a text."""

    kind: str
    own: str
    """What of it stays as it is written."""
    start: int
    end: int


class _Shape(NamedTuple):
    """What a text is made of."""

    blocks: Sequence[_Part]
    marks: Sequence[_Part]
    stray: Counter[str]
    keys: frozenset[str]
    """The sources that its marks name and that it lists."""


def keep_shape(
    draft: str, edits: Sequence[Edit], *, moves_marks: bool = False
) -> tuple[list[Edit], list[str]]:
    """The edits after which the text parses as before, with a note for each that is dropped.

    Those that repair citations may move marks and links, but break none. Raises OutOfTimeError.
    """
    kept, dropped = list[Edit](), list[Edit]()
    groups = [sorted(edits, key=lambda edit: (edit.start, edit.end))]
    while groups:
        check_time()
        group = groups.pop()
        if _parses_alike(draft, [*kept, *group], moves_marks=moves_marks):
            kept += group
        elif len(group) == 1:
            dropped += group
        else:
            groups += [group[len(group) // 2 :], group[: len(group) // 2]]
    notes = [
        f"the edit of “{shorten(e.before or e.after, 40, placeholder=' …')}” at {e.start} was "
        f"dropped: {SPOILED}"
        for e in dropped
    ]
    return kept, notes


def _parses_alike(draft: str, edits: Sequence[Edit], *, moves_marks: bool) -> bool:
    """Whether a text parses as before but for what edits delete whole."""
    response = apply_edits(draft, edits)
    if response == draft:
        return True
    before, after = _shape(draft), _shape(response)
    places = Spans(edits, lambda edit: (edit.start, max(edit.end, edit.start + 1)))
    blocks = [(b.kind, b.own) for b in before.blocks if not _is_gone(draft, b, places)]
    if [(b.kind, b.own) for b in after.blocks] != blocks:
        return False
    ours, found = _count(before.marks, moves_marks), _count(after.marks, moves_marks)
    gone = (m for m in before.marks if _may_go(m, places))
    lost, new = ours - found - _count(gone, moves_marks), found - ours
    return not (lost or new or after.stray - before.stray or after.keys - before.keys)


def _count(marks: Iterable[_Part], moves_marks: bool) -> Counter[tuple[str, str]]:
    return Counter((m.kind, m.own) for m in marks if not (moves_marks and m.kind in _FREE))


def _may_go(mark: _Part, edits: Spans[Edit]) -> bool:
    """Whether an edit that only deletes takes a mark along, or it is one of no consequence."""
    return mark.kind == "emphasis" or any(
        edit.start <= mark.start and mark.end <= edit.end and not edit.after.strip()
        for edit in edits.touching(mark.start, mark.end)
    )


def _is_gone(draft: str, block: _Part, edits: Spans[Edit]) -> bool:
    """Whether nothing is left of a block that edits may take out."""
    if block.kind in _FIXED:
        return False
    left, place = "", block.start
    for edit in sorted(edits.touching(block.start, block.end), key=lambda edit: edit.start):
        left += draft[place : max(edit.start, place)] + edit.after
        place = max(place, edit.end)
    left += draft[place : block.end]
    has_words = _WORD.search(draft, block.start, block.end)
    return place > block.start and not _WORD.search(left) and bool(has_words or not left.strip())


@lru_cache(maxsize=READING)
def _shape(text: str) -> _Shape:
    root, _ = read_blocks(text)
    blocks = [part for block in root.children for part in _parts(text, block)]
    passages = read_passages(text)
    marks = [_inline(text, m) for p in passages for m in p.marks if m.kind in _INLINE]
    sentences, references = read_cited(text)
    cited = [mark for sentence in sentences for mark in sentence.marks]
    numbers = (mark for mark in cited if mark.form == "number")
    marks += [_Part("citation", m.text, m.start, m.end) for m in numbers]
    stray = Counter(m[0] for p in passages for m in _STRAY.finditer(p.text))
    stray["empty"] = len(_EMPTY.findall(text))
    keys = {key for m in cited if m.form in ("number", "footnote") for key in m.keys}
    return _Shape(blocks, marks, stray, frozenset(keys | {r.key for r in references}))


def _parts(text: str, block: Block) -> Iterator[_Part]:
    """A block and those in it, but for paragraphs, which may be joined or parted."""
    for each in block.walk():
        is_head = each.kind == "heading" or (each.kind == "paragraph" and each.info)
        kind = "heading" if is_head else each.kind
        own = text[each.start : each.end] if kind in _WHOLE else each.info
        if kind != "paragraph":
            yield _Part(kind, own, each.start, each.end)


def _inline(text: str, mark: InlineMark) -> _Part:
    """A mark; of a link and of emphasis the words may change."""
    start = {"link": mark.inner[1], "emphasis": mark.end}.get(mark.kind, mark.start)
    return _Part(mark.kind, text[start : mark.end], mark.start, mark.end)
