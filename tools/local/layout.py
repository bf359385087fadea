"""A draft's markdown without some of its sentences: what else goes, what must stay, the cuts."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import groupby, pairwise

from errata.core.edits import Span, Spans, apply_edits
from errata.core.records import Edit
from errata.tools.local.extract import Sentence
from errata.tools.text.inline import PROTECTED, Mark
from errata.tools.text.markdown import Block, read_blocks
from errata.tools.text.prose import read_passages

INTRODUCES, HEADS = "it introduces what follows it", "other text stands below it"
_INTRODUCED = frozenset(
    "bullet_list ordered_list table blockquote fence code_block math_block amsmath".split()
)
_HEADED = frozenset(("list_item", "footnote_reference"))
"""Blocks whose first part says what the others are about."""
_NEUTRAL = frozenset("hr definition footnote_reference html_block front_matter thead".split())
"""Blocks that are no content by themselves; a section with nothing else is empty."""
_SPACE = re.compile(r"(?:\n[ \t>]*|[ \t\r]+|<br\s*/?>)*", re.IGNORECASE)
"""White space, with quotation marks at the beginning of lines, and line breaks of HTML."""
_SPACE_BACKWARDS = re.compile(r"(?:\s+|[ \t>]+(?=\r?\n)|>/?\s*rb<)*", re.IGNORECASE)
_BREAK = re.compile(r"\n|<br\b", re.IGNORECASE)
_Outline = tuple[str, tuple["_Outline", ...]]


class Layout:
    """A draft's blocks, and which of them go with its sentences."""

    def __init__(self, draft: str, sentences: Sequence[Sentence]) -> None:
        """Read the blocks of a draft."""
        self.root, _ = read_blocks(draft)
        self.gone: set[int] = set()
        """The numbers of the sentences that go."""
        self._draft, self._sentences = draft, sentences
        self._numbers = defaultdict[int, list[int]](list)
        for number, sentence in enumerate(sentences):
            self._numbers[sentence.passage.block.start].append(number)
        passages = read_passages(draft)
        blocks = [passage.block for passage in passages]
        self._levels = {b.start: int(b.info) for b in blocks if b.kind == "heading"}
        marks = [mark for passage in passages for mark in passage.marks]
        self._protected = Spans((m for m in marks if m.kind in PROTECTED), _place)
        spans = [(sentence.start, sentence.end) for sentence in sentences]
        places = Spans(range(len(spans)), spans.__getitem__)
        self._references = defaultdict[str, list[tuple[Mark, int]]](list)
        """A footnote's marks by its label, each with the number of its sentence, or -1."""
        for mark in (mark for mark in marks if mark.kind == "footnote" and mark.label):
            number = next(iter(places.touching(mark.start, mark.end)), -1)
            self._references[mark.label].append((mark, number))
        self._lost: set[Block] = set()

    def breaks(self) -> set[int]:
        """The numbers of the sentences that come first after a heading."""
        starts = [sentence.start for sentence in self._sentences]
        return {bisect_left(starts, head) for head in self._levels}

    def remove(self, gone: set[int]) -> dict[int, str]:
        """Take out sentences; the numbers of those that the rest needs, each with the reason.

        What introduced sentences that go, goes too. If any are needed, nothing is settled.
        """
        self.gone = set(gone)
        while True:
            self._lost = set()
            self._lose(self.root)
            leads, heads = dict[int, bool](), set[int]()
            for block in self.root.walk():
                for child, following in pairwise(block.children):
                    # A sentence with a colon goes with the list or the like below it.
                    for last in self._own(child)[-1:] if following.kind in _INTRODUCED else ():
                        if self._sentences[last].text.endswith(":"):
                            leads[last] = following in self._lost
                is_headed = block.kind in _HEADED and block not in self._lost
                if is_headed and block.children and block.children[0] in self._lost:
                    heads.update(n for n in self._inside(block.children[0]) if n in gone)
            needed = {n: INTRODUCES for n, goes in leads.items() if n in gone and not goes}
            needed |= dict.fromkeys(heads, HEADS)
            more = {n for n, goes in leads.items() if goes} - self.gone
            if needed or not more:
                return needed
            self.gone |= more

    def cuts(self) -> list[Edit]:
        """The edits, in order, that take out what goes: one for each sentence or block."""
        spans = set(self._cut_block(self.root))
        for block in self.root.walk():
            if block.kind == "footnote_reference" and block in self._lost:
                # Its marks go from the sentences that stay.
                marks = self._references.get(block.info, [])
                spans |= {_place(mark) for mark, number in marks if number not in self.gone}
        places = sorted(span for span in spans if span[0] < span[1])
        return [Edit(start=a, end=b, before=self._draft[a:b], after="") for a, b in places]

    def torn(self, cuts: Sequence[Edit]) -> list[int] | None:
        """The sentences near which the markdown becomes another by cuts; None if it does not."""
        after, _ = read_blocks(apply_edits(self._draft, cuts))
        (_, ours), (_, theirs) = _outline(self.root, self._lost), _outline(after)
        if ours == theirs:
            return None
        alike = (a == b for a, b in zip(ours, theirs, strict=False))
        place = next((n for n, same in enumerate(alike) if not same), min(len(ours), len(theirs)))
        blocks = self.root.children
        kept = [n for n, block in enumerate(blocks) if block not in self._lost]
        first = kept[place - 1] if 0 < place <= len(kept) else 0
        last = kept[place] if place < len(kept) else len(blocks) - 1
        return [number for block in blocks[first : last + 1] for number in self._inside(block)]

    def _lose(self, block: Block) -> None:
        """Mark what goes of a block, from its innermost parts to itself."""
        for child in block.children:
            self._lose(child)
        if not self._lost.isdisjoint(block.children):
            self._lose_headings(block.children)
        is_row, own = block.kind == "tr", self._own(block)
        parts = [c for c in block.children if (self._own(c) if is_row else c.kind not in _NEUTRAL)]
        is_gone = bool(own) and self.gone.issuperset(own)
        is_note = block.kind == "footnote_reference"
        notes = {number for _, number in self._references.get(block.info, [])} if is_note else None
        if (
            (parts and self._lost.issuperset(parts))
            or (is_gone and not self._protected.touching(block.start, block.end))
            or (notes and notes <= self.gone)
        ):
            self._lost.add(block)

    def _lose_headings(self, blocks: Sequence[Block]) -> None:
        """Mark the headings of sections that are gone, the innermost first."""
        levels = [0 if block.children else self._levels.get(block.start, 0) for block in blocks]
        for number in (number for number in reversed(range(len(blocks))) if levels[number]):
            after = range(number + 1, len(blocks))
            end = next((n for n in after if 0 < levels[n] <= levels[number]), len(blocks))
            content = [b for b in blocks[number + 1 : end] if b.kind not in _NEUTRAL]
            if content and self._lost.issuperset(content):
                self._lost.add(blocks[number])

    def _own(self, block: Block) -> list[int]:
        """The numbers of the sentences that stand in a block without children."""
        return self._numbers.get(block.start, []) if block.content else []

    def _inside(self, block: Block) -> list[int]:
        """The numbers of the sentences that stand anywhere in a block."""
        return [number for part in block.walk() for number in self._own(part)]

    def _cut_block(self, block: Block) -> Iterator[Span]:
        """What goes of a block that stays."""
        if not block.children:
            yield from self._cut_sentences(block)
        elif block.kind == "tr":
            yield from (_place(cell) for cell in block.children if cell in self._lost)
        else:
            # Blocks go with the gap before or after them, whichever is the smaller one.
            blocks = block.children
            for first, last in _runs([child in self._lost for child in blocks]):
                start, end = blocks[first].start, blocks[last].end
                above = blocks[first - 1].end if first else start
                below = blocks[last + 1].start if last + 1 < len(blocks) else end
                gaps = self._draft[above:start].count("\n"), self._draft[end:below].count("\n")
                leads = first > 0 and (below == end or gaps[0] < gaps[1])
                wide = (above, end) if leads else (start, below)
                yield from _part(wide, [_place(child) for child in blocks[first : last + 1]])
        for child in block.children:
            if child not in self._lost:
                yield from self._cut_block(child)

    def _cut_sentences(self, block: Block) -> Iterator[Span]:
        """The sentences that go with the space after them, in their block; images among them stay.

        With that before them, if the space after them ends a line or the block.
        """
        draft, sentences = self._draft, [self._sentences[number] for number in self._own(block)]
        for first, last in _runs([number in self.gone for number in self._own(block)]):
            low, high = sentences[first - 1].end if first else block.places[0], block.places[-1] + 1
            run = [(sentence.start, sentence.end) for sentence in sentences[first : last + 1]]
            start, end = run[0][0], run[-1][1]
            left = start - _SPACE_BACKWARDS.match(draft[low:start][::-1]).end()  # type: ignore[union-attr]
            right = _SPACE.match(draft, end, high).end()  # type: ignore[union-attr]
            ends_line = _BREAK.search(draft, end, right) and not _BREAK.search(draft, left, start)
            is_before = (first or left > low) and (right in (end, high) or ends_line)
            for part in _part((left, end) if is_before else (start, right), run):
                yield from outside(part, [_place(m) for m in self._protected.touching(*part)])


