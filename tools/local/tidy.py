"""Edits that delete whole sentences, made to leave a readable text."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from errata.edits import apply_edits, rest_on
from errata.records import Edit
from errata.spans import Span, Spans
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.local.cuts import cut
from errata.tools.local.dependence import Support, support
from errata.tools.local.layout import Layout
from errata.tools.text.citations import strip_marks
from errata.tools.text.inline import Mark
from errata.tools.text.markdown import Block, outside, read_blocks
from errata.tools.text.pronouns import replace_pronoun
from errata.tools.text.prose import protected_places, whole_marks
from errata.tools.text.unclaimed import why_unclaimed

UNSUPPORTED = "nothing in the draft is supported; it is returned as it was"
TORN = "the markdown around it would become another"
MOST_TRIES = 20
"""How many places are mended at which removals would change the markdown around them."""
_NO_WORDS = re.compile(r"[\W\d_]*\Z")


def tidy(
    question: str, draft: str, edits: Sequence[Edit], unsound: Iterable[Span] = ()
) -> tuple[list[Edit], list[str]]:
    """Make edits that delete sentences leave a whole text; also a note for each that cannot.

    With a sentence goes what has no use without it: a heading of nothing, the introduction of a
    list, a footnote, a row. What the rest needs stays: a sentence that the next one refers to, an
    item with items below it. A pronoun whose name is gone is replaced by it. Code, formulas,
    images and comments stay. There are no edits, and a note, if no sentence would remain but such
    as state nothing or are in `unsound`, for a false answer is no better than a flagged one.
    """
    if not edits:
        return [], []
    sentences, protected = split_draft(question, draft), protected_places(draft)
    deletions, others = _find_deletions(draft, sentences, protected, edits)
    others, notes = _spare(draft, protected, others)
    if not deletions:
        return sorted(others, key=_place), notes
    layout = Layout(draft, sentences)
    found, cuts = _settle_whole(draft, layout, deletions)
    notes += [
        f"{_whose(deletions[number])} has no support and stays in the draft: {reason}"
        for number, reason in sorted(found.stay.items())
    ]
    if layout.gone and not _is_sound(layout, Spans(unsound, lambda span: span)):
        return [], [*notes, UNSUPPORTED]
    by_place = Spans(sentences, lambda sentence: (sentence.start, sentence.end))
    pieces = [piece for edit in cuts for piece in _split(draft, edit, by_place)]
    cuts = _explain(pieces, [deletions[number] for number in sorted(deletions)])
    names = [_name(sentences[number]) for number in found.names]
    taken = Spans(cuts, _place)
    rest = [e for e in [*others, *names] if not taken.touching(e.start, max(e.end, e.start + 1))]
    return sorted([*cuts, *rest], key=_place), notes


def _place(edit: Edit) -> Span:
    return edit.start, edit.end


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
        left = "".join(draft[a:b] for a, b in outside(_place(edit), known))
        covered = all(edit.start <= a and b <= edit.end for a, b in spans)
        if numbers and covered and not edit.after.strip() and _NO_WORDS.match(left):
            deletions |= dict.fromkeys(numbers, edit)
        else:
            others.append(edit)
    return deletions, others


def _spare(
    draft: str, protected: Spans[Span], edits: Iterable[Edit]
) -> tuple[list[Edit], list[str]]:
    """The edits that leave code, formulas, images, tags and comments alone; a note for each other.

    A line break that a model wrote as a space stays, too, and so does a citation mark that it left
    out.
    """
    spared, notes, marks = list[Edit](), list[str](), whole_marks(draft)
    for edit in edits:
        if edit.before.strip() and strip_marks(edit.before).strip() == edit.after.strip():
            continue
        if "\n" in edit.before and _NO_WORDS.match(edit.before) and edit.after == " ":
            continue
        place = edit.start, max(edit.end, edit.start + 1)
        if protected.touching(*place):
            notes.append(f"the edit at {edit.start} was dropped: it changes code or an image")
        elif any(_spoils(draft, edit, mark) for mark in marks.touching(*place)):
            notes.append(f"the edit at {edit.start} was dropped: it changes code or a tag")
        else:
            spared.append(edit)
    return spared, notes


def _spoils(draft: str, edit: Edit, mark: Mark) -> bool:
    """Whether an edit changes code, or takes a part of a tag or one tag of two."""
    if edit.end <= mark.start:
        return False
    if edit.start <= mark.start and mark.end <= edit.end:
        code = draft[mark.start : mark.end] if mark.kind == "code" else ""
        return bool(edit.after.strip()) and code not in edit.after
    return mark.kind == "code" or edit.start < mark.inner[0] or mark.inner[1] < edit.end


def _settle_whole(
    draft: str, layout: Layout, deletions: Iterable[int]
) -> tuple[Support, list[Edit]]:
    """Take sentences out, but for those without which the markdown would be another."""
    gone, torn = set(deletions), dict[int, str]()
    found, tries = _settle(layout, gone), 0
    while (place := _torn_at(draft, layout, cuts := cut(draft, layout))) is not None:
        tries += 1
        near = gone.intersection(layout.around(place)) if tries < MOST_TRIES else gone
        torn |= dict.fromkeys(near or gone, TORN)
        gone -= torn.keys()
        found = _settle(layout, gone)
    return Support(torn | found.stay, found.names), cuts


def _torn_at(draft: str, layout: Layout, cuts: Sequence[Edit]) -> int | None:
    """Which of the blocks that stay is the first to become another by cuts; None if none is."""
    after, _ = read_blocks(apply_edits(draft, cuts))
    ours, theirs = _outline(layout.root, layout)[1], _outline(after)[1]
    if ours == theirs:
        return None
    same = (a == b for a, b in zip(ours, theirs, strict=False))
    return next((n for n, alike in enumerate(same) if not alike), min(len(ours), len(theirs)))


def _settle(layout: Layout, deletions: Iterable[int]) -> Support:
    """Take sentences out of the layout until what remains needs none of those that go."""
    gone, stay = set(deletions), dict[int, str]()
    while True:
        found = support(layout.sentences, gone, layout.breaks())
        needed = found.stay or layout.remove(gone)
        if not needed:
            return Support(stay, found.names)
        stay |= needed
        gone -= needed.keys()


def _whose(edit: Edit) -> str:
    return f"claim {', '.join(edit.claims)}" if edit.claims else f"the text at {edit.start}"


def _is_sound(layout: Layout, unsound: Spans[Span]) -> bool:
    """Whether a sentence remains that states something, and not only what is false."""
    return any(
        (sentence.label or not why_unclaimed(sentence.text))
        and not unsound.touching(sentence.start, sentence.end)
        for number, sentence in enumerate(layout.sentences)
        if number not in layout.gone
    )


_Outline = tuple[str, tuple["_Outline", ...]]


def _outline(block: Block, layout: Layout | None = None) -> _Outline:
    """The kinds of a block and of the blocks in it, with headings' levels, without what goes."""
    cells = block.kind == "tr"
    stay = (c for c in block.children if cells or not layout or not layout.is_lost(c))
    kind = block.kind if block.children else f"{block.kind}{block.info}"
    return kind, tuple(_outline(child, layout) for child in stay)


