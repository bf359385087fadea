"""A last reading of a revised text: what it says twice, and what points to nothing any more."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from errata.bounds import check_time
from errata.edits import apply_edits, places_after
from errata.records import Edit
from errata.spans import Span, Spans
from errata.tools.local.antecedents import Sentence, is_name, split_draft
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import NEGATIONS, content_stems, split_words

FEWEST = 2
"""How many words a statement has, its topic aside, that counts as said twice."""
_SINCE = re.compile(r",? (?:ever since|since then|from then on)\b(?=[.,;])", re.IGNORECASE)
_THEN = re.compile(
    r"\b(?:ever since|since then|from then on|(?:that|the same|later that) (?:year|month|day|time)"
    r"|at (?:that|the) (?:time|age)|the following (?:year|month|day))\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?<=\w )there\b(?! (?:is|are|was|were|has|have|had)\b)", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|at|to|from|of|near|into|around|for) (?:the )?[A-Z]")


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


def reread(question: str, draft: str, edits: Sequence[Edit]) -> list[Flaw]:
    """Find what the edits make a text say twice or leave open, in the order of the text.

    What the draft did itself is none of it. A mend takes out a sentence that says nothing but what
    another says, puts the name in place of a pronoun, or takes out an "ever since" without a time;
    it rests on the claims of the edits nearby.
    """
    if not edits:
        return []
    reading = _Reading(question, draft, edits)
    flaws = [*_find_repeated(reading), *_find_unnamed(reading), *_find_dangling(reading)]
    by_sentence = {flaw.start: flaw for flaw in reversed(flaws)}
    return [by_sentence[start] for start in sorted(by_sentence)]


@dataclass
class _Reading:
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

    def near(self, *sentences: Sentence) -> list[Edit]:
        """The edits in some sentences of the revised text."""
        found = (self._placed.touching(s.start, s.end + 1) for s in sentences)
        return [edit for own in found for _, edit in own]

    def mend(self, span: Span, after: str, reason: str, near: Sequence[Edit]) -> Edit:
        """An edit of the revised text that rests on what edits of the draft rest on."""
        return Edit(
            start=span[0],
            end=span[1],
            before=self.text[slice(*span)],
            after=after,
            claims=tuple(dict.fromkeys(claim for edit in near for claim in edit.claims)),
            evidence=tuple(dict.fromkeys(quote for edit in near for quote in edit.evidence)),
            explanation=reason,
        )


def _find_repeated(reading: _Reading) -> Iterator[Flaw]:
    """Sentences that say nothing but what another says, and clauses that another sentence has."""
    index, old = _Index(reading.new, reading.topic), _Index(reading.old, reading.topic)
    gone = set[int]()
    for number, sentence in enumerate(reading.new):
        check_time()
        for others, stems, is_whole in index.statements(number):
            mine = number in reading.changed
            doubles = [n for n in others if n not in gone and (mine or n in reading.changed)]
            said = not (mine and is_whole) and len(old.containing(stems)) > 1
            if not doubles or said:
                continue
            other = reading.new[doubles[0]]
            later = number > doubles[0] or stems != index.stems[doubles[0]]
            mend = _take_out(reading, number, other) if is_whole and later else None
            if mend or not is_whole:
                gone.add(number)
                reason = f"it says again what another sentence says: {other.text}"
                yield Flaw(sentence.start, sentence.end, reason, other.text, mend)
                break


class _Index:
    """Sentences by the stems that they have."""

    def __init__(self, sentences: Sequence[Sentence], topic: frozenset[str]) -> None:
        self.stems = [content_stems(sentence.text) - topic for sentence in sentences]
        self._sentences, self._topic = sentences, topic
        self._denies = [_denies(sentence.text) for sentence in sentences]
        self._holders: dict[str, set[int]] = {}
        for number, stems in enumerate(self.stems):
            for stem in stems:
                self._holders.setdefault(stem, set()).add(number)

    def containing(self, stems: frozenset[str]) -> set[int]:
        """The numbers of the sentences that have all of some stems."""
        found = [self._holders.get(stem, set()) for stem in stems]
        return set.intersection(*found) if found else set()

    def statements(self, number: int) -> Iterator[tuple[list[int], frozenset[str], bool]]:
        """A sentence, then its clauses: which others contain it, its stems, whether it is whole."""
        sentence = self._sentences[number]
        yield self._others(number, self.stems[number]), self.stems[number], True
        leaves = list(sentence.clauses.leaves())
        for leaf in leaves if len(leaves) > 1 else ():
            stems = content_stems(leaf.claim) - self._topic
            if find_entities(leaf.claim.removeprefix(sentence.antecedent or sentence.subject)):
                yield self._others(number, stems), stems, False

    def _others(self, number: int, stems: frozenset[str]) -> list[int]:
        if len(stems) < FEWEST:
            return []
        others = self.containing(stems) - {number}
        return sorted(n for n in others if self._denies[n] == self._denies[number])


def _denies(text: str) -> bool:
    return any(word.text.lower() in NEGATIONS for word in split_words(text))


def _take_out(reading: _Reading, number: int, other: Sentence) -> Edit | None:
    """The edit that takes out a sentence with a space beside it; None where it begins the text."""
    sentence, text = reading.new[number], reading.text
    before = reading.new[number - 1].end if number else -1
    if before < 0 or text[before : sentence.start].strip(" ") or before == sentence.start:
        return None
    following = reading.new[number + 1] if number + 1 < len(reading.new) else None
    if following and following.source == number:
        return None
    reason = "another sentence says the same"
    span = before, sentence.end
    return reading.mend(span, "", reason, reading.near(other, sentence))


def _find_unnamed(reading: _Reading) -> Iterator[Flaw]:
    """An opening that no longer says whom it is about, and pronouns that now mean another."""
    if reading.old and reading.new:
        yield from _check_opening(reading, reading.old[0], reading.new[0])
    named = {sentence.text: sentence.antecedent for sentence in reading.old}
    for number, sentence in enumerate(reading.new[1:], start=1):
        meant = named.get(sentence.text, "")
        is_other = meant and is_name(meant) and not _share(meant, sentence.antecedent)
        if is_other and _share(meant, reading.text) and PERSONAL_PRONOUN.match(sentence.text):
            near = reading.near(reading.new[number - 1])
            yield _name(reading, sentence, meant, near, "its pronoun would mean another")


def _check_opening(reading: _Reading, before: Sentence, after: Sentence) -> Iterator[Flaw]:
    names = reading.topic or (content_stems(before.subject) if is_name(before.subject) else set())
    if not names & content_stems(before.text) or names & content_stems(after.text):
        return
    near = reading.near(after) or reading.edits[:1]
    if PERSONAL_PRONOUN.match(after.text) and is_name(before.subject):
        yield _name(reading, after, before.subject, near, "it is the first to speak of its subject")
    elif PERSONAL_PRONOUN.match(after.text):
        yield Flaw(after.start, after.end, "the text no longer says whom it is about", before.text)


def _name(
    reading: _Reading, sentence: Sentence, name: str, near: Sequence[Edit], reason: str
) -> Flaw:
    """A sentence whose leading pronoun becomes a name."""
    pronoun = sentence.text.split()[0]
    start, end = sentence.words(0, len(pronoun))
    mend = reading.mend((start, end), replace_pronoun(pronoun, name), reason, near)
    return Flaw(sentence.start, sentence.end, reason, mend=mend)


def _share(name: str, text: str) -> bool:
    return bool(set(name.split()) & set(re.findall(r"\w+", text)))


def _find_dangling(reading: _Reading) -> Iterator[Flaw]:
    """Words that point to a time or a place that the text before them no longer has."""
    contexts = dict(_pointers(reading.old))
    for number, sentence in enumerate(reading.new):
        for key, has_target in _pointers([sentence], reading.new[max(number - 1, 0) : number]):
            if has_target or not contexts.get(key):
                continue
            _, words = key
            reason = f"“{words}” points to nothing that the text still says"
            before = reading.new[number - 1].text if number else ""
            mend = _cut_since(reading, sentence, words, reason)
            yield Flaw(sentence.start, sentence.end, reason, before, mend)


def _pointers(
    sentences: Sequence[Sentence], before: Sequence[Sentence] = ()
) -> Iterator[tuple[tuple[frozenset[str], str], bool]]:
    """Each word that points back, and whether a time or place is named before it.

    It is known again by the words that follow it, or go before it at the end of a sentence.
    """
    previous = before[-1].text if before else ""
    for sentence in sentences:
        for pattern, names in ((_THEN, _names_time), (_THERE, _names_place)):
            for match in pattern.finditer(sentence.text):
                context = f"{previous} {sentence.text[: match.start()]}"
                yield (_around(sentence.text, match), match.group().lower()), names(context)
        previous = sentence.text


def _around(text: str, match: re.Match[str]) -> frozenset[str]:
    """The word before a pointer."""
    return frozenset(text[: match.start()].lower().split()[-1:])


def _names_time(text: str) -> bool:
    return any(entity.kind in ("date", "year", "number") for entity in find_entities(text))


def _names_place(text: str) -> bool:
    return bool(_PLACE.search(text))


def _cut_since(reading: _Reading, sentence: Sentence, words: str, reason: str) -> Edit | None:
    """The edit that takes out an "ever since" at the end of a clause."""
    match = _SINCE.search(sentence.text)
    if not match or words not in match.group().lower():
        return None
    return reading.mend(sentence.words(*match.span()), "", reason, reading.near(sentence))
