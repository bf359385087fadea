"""A draft's blocks with their sentences: which blocks go with these, and what is cut out."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from errata.core.edits import Span, Spans, outside
from errata.core.records import Edit
from errata.tools.local.extract import Sentence
from errata.tools.text.inline import PROTECTED, InlineMark
from errata.tools.text.markdown import Block, read_blocks
from errata.tools.text.prose import read_passages

_STAY = frozenset("table thead tbody tr td th footnote_reference".split())
"""Blocks that stay even where nothing in them does."""
_NEUTRAL = frozenset("hr definition footnote_reference html_block front_matter".split())
"""Blocks that are no content by themselves; a section with nothing else is empty."""
_SPACE = re.compile(r"(?:\n[ \t>]*|[ \t\r]+|<br\s*/?>)*", re.IGNORECASE)
_SPACE_BEFORE = re.compile(r"(?:\n[ \t>]*|[ \t\r]|<br\s*/?>)*\Z", re.IGNORECASE)


def place_of(thing: Edit | Block | InlineMark | Sentence) -> Span:
    """Where something begins and ends."""
    return thing.start, thing.end


class Page:
    """A draft's blocks with the numbers of their sentences."""

    def __init__(self, draft: str, sentences: Sequence[Sentence]) -> None:
        """Find in which blocks the sentences stand."""
        self._draft, self._sentences = draft, sentences
        self._root, _ = read_blocks(draft)
        by_start = groupby(range(len(sentences)), lambda n: sentences[n].passage.block.start)
        self._numbers = {start: list(numbers) for start, numbers in by_start}
        passages = read_passages(draft)
        images = (place_of(m) for p in passages for m in p.marks if m.kind in PROTECTED)
        self._images = Spans(images, lambda place: place)
        """What is no text, such as an image, and stays where it stands."""
        heads = (passage.block for passage in passages)
        self._levels = {head.start: int(head.info) for head in heads if head.kind == "heading"}
        self.breaks = {bisect_left(sentences, h, key=lambda s: s.start) for h in self._levels}
        """The numbers of the sentences that come first after a heading."""
        self.leads = dict(self._find_leads())
        """By the number of a sentence the block that it introduces."""

    def _find_leads(self) -> Iterator[tuple[int, Block]]:
        for block in self._root.walk():
            for child, following in pairwise(block.children):
                own = self._own(child)
                is_item = block.kind == "list_item" and child is block.children[0]
                if own and following.kind != "paragraph" and (is_item or self.ends_open(own[-1])):
                    yield own[-1], following

    def ends_open(self, number: int) -> bool:
        """Whether a sentence ends with a colon."""
        return self._sentences[number].text.endswith(":")

    def _own(self, block: Block) -> list[int]:
        """The numbers of the sentences that stand in a block without children."""
        return self._numbers.get(block.start, []) if block.content else []

    def lost(self, gone: set[int], block: Block | None = None) -> set[Block]:
        """The blocks of which nothing is left without some sentences, and their headings."""
        block = block or self._root
        lost = {each for child in block.children for each in self.lost(gone, child)}
        lost |= self._headings(block.children, lost)
        parts, own = [c for c in block.children if c.kind not in _NEUTRAL], self._own(block)
        is_gone = own and gone.issuperset(own) and not self._images.touching(*place_of(block))
        if block.kind not in _STAY and (is_gone or (parts and lost.issuperset(parts))):
            lost.add(block)
        return lost

    def _headings(self, blocks: Sequence[Block], lost: set[Block]) -> set[Block]:
        """The headings of sections that are lost."""
        levels = [0 if block.children else self._levels.get(block.start, 0) for block in blocks]
        found = set[Block]()
        for number in (number for number in reversed(range(len(blocks))) if levels[number]):
            after = range(number + 1, len(blocks))
            end = next((n for n in after if 0 < levels[n] <= levels[number]), len(blocks))
            content = [b for b in blocks[number + 1 : end] if b.kind not in _NEUTRAL]
            if content and (lost | found).issuperset(content):
                found.add(blocks[number])
        return found

    def cuts(self, gone: set[int]) -> list[Edit]:
        """The edits, in order, that take out sentences: one for each sentence or block."""
        places = sorted(self._cut(self._root, gone, self.lost(gone)))
        parts = [x for place in places for x in outside(place, self._images.touching(*place))]
        return [Edit(start=a, end=b, before=self._draft[a:b], after="") for a, b in parts]

    def _cut(self, block: Block, gone: set[int], lost: set[Block]) -> Iterator[Span]:
        """What goes of a block that stays, with the gap before it if nothing that stays follows."""
        blocks, kept = block.children, [child not in lost for child in block.children]
        for n, child in enumerate(blocks):
            if kept[n]:
                yield from self._cut(child, gone, lost)
            elif n + 1 < len(blocks) and (any(kept[n:]) or not any(kept[:n])):
                yield child.start, blocks[n + 1].start
            else:
                yield blocks[n - 1].end if any(kept[:n]) else child.start, child.end
        if not blocks:
            yield from self._cut_sentences(block, gone)

    def _cut_sentences(self, block: Block, gone: set[int]) -> Iterator[Span]:
        """The sentences that go, with the space after them or, at the end of a line, before."""
        draft, own, taken = self._draft, self._own(block), 0
        for n, number in enumerate(own):
            low = max(self._sentences[own[n - 1]].end if n else block.places[0], taken)
            start, end = place_of(self._sentences[number])
            left = low + _SPACE_BEFORE.search(draft[low:start]).start()  # type: ignore[union-attr]
            right = _SPACE.match(draft, end, block.places[-1] + 1).end()  # type: ignore[union-attr]
            ends_line = "\n" in draft[end:right] and "\n" not in draft[left:start]
            is_last = right in (end, block.places[-1] + 1) or gone.issuperset(own[n:])
            if number in gone and (n or left > low) and (is_last or ends_line):
                yield left, end
            elif number in gone:
                yield start, right
                taken = right