def _split(draft: str, edit: Edit, sentences: Spans[Sentence]) -> Iterator[Edit]:
    """A cut as one for each sentence of a paragraph, or for each paragraph, with its space."""
    near = sentences.touching(edit.start, edit.end)
    inside = [s for s in near if edit.start <= s.start and s.end <= edit.end and not edit.after]
    leads, is_flat = edit.before[:1].isspace(), "\n" not in edit.before
    between = (_part(draft, a, b, leads=leads, is_flat=is_flat) for a, b in pairwise(inside))
    places = [edit.start, *(place for place in between if place), edit.end]
    for start, end in pairwise(places):
        yield replace(edit, start=start, end=end, before=draft[start:end])


def _part(draft: str, one: Sentence, other: Sentence, *, leads: bool, is_flat: bool) -> int:
    """Where a cut is parted between two sentences, or 0: before the space if space leads it."""
    has_break = "\n" in draft[one.end : other.start]
    if not has_break and not is_flat:
        return 0
    if leads:
        return one.end
    return draft.rindex("\n", one.end, other.start) + 1 if has_break else other.start


def _explain(cuts: Sequence[Edit], deletions: Sequence[Edit]) -> list[Edit]:
    """The cuts with the claims that they rest on; one with none, with those of the next one."""
    explained, by_place = [], Spans(deletions, _place)
    starts = [deletion.start for deletion in deletions]
    for edit in cuts:
        following = bisect_left(starts, edit.start)
        near = deletions[following : following + 1] or deletions[-1:]
        own = by_place.touching(edit.start, edit.end)
        explained.append(rest_on(edit, own or near))
    return explained


def _name(sentence: Sentence) -> Edit:
    """The name in place of the pronoun at the start of a sentence."""
    word = re.search(rf"\b{re.escape(sentence.subject)}(?!\w)", sentence.text)
    at = word.start() if word else 0
    start, end = sentence.words(at, at + len(sentence.subject))
    return Edit(
        start=start,
        end=end,
        before=sentence.subject,
        after=replace_pronoun(sentence.subject, sentence.antecedent),
        explanation="the sentence that named it is gone",
    )
