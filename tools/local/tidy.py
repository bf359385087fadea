"""Edits that delete whole sentences, made to leave a readable text."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from errata.core.edits import Span, Spans, overlaps, rest_on
from errata.core.limits import check_time
from errata.core.records import Edit
from errata.tools.local.extract import Sentence, is_name, split_draft
from errata.tools.text.citations import strip_marks
from errata.tools.text.inline import PROTECTED, Mark
from errata.tools.text.markdown import Block, read_blocks
from errata.tools.text.pronouns import ANY_PRONOUN, replace_pronoun
from errata.tools.text.prose import protected_places, read_passages
from errata.tools.text.unclaimed import why_unclaimed
from errata.tools.text.words import split_stems, stem

UNSUPPORTED = "nothing in the draft is supported; it is returned as it was"
REFERS = "what follows it refers to it"
INTRODUCES = "it introduces what follows it"
UNCLEAR = "it is unclear what a pronoun after it stands for"
_NO_WORDS = re.compile(r"[\W\d_]*\Z")
_POINTS_BACK = re.compile(
    r"(?:(?:in|at|on|by|for|to|of|from|with|under|until|during|because|as|ever|the|all|any|some|many"
    r"|most|both|each|one|two|three|none|half) )*"
    r"(?:this|that|these|those|such|then|there(?! (?:is|are|was|were|has|have|had)\b)|another"
    r"|others?|ones?|same|former|latter|rest|next|following|previous|result|consequence|contrary"
    r"|example|instance|contrast|turn|fact|particular|response|return|neither|either"
    r"|addition(?! to (?!th))|instead"
    r"|otherwise|therefore|thus|hence|so|thereby|thereafter|consequently|accordingly|however"
    r"|nevertheless|nonetheless|yet|but|and|or|nor|though|likewise|similarly|conversely"
    r"|indeed|namely|specifically|since|later|afterwards?|who|which|whose)\b"
    r"|(?:\w+ ){1,3}(?:later|earlier|afterwards)\b",
    re.IGNORECASE,
)
"""A beginning that goes on from the sentence before."""
_THING = re.compile(
    r"The (album|band|book|club|company|couple|duo|event|film|firm|game|group|label|match|movie"
    r"|novel|organi[sz]ation|play|program|project|school|series|show|single|song|team|tour|trio|two)\b"
)
"""What a sentence speaks of that must have been named."""
_OWNED = re.compile(r"['’]s? ")
_PERSONS = frozenset(("he", "she", "his", "her"))
_STAY = frozenset("table thead tbody tr td th footnote_reference".split())
"""Blocks that stay even where nothing in them does."""
_NEUTRAL = frozenset("hr definition footnote_reference html_block front_matter".split())
"""Blocks that are no content by themselves; a section with nothing else is empty."""
_SPACE = re.compile(r"(?:\n[ \t>]*|[ \t\r]+|<br\s*/?>)*", re.IGNORECASE)
_SPACE_BEFORE = re.compile(r"(?:\n[ \t>]*|[ \t\r]|<br\s*/?>)*\Z", re.IGNORECASE)


def tidy(
    question: str, draft: str, edits: Sequence[Edit], unsound: Iterable[Span] = ()
) -> tuple[list[Edit], list[str]]:
    """Make edits that delete sentences leave a whole text; also a note for each that cannot.

    A heading of nothing and the introduction of a list go with what stood below them. What the rest
    needs stays, such as a sentence that the next one refers to. A pronoun whose name is gone is
    replaced by it. There are no edits, and a note, if no sentence would remain but such as state
    nothing or are in `unsound`, for a false answer is no better than a flagged one.
    """
    if not edits:
        return [], []
    sentences, protected = split_draft(question, draft), protected_places(draft)
    deletions, others = _find_deletions(draft, sentences, protected, edits)
    others, notes = [edit for edit in others if not _is_spared(edit)], list[str]()
    if not deletions:
        return sorted(others, key=_place), notes
    page = _Page(draft, sentences)
    gone, stay, names = _take_out(page, sentences, set(deletions))
    for number in sorted(stay.keys() & deletions.keys()):
        edit, reason = deletions[number], stay[number]
        whose = f"claim {', '.join(edit.claims)}" if edit.claims else f"the text at {edit.start}"
        notes.append(f"{whose} has no support and stays in the draft: {reason}")
    false = Spans(unsound, lambda span: span)
    left = [s for number, s in enumerate(sentences) if number not in gone]
    stating = (s for s in left if s.label or not why_unclaimed(s.text))
    if gone and all(false.touching(s.start, s.end) for s in stating):
        return [], [*notes, UNSUPPORTED]
    asked = [deletions[number] for number in sorted(deletions)]
    cuts = [_ground(cut, asked) for cut in page.cuts(gone)]
    taken = Spans(cuts, _place)
    named = [_name(sentences[number]) for number in names]
    others += [edit for edit in named if not overlaps(edit, others)]
    rest = [e for e in others if not taken.touching(e.start, max(e.end, e.start + 1))]
    return sorted([*cuts, *rest], key=_place), notes


def _place(thing: Edit | Block | Mark | Sentence) -> Span:
    return thing.start, thing.end


def _ground(cut: Edit, gone: Sequence[Edit]) -> Edit:
    """A cut that rests on the claims that went there; where none did, on those of the next one."""
    own = Spans(gone, _place).touching(cut.start, cut.end)
    return rest_on(cut, own or [next((e for e in gone if e.start >= cut.start), gone[-1])])


def _find_deletions(
    draft: str, sentences: Sequence[Sentence], protected: Spans[Span], edits: Iterable[Edit]
) -> tuple[dict[int, Edit], list[Edit]]:
    """The edits that delete whole sentences, by the sentence's number, and the others."""
    places = Spans(range(len(sentences)), lambda n: (sentences[n].start, sentences[n].end))
    deletions, others = dict[int, Edit](), list[Edit]()
    for edit in edits:
        numbers = places.touching(edit.start, edit.end)
        spans = [(sentences[n].start, sentences[n].end) for n in numbers]
        known = sorted([*spans, *protected.touching(edit.start, edit.end)])
        left = "".join(draft[a:b] for a, b in _outside(_place(edit), known))
        covered = all(edit.start <= a and b <= edit.end for a, b in spans)
        if numbers and covered and not edit.after.strip() and _NO_WORDS.match(left):
            deletions |= dict.fromkeys(numbers, edit)
        else:
            others.append(edit)
    return deletions, others