def outside(span: Span, holes: Sequence[Span]) -> list[Span]:
    """The parts of a span that lie in none of the holes, which stand in order."""
    parts, (start, end) = [], span
    for first, last in holes:
        if last > start and first < end:
            parts.append((start, first))
            start = last
    return [(a, b) for a, b in [*parts, (start, end)] if a < b]


def _place(thing: Block | Mark) -> Span:
    return thing.start, thing.end


def _runs(flags: Sequence[bool]) -> Iterator[Span]:
    """The first and last place of each run of true flags."""
    for flag, run in groupby(enumerate(flags), lambda pair: pair[1]):
        places = [place for place, _ in run]
        if flag:
            yield places[0], places[-1]


def _part(wide: Span, run: Sequence[Span]) -> Iterator[Span]:
    """A stretch around a run of places as one for each, with the gap on the same side of all."""
    leads = wide[0] < run[0][0]
    between = [end for _, end in run[:-1]] if leads else [start for start, _ in run[1:]]
    return pairwise([wide[0], *between, wide[1]])


def _outline(block: Block, lost: Set[Block] = frozenset()) -> _Outline:
    """The kinds of a block and of the blocks in it, with headings' levels, without what goes."""
    stay = (child for child in block.children if block.kind == "tr" or child not in lost)
    kind = block.kind if block.children else f"{block.kind}{block.info}"
    return kind, tuple(_outline(child, lost) for child in stay)
