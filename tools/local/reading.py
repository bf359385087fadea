"""A draft and what edits make of it, read sentence by sentence."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from errata.edits import apply_edits, places_after, rest_on
from errata.records import Edit
from errata.spans import Span, Spans
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import split_words


@dataclass(frozen=True)
class Flaw:
    """What a revised text says twice, or leaves open."""

    start: int
    """Where the sentence begins in the revised text; `end` is where it ends."""
    end: int
    reason: str
    """What is wrong with it, in words."""
    near: str = ""
    """The sentence that says the same, or the one before it."""
    mend: Edit | None = None
    """The edit of the revised text that mends it, where that is certain."""


@dataclass
class Reading:
    """A draft and what edits make of it, by sentences."""

    question: str
    draft: str
    edits: Sequence[Edit]
    old: Sequence[Sentence] = field(init=False)
    new: Sequence[Sentence] = field(init=False)
    text: str = field(init=False)

    def __post_init__(self) -> None:
        """Make the edits and split both texts."""
        self.text = apply_edits(self.draft, self.edits)
        self.old = split_draft(self.question, self.draft)
        self.new = split_draft(self.question, self.text)

    @cached_property
    def changed(self) -> set[int]:
        """The numbers of sentences that the draft does not have."""
        known, changed = Counter(sentence.text for sentence in self.old), set[int]()
        for number, sentence in enumerate(self.new):
            known[sentence.text] -= 1
            if known[sentence.text] < 0:
                changed.add(number)
        return changed

    @cached_property
    def topic(self) -> frozenset[str]:
        """What the question names; every sentence may."""
        return topic_stems(self.question)

    @cached_property
    def _placed(self) -> Spans[tuple[Span, Edit]]:
        return Spans(places_after(self.edits), lambda item: (item[0][0], item[0][1] + 1))

    @cached_property
    def words(self) -> set[str]:
        """All words of the revised text."""
        return {word.text for word in split_words(self.text)}

    def near(self, *sentences: Sentence) -> list[Edit]:
        """The edits in some sentences of the revised text."""
        found = (self._placed.touching(s.start, s.end + 1) for s in sentences)
        return [edit for own in found for _, edit in own]

    def mend(self, span: Span, after: str, reason: str, near: Sequence[Edit]) -> Edit:
        """An edit of the revised text that rests on what edits of the draft rest on."""
        start, end = span
        edit = Edit(start=start, end=end, before=self.text[start:end], after=after)
        return replace(rest_on(edit, near), explanation=reason)