def _is_spared(edit: Edit) -> bool:
    """Whether a text stays though a model left out its marks, or wrote a line break as a space."""
    is_break = "\n" in edit.before and _NO_WORDS.match(edit.before) and edit.after == " "
    before = edit.before.strip()
    return bool(is_break or (before and strip_marks(before).strip() == edit.after.strip()))


class _Page:
    """A draft's blocks with the numbers of their sentences."""

    def __init__(self, draft: str, sentences: Sequence[Sentence]) -> None:
        self._draft, self._sentences = draft, sentences
        self._root, _ = read_blocks(draft)
        by_start = groupby(range(len(sentences)), lambda n: sentences[n].passage.block.start)
        self._numbers = {start: list(numbers) for start, numbers in by_start}
        passages = read_passages(draft)
        images = [_place(m) for p in passages for m in p.marks if m.kind in PROTECTED]
        self._images = Spans(images, lambda place: place)
        """What is no text, such as an image, and stays where it stands."""
        heads = (passage.block for passage in passages)
        self._levels = {head.start: int(head.info) for head in heads if head.kind == "heading"}
        starts = [sentence.start for sentence in sentences]
        self.breaks = {bisect_left(starts, head) for head in self._levels}
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
        if not lost.isdisjoint(block.children):
            lost |= self._headings(block.children, lost)
        parts, own = [c for c in block.children if c.kind not in _NEUTRAL], self._own(block)
        is_gone = bool(own) and gone.issuperset(own)
        is_gone = is_gone and not self._images.touching(block.start, block.end)
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
        parts = [x for place in places for x in _outside(place, self._images.touching(*place))]
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
        """The sentences that go with the space after them, in their block.

        With that before them, if the space after them ends a line or the block.
        """
        draft, own, taken = self._draft, self._own(block), 0
        for n, number in enumerate(own):
            low = max(self._sentences[own[n - 1]].end if n else block.places[0], taken)
            start, end = _place(self._sentences[number])
            left = low + _SPACE_BEFORE.search(draft[low:start]).start()  # type: ignore[union-attr]
            right = _SPACE.match(draft, end, block.places[-1] + 1).end()  # type: ignore[union-attr]
            ends_line = "\n" in draft[end:right] and "\n" not in draft[left:start]
            is_last = right in (end, block.places[-1] + 1) or gone.issuperset(own[n:])
            if number in gone and (n or left > low) and (is_last or ends_line):
                yield left, end
            elif number in gone:
                yield start, right
                taken = right


