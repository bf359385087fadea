"""Edits of a draft's markdown that take out what goes and leave whole what stays."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from errata.records import Edit
from errata.spans import Span
from errata.tools.local.layout import Layout
from errata.tools.text.markdown import Block, outside

_BREAK = re.compile(r"\n|<br\b", re.IGNORECASE)
_SPACE = re.compile(r"(?:\n[ \t>]*|[ \t\r]+|<br\s*/?>)*", re.IGNORECASE)
"""White space, with quotation marks at the beginning of lines, and line breaks of HTML."""
_SPACE_BACKWARDS = re.compile(r"(?:\s+|[ \t>]+(?=\r?\n)|>/?\s*rb<)*", re.IGNORECASE)
_BLANK = 2
"""How many line breaks a gap has that holds a blank line."""
_APART = frozenset(("heading", "fence", "hr", "tr", "list_item", "td"))
"""Blocks that end with their line, whatever the next one is."""


def cut(draft: str, layout: Layout) -> list[Edit]:
    """The edits, in order, that take out what goes; lists are numbered anew."""
    edits = [*_cut_block(draft, layout, layout.root), *_cut_references(draft, layout)]
    joined: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if joined and edit.start <= joined[-1].end:
            last = joined.pop()
            end = max(last.end, edit.end)
            edit = _edit(draft, last.start, end, last.after + edit.after)  # noqa: PLW2901  it grows
        joined.append(edit)
    return [edit for edit in joined if edit.before != edit.after]


def _edit(draft: str, start: int, end: int, after: str = "") -> Edit:
    return Edit(start=start, end=end, before=draft[start:end], after=after)


def _cut_block(draft: str, layout: Layout, block: Block) -> Iterator[Edit]:
    """What goes of a block that stays."""
    if not block.children:
        yield from _cut_sentences(draft, layout, block)
        return
    children = block.children
    if block.kind == "tr":
        yield from (_edit(draft, c.start, c.end) for c in children if layout.is_lost(c))
    else:
        for first, last in _runs([layout.is_lost(child) for child in children]):
            yield _cut_run(draft, children, first, last)
    for child in children:
        if not layout.is_lost(child):
            yield from _cut_block(draft, layout, child)
    if block.kind == "ordered_list":
        yield from _number(draft, layout, children)


def _runs(flags: Sequence[bool]) -> Iterator[Span]:
    """The first and last place of each run of true flags."""
    for flag, run in groupby(enumerate(flags), lambda pair: pair[1]):
        places = [place for place, _ in run]
        if flag:
            yield places[0], places[-1]


def _cut_run(draft: str, blocks: Sequence[Block], first: int, last: int) -> Edit:
    """Blocks with the gap before or after them, whichever is the smaller one."""
    start, end = blocks[first].start, blocks[last].end
    if last + 1 == len(blocks):
        return _edit(draft, blocks[first - 1].end if first else start, end)
    following = blocks[last + 1].start
    if not first:
        return _edit(draft, start, following)
    above = blocks[first - 1]
    before, after = draft[above.end : start], draft[end:following]
    if before.count("\n") < after.count("\n"):
        return _edit(draft, above.end, end)
    apart = before.count("\n") >= _BLANK or above.kind in _APART
    return _edit(draft, start, following, "" if apart else before)


def _cut_sentences(draft: str, layout: Layout, block: Block) -> Iterator[Edit]:
    """Sentences with the space before or after them; images among them stay."""
    sentences = [layout.sentences[number] for number in layout.numbers(block)]
    gone = [number in layout.gone for number in layout.numbers(block)]
    for first, last in _runs(gone):
        places = sentences[first].passage.block.places
        low = sentences[first - 1].end if first else places[0]
        span = sentences[first].start, sentences[last].end
        wide = _with_space(draft, (low, places[-1] + 1), span, opens=not first)
        holes = [(mark.start, mark.end) for mark in layout.protected.touching(*wide)]
        yield from (_edit(draft, start, end) for start, end in outside(wide, holes))


def _with_space(draft: str, room: Span, span: Span, *, opens: bool) -> Span:
    """A stretch with the space after it, in a room; before it, if it ends a line or the block.

    `opens` says that no sentence stands before it.
    """
    (low, high), (start, end) = room, span
    left = start - _SPACE_BACKWARDS.match(draft[low:start][::-1]).end()  # type: ignore[union-attr]
    right = end + len(_SPACE.match(draft, end, high).group())  # type: ignore[union-attr]
    ends_line = _BREAK.search(draft, end, right) and not _BREAK.search(draft, left, start)
    if (not opens or left > low) and (right in (end, high) or ends_line):
        return left, end
    return start, right


def _number(draft: str, layout: Layout, items: Sequence[Block]) -> Iterator[Edit]:
    """New numbers for the items that stay, wherever they were numbered in order."""
    number, above = 0, None
    for item in items:
        own = int(item.info)
        number = number if above is not None and own == above + 1 else own
        above = own
        if not layout.is_lost(item):
            if own != number:
                yield _edit(draft, item.start, item.start + len(item.info), str(number))
            number += 1


def _cut_references(draft: str, layout: Layout) -> Iterator[Edit]:
    """Marks of footnotes that go, on sentences that stay."""
    for block in layout.root.walk():
        if block.kind == "footnote_reference" and layout.is_lost(block):
            for mark, number in layout.references.get(block.info, []):
                if number not in layout.gone:
                    yield _edit(draft, mark.start, mark.end)
