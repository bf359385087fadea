"""A last reading of a revised text: what it says twice, and whom it no longer names."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from errata.bounds import check_time
from errata.edits import apply_edits, places_after, rest_on
from errata.records import Edit
from errata.spans import Span, Spans
from errata.tools.local.antecedents import Sentence, is_name, split_draft
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import NEGATIONS, content_stems, split_words

FEWEST = 2
"""How many words a statement has, its topic aside, that counts as said twice."""
MOST_ALIKE = 50
"""In how many sentences a word may be; what is in more repeats by design."""


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
class _Revision:
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


def reread(question: str, draft: str, edits: Sequence[Edit]) -> list[Flaw]:
    """Find what the edits make a text say twice or leave open, in the order of the text.

    What the draft did itself is none of it. A mend takes out a sentence that says nothing but what
    another says, or puts the name in place of a pronoun; it rests on the claims of the edits near.
    """
    if not edits:
        return []
    revision = _Revision(question, draft, edits)
    flaws = [*_find_repeated(revision), *_find_unnamed(revision)]
    by_sentence = {flaw.start: flaw for flaw in reversed(flaws)}
    return [by_sentence[start] for start in sorted(by_sentence)]


def _find_unnamed(revision: _Revision) -> Iterator[Flaw]:
    """An opening that no longer says whom it is about, and pronouns that now mean another."""
    if revision.old and revision.new:
        yield from _check_opening(revision, revision.old[0], revision.new[0])
    named = {sentence.text: sentence.antecedent for sentence in revision.old}
    for number, sentence in enumerate(revision.new[1:], start=1):
        meant = named.get(sentence.text, "")
        now = sentence.antecedent
        is_other = meant and now and is_name(meant) and not set(meant.split()) & set(now.split())
        if (
            is_other
            and set(meant.split()) & revision.words
            and PERSONAL_PRONOUN.match(sentence.text)
        ):
            near = revision.near(revision.new[number - 1])
            yield _name(revision, sentence, meant, near, "its pronoun would mean another")


def _check_opening(revision: _Revision, before: Sentence, after: Sentence) -> Iterator[Flaw]:
    names = revision.topic or (content_stems(before.subject) if is_name(before.subject) else set())
    if not names & content_stems(before.text) or names & content_stems(after.text):
        return
    near = revision.near(after) or revision.edits[:1]
    if PERSONAL_PRONOUN.match(after.text) and is_name(before.subject):
        yield _name(
            revision, after, before.subject, near, "it is the first to speak of its subject"
        )
    elif PERSONAL_PRONOUN.match(after.text):
        yield Flaw(after.start, after.end, "the text no longer says whom it is about", before.text)


def _name(
    revision: _Revision, sentence: Sentence, name: str, near: Sequence[Edit], reason: str
) -> Flaw:
    """A sentence whose leading pronoun becomes a name."""
    pronoun = sentence.text.split()[0]
    start, end = sentence.words(0, len(pronoun))
    mend = revision.mend((start, end), replace_pronoun(pronoun, name), reason, near)
    return Flaw(sentence.start, sentence.end, reason, mend=mend)


def _find_repeated(revision: _Revision) -> Iterator[Flaw]:
    """Sentences that say nothing but what another says, and clauses that another sentence has."""
    index, old = _Index(revision.new, revision.topic), _Index(revision.old, revision.topic)
    gone = set[int]()
    for number, sentence in enumerate(revision.new):
        check_time()
        mine = number in revision.changed
        doubles = [n for n in index.others(number) if mine or n in revision.changed]
        doubles = [
            n for n in doubles if n not in gone and (n < number or not index.same(n, number))
        ]
        if doubles and (mine or len(old.containing(index.stems[number])) <= 1):
            other = revision.new[doubles[0]]
            if mend := _take_out(revision, number, other):
                gone.add(number)
                yield Flaw(sentence.start, sentence.end, _twice(other), other.text, mend)
    yield from _find_repeated_clauses(revision, index, old, gone)


def _find_repeated_clauses(
    revision: _Revision, index: "_Index", old: "_Index", gone: Set[int]
) -> Iterator[Flaw]:
    """The later one of two sentences of which one says what a clause of the other says."""
    for number in range(len(revision.new)):
        check_time()
        for stems in index.clauses(number) if number not in gone else ():
            doubles = index.others(number, stems).difference(gone)
            pairs = [{number, n} for n in doubles if {number, n} & revision.changed]
            if pairs and len(old.containing(stems)) <= 1:
                first, later = sorted(min(pairs, key=max))
                sentence, other = revision.new[later], revision.new[first]
                yield Flaw(sentence.start, sentence.end, _twice(other), other.text)
                break


def _twice(other: Sentence) -> str:
    return f"it says again what another sentence says: {other.text}"


class _Index:
    """Sentences by the stems that they have."""

    def __init__(self, sentences: Sequence[Sentence], topic: frozenset[str]) -> None:
        self.stems = [content_stems(sentence.text) - topic for sentence in sentences]
        self._sentences, self._topic = sentences, topic
        self._about = [_subject_stems(sentence) for sentence in sentences]
        self._denies = [_denies(sentence.text) for sentence in sentences]
        self._holders: dict[str, set[int]] = {}
        for number, stems in enumerate(self.stems):
            for stem in stems:
                self._holders.setdefault(stem, set()).add(number)

    def containing(self, stems: frozenset[str]) -> set[int]:
        """The numbers of the sentences that have all of some stems; none if too many have them."""
        found = sorted((self._holders.get(stem, set()) for stem in stems), key=len)
        return set.intersection(*found) if found and len(found[0]) <= MOST_ALIKE else set()

    def same(self, one: int, other: int) -> bool:
        """Whether two sentences have the same words."""
        return self.stems[one] == self.stems[other]

    def clauses(self, number: int) -> Iterator[frozenset[str]]:
        """The stems of each clause of a sentence that has several, if it names something."""
        sentence = self._sentences[number]
        leaves = list(sentence.clauses.leaves())
        for leaf in leaves if len(leaves) > 1 else ():
            if find_entities(leaf.claim.removeprefix(sentence.antecedent or sentence.subject)):
                yield content_stems(leaf.claim) - self._topic

    def others(self, number: int, stems: frozenset[str] | None = None) -> set[int]:
        """The other sentences about a sentence's subject that have some stems, or all of its."""
        stems = self.stems[number] if stems is None else stems
        if len(stems) < FEWEST:
            return set()
        about, denies = self._about[number], self._denies[number]
        others = self.containing(stems) - {number}
        return {n for n in others if self._about[n] & about and self._denies[n] == denies}


def _subject_stems(sentence: Sentence) -> frozenset[str]:
    """The stems of what a sentence is about, of a pronoun's antecedent in its place."""
    return content_stems(sentence.antecedent or sentence.subject)


def _denies(text: str) -> bool:
    return any(word.text.lower() in NEGATIONS for word in split_words(text))


def _take_out(revision: _Revision, number: int, other: Sentence) -> Edit | None:
    """The edit that takes out a sentence with a space beside it; None where it begins the text."""
    sentence, text = revision.new[number], revision.text
    before = revision.new[number - 1].end if number else -1
    if before < 0 or text[before : sentence.start].strip(" ") or before == sentence.start:
        return None
    following = revision.new[number + 1] if number + 1 < len(revision.new) else None
    if following and following.source == number:
        return None
    reason = "another sentence says the same"
    span = before, sentence.end
    return revision.mend(span, "", reason, revision.near(other, sentence))