def _outside(span: Span, holes: Sequence[Span]) -> list[Span]:
    """The parts of a span that lie in none of the holes, which stand in order."""
    parts, (start, end) = [], span
    for first, last in holes:
        if last > start and first < end:
            parts.append((start, first))
            start = last
    return [(a, b) for a, b in [*parts, (start, end)] if a < b]


def _take_out(
    page: _Page, sentences: Sequence[Sentence], gone: set[int]
) -> tuple[set[int], dict[int, str], set[int]]:
    """Take out sentences until the rest needs none of them.

    The numbers of those that go; what stays, with the reason; whose pronoun becomes a name.
    """
    stay = dict[int, str]()
    while True:
        lost = page.lost(gone)
        leads = {number: block in lost for number, block in page.leads.items()}
        more = {n for n, is_lost in leads.items() if is_lost and page.ends_open(n)}
        if more := more - gone - stay.keys():
            gone = gone | more
            continue
        needs, names = _find_needs(sentences, gone, page.breaks)
        needs |= {n: INTRODUCES for n, is_lost in leads.items() if n in gone and not is_lost}
        if not needs:
            return gone, stay, names
        stay |= needs
        gone = gone - needs.keys()


def _name(sentence: Sentence) -> Edit:
    """The name in place of the pronoun at the start of a sentence."""
    word = re.search(rf"\b{re.escape(sentence.subject)}(?!\w)", sentence.text)
    at = word.start() if word else 0
    start, end = sentence.words(at, at + len(sentence.subject))
    name = replace_pronoun(sentence.subject, sentence.antecedent)
    reason = "the sentence that named it is gone"
    return Edit(start=start, end=end, before=sentence.subject, after=name, explanation=reason)


def _find_needs(
    sentences: Sequence[Sentence], gone: set[int], breaks: set[int]
) -> tuple[dict[int, str], set[int]]:
    """What the sentences that stay need of those that are to go, each with the reason.

    Also those in which a leading "he" or "she" becomes a name, since the sentence that named it
    goes; what another pronoun stands for stays. A sentence whose number is in `breaks` comes after
    a heading.
    """
    stay, renamed, spoken_of = dict[int, str](), set[int](), set[str]()
    first = next((n for n, s in enumerate(sentences) if n not in gone and not s.label), 0)
    known = next((s.antecedents.names for s in sentences if not s.label), ())
    for number, sentence in enumerate(sentences):
        check_time()
        if number in gone or sentence.label:
            continue
        thing = _THING.match(sentence.text)
        is_new = thing is not None and stem(thing[1]) not in spoken_of
        spoken_of.update(split_stems(sentence.text))
        pronoun, name = _leading_pronoun(sentence), sentence.antecedent
        is_orphan = number - 1 in gone and number not in breaks
        if is_orphan and (is_new or _needs_last(sentences[number - 1], sentence)):
            stay |= _before(sentences, number, gone)
        elif pronoun and sentence.source in gone and (name not in known or number == first):
            if pronoun in _PERSONS and is_name(name):
                renamed.add(number)
                known = (name,)
            else:
                stay[sentence.source] = UNCLEAR
        if is_name(sentence.subject) and not any(sentence.subject in each for each in known):
            known = ()
    return stay, renamed


def _before(sentences: Sequence[Sentence], number: int, gone: set[int]) -> Mapping[int, str]:
    """The sentence before one, with those that it goes on from in turn."""
    stay, last = dict[int, str](), number - 1
    while last in gone and last not in stay:
        stay[last] = REFERS
        last -= bool(_POINTS_BACK.match(sentences[last].text))
    return stay


def _leading_pronoun(sentence: Sentence) -> str:
    """The pronoun at the beginning of the subject; empty without one."""
    match = ANY_PRONOUN.match(sentence.subject)
    return match.group().lower() if match else ""


def _needs_last(last: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence goes on from the one before, or has a pronoun for something in it."""
    if _POINTS_BACK.match(sentence.text):
        return True
    pronoun, earlier = _leading_pronoun(sentence), _leading_pronoun(last)
    if not pronoun or pronoun == earlier:
        return False
    named = is_name(_OWNED.split(last.subject)[0])
    is_person = pronoun in _PERSONS and (earlier in _PERSONS or named)
    return not (sentence.antecedent and is_person)
