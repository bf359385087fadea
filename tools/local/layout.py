"""Which blocks of a draft's markdown go with sentences that go, and which sentences these need."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from errata.spans import Spans
from errata.tools.local.antecedents import Sentence
from errata.tools.text.inline import PROTECTED, Mark
from errata.tools.text.markdown import Block, read_blocks
from errata.tools.text.prose import read_passages

_LISTS = frozenset(("bullet_list", "ordered_list"))
_INTRODUCED = _LISTS | {"table", "blockquote", "fence", "code_block", "math_block", "amsmath"}
_HEADED = frozenset(("list_item", "footnote_reference"))
"""Blocks whose first part says what the others are about."""
_NEUTRAL = frozenset(
    ("hr", "definition", "footnote_reference", "html_block", "front_matter", "thead")
)
"""Blocks that are no content by themselves; a section with nothing else is empty."""


class Layout:
    """A draft's blocks, and which of them go with its sentences."""

    def __init__(self, draft: str, sentences: Sequence[Sentence]) -> None:
        """Read the blocks of a draft."""
        self.root, _ = read_blocks(draft)
        self.sentences = sentences
        self.gone: set[int] = set()
        """The numbers of the sentences that go."""
        self._numbers = defaultdict[int, list[int]](list)
        for number, sentence in enumerate(sentences):
            self._numbers[sentence.passage.block.start].append(number)
        passages = read_passages(draft)
        blocks = [passage.block for passage in passages]
        self._levels = {b.start: int(b.info) for b in blocks if b.kind == "heading"}
        marks = [mark for passage in passages for mark in passage.marks]
        self.protected = Spans((m for m in marks if m.kind in PROTECTED), _place)
        places = Spans(range(len(sentences)), lambda n: (sentences[n].start, sentences[n].end))
        self.references = defaultdict[str, list[tuple[Mark, int]]](list)
        """A footnote's marks by its label, each with the number of its sentence, or -1."""
        for mark in (mark for mark in marks if mark.kind == "footnote" and mark.label):
            number = next(iter(places.touching(mark.start, mark.end)), -1)
            self.references[mark.label].append((mark, number))
        self._lost: set[Block] = set()

    def breaks(self) -> set[int]:
        """The numbers of the sentences that come first after a heading."""
        numbers = iter(range(len(self.sentences)))
        heads = sorted(self._levels)
        return {next((n for n in numbers if self.sentences[n].start > head), -1) for head in heads}

    def remove(self, gone: set[int]) -> dict[int, str]:
        """Take out sentences; the numbers of those that the rest needs, each with the reason.

        What introduced sentences that go, goes too. If any are needed, nothing is settled.
        """
        self.gone = set(gone)
        while True:
            self._lost = set()
            self._lose(self.root)
            needed = {n: why for n, why in self._needed() if n in gone}
            more = set(self._introducing()) - self.gone
            if needed or not more:
                return needed
            self.gone |= more

    def is_lost(self, block: Block) -> bool:
        """Whether a block goes whole."""
        return block in self._lost

    def around(self, place: int) -> list[int]:
        """The sentences in an outer block that stays, in the one above it, and between them."""
        blocks = self.root.children
        kept = [n for n, block in enumerate(blocks) if block not in self._lost]
        first = kept[place - 1] if 0 < place <= len(kept) else 0
        last = kept[place] if place < len(kept) else len(blocks) - 1
        return [number for block in blocks[first : last + 1] for number in self.inside(block)]

    def numbers(self, block: Block) -> list[int]:
        """The numbers of the sentences that stand in a block without children."""
        return self._numbers.get(block.start, []) if block.content else []

    def _lose(self, block: Block) -> None:
        """Mark what goes of a block, from its innermost parts to itself."""
        for child in block.children:
            self._lose(child)
        self._lose_headings(block.children)
        self._lose_rules(block.children)
        if block.children:
            parts = [child for child in block.children if self._counts(child, block)]
            empty = bool(parts) and all(part in self._lost for part in parts)
        else:
            empty = self._is_empty(block)
        if empty or self._is_unreferenced(block):
            self._lost.add(block)

    def _counts(self, child: Block, block: Block) -> bool:
        """Whether a block goes only if this part of it goes."""
        if block.kind == "tr":
            return bool(self.numbers(child))
        return child.kind not in _NEUTRAL

    def _is_empty(self, block: Block) -> bool:
        numbers = self.numbers(block)
        return (
            bool(numbers)
            and self.gone.issuperset(numbers)
            and not self.protected.touching(block.start, block.end)
        )

    def _is_unreferenced(self, block: Block) -> bool:
        """Whether a block is a footnote to nothing but sentences that go."""
        references = self.references.get(block.info, [])
        is_note = block.kind == "footnote_reference"
        return is_note and bool(references) and all(n in self.gone for _, n in references)

    def _level(self, block: Block) -> int:
        """A heading's level; 0 for another block."""
        return 0 if block.children else self._levels.get(block.start, 0)

    def _lose_headings(self, blocks: Sequence[Block]) -> None:
        """Mark the headings of sections that are gone."""
        if self._lost.isdisjoint(blocks):
            return
        for number in reversed(range(len(blocks))):
            if self._level(blocks[number]):
                content = list(self._section(blocks, number))
                if content and all(block in self._lost for block in content):
                    self._lost.add(blocks[number])

    def _section(self, blocks: Sequence[Block], number: int) -> Iterator[Block]:
        """What stands below a heading, down to the next one that is no part of it."""
        level = self._level(blocks[number])
        for following in range(number + 1, len(blocks)):
            if 0 < self._level(blocks[following]) <= level:
                return
            if blocks[following].kind not in _NEUTRAL:
                yield blocks[following]

    def _lose_rules(self, blocks: Sequence[Block]) -> None:
        """Mark the lines between sections that have nothing more to part."""
        if self._lost.isdisjoint(blocks):
            return
        kept = [block for block in blocks if block not in self._lost]
        beside = {b for a, b in pairwise(blocks) if a in self._lost}
        beside |= {a for a, b in pairwise(blocks) if b in self._lost}
        above: Block | None = None
        for block in kept:
            parts = above is not None and above.kind != "hr" and block is not kept[-1]
            if block.kind == "hr" and block in beside and not parts:
                self._lost.add(block)
            else:
                above = block

    def _introducing(self) -> Iterator[int]:
        """Sentences that introduce a list or table which goes."""
        for first, rest in self._introductions():
            if all(self._goes(part) for part in rest):
                yield first

    def _needed(self) -> Iterator[tuple[int, str]]:
        """Sentences that must stay for something that stays."""
        for first, rest in self._introductions():
            if not all(self._goes(part) for part in rest):
                yield first, "it introduces what follows it"
        for block in self.root.walk():
            first_lost = bool(block.children) and block.children[0] in self._lost
            if block.kind in _HEADED and first_lost and block not in self._lost:
                for number in self.inside(block.children[0]):
                    yield number, "other text stands below it"
            for number in self._between_lists(block.children):
                yield number, "it stands between two lists"

    def _between_lists(self, blocks: Sequence[Block]) -> Iterator[int]:
        """The last sentence that goes between two lists, which would then be one."""
        above, lost = "", list[Block]()
        for block in blocks:
            if block in self._lost:
                lost.append(block)
                continue
            if lost and block.kind == above and above in _LISTS:
                yield from [n for part in lost for n in self.inside(part)][-1:]
            above, lost = block.kind, []

    def _introductions(self) -> Iterator[tuple[int, Sequence[Block | int]]]:
        """Each sentence that ends with a colon, and the block or the sentences that follow it."""
        for block in self.root.walk():
            for child, following in pairwise(block.children):
                numbers = self.numbers(child)
                if numbers and self._ends_open(numbers[-1]) and following.kind in _INTRODUCED:
                    yield numbers[-1], [following]
            yield from self._introduced_lines(self.numbers(block))

    def _introduced_lines(self, numbers: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """Each sentence of a block that ends with a colon, and those up to the next such one."""
        opened, lines = -1, list[int]()
        for number in numbers:
            if not self._ends_open(number):
                lines.append(number)
                continue
            if opened >= 0 and lines:
                yield opened, lines
            opened, lines = number, []
        if opened >= 0 and lines:
            yield opened, lines

    def _ends_open(self, number: int) -> bool:
        return self.sentences[number].text.endswith(":")

    def _goes(self, part: Block | int) -> bool:
        return part in self.gone if isinstance(part, int) else part in self._lost

    def inside(self, block: Block) -> list[int]:
        """The numbers of the sentences that stand anywhere in a block."""
        return [number for part in block.walk() for number in self.numbers(part)]


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start, mark.end
