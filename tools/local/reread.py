"""A last reading of a revised text: what it says twice."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from errata.core.edits import Span, Spans, apply_edits, places_after, rest_on
from errata.core.limits import check_time
from errata.core.records import Edit
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import NEGATIONS, content_stems, split_words

FEWEST = 2
"""How many words a statement has, its topic aside, that counts as said twice."""
MOST_ALIKE = 50
"""In how many sentences a word may be; what is in more repeats by design."""
Placed = Spans[tuple[Span, Edit]]
"""The edits of the draft by where their text stands in the revised one."""


@dataclass(frozen=True)
class Flaw:
    """What a revised text says twice."""

    start: int
    """Where the sentence begins in the revised text; `end` is where it ends."""
    end: int
    reason: str
    """What is wrong with it, in words."""
    near: str = ""
    """The sentence that says the same."""
    mend: Edit | None = None
    """The edit of the revised text that mends it, where that is certain."""


def reread(question: str, draft: str, edits: Sequence[Edit]) -> list[Flaw]:
    """Find what the edits make a text say twice, in the order of the text.

    What the draft did itself is none of it. A mend takes out a sentence that says nothing but what
    another says; it rests on the claims of the edits near.
    """
    if not edits:
        return []
    text = apply_edits(draft, edits)
    old, new = split_draft(question, draft), split_draft(question, text)
    placed = Spans(places_after(edits), lambda item: (item[0][0], item[0][1] + 1))
    flaws = dict[int, Flaw]()
    for flaw in _find_repeated(text, placed, old, new, topic_stems(question)):
        flaws.setdefault(flaw.start, flaw)
    return [flaws[start] for start in sorted(flaws)]


def _find_repeated(
    text: str,
    placed: Placed,
    old: Sequence[Sentence],
    new: Sequence[Sentence],
    topic: frozenset[str],
) -> Iterator[Flaw]:
    """Sentences and clauses that another sentence has, where the draft does not have both."""
    index, before = _Index(new, topic), _Index(old, topic)
    changed, gone = _find_changed(old, new), set[int]()

    def others(number: int, stems: frozenset[str]) -> set[int]:
        """The sentences that say the same, where an edit made it so."""
        check_time()
        found = {n for n in index.holding(number, stems) - gone if changed & {n, number}}
        return found if found and len(before.containing(stems)) <= 1 else set()

    for number, sentence in enumerate(new):
        stems = index.stems[number]
        doubles = [n for n in others(number, stems) if n < number or index.stems[n] != stems]
        if doubles:
            other = new[min(doubles)]
            if mend := _take_out(text, placed, new, number, other):
                gone.add(number)
                yield _flaw(sentence, other, mend)
    for number, sentence in enumerate(new):
        claims = parse_clauses(sentence.text, sentence.antecedents) if number not in gone else []
        for claim in claims if len(claims) > 1 else ():
            if found := others(number, content_stems(claim) - topic):
                first, later = sorted((number, min(found)))
                yield _flaw(new[later], new[first])
                break


def _flaw(sentence: Sentence, other: Sentence, mend: Edit | None = None) -> Flaw:
    reason = f"it says again what another sentence says: {other.text}"
    return Flaw(sentence.start, sentence.end, reason, other.text, mend)


def _find_changed(old: Sequence[Sentence], new: Sequence[Sentence]) -> Set[int]:
    """The numbers of the new sentences that the draft does not have."""
    known, changed = Counter(sentence.text for sentence in old), set[int]()
    for number, sentence in enumerate(new):
        known[sentence.text] -= 1
        if known[sentence.text] < 0:
            changed.add(number)
    return changed


class _Index:
    """Sentences by the stems that they have."""

    def __init__(self, sentences: Sequence[Sentence], topic: frozenset[str]) -> None:
        self.stems = [content_stems(sentence.text) - topic for sentence in sentences]
        self._about = [content_stems(s.antecedent or s.subject) for s in sentences]
        words = ({word.text.lower() for word in split_words(s.text)} for s in sentences)
        self._denies = [not NEGATIONS.isdisjoint(own) for own in words]
        self._holders: dict[str, set[int]] = {}
        for number, stems in enumerate(self.stems):
            for stem in stems:
                self._holders.setdefault(stem, set()).add(number)

    def containing(self, stems: frozenset[str]) -> set[int]:
        """The numbers of the sentences that have all of some stems; none if too many have them."""
        found = sorted((self._holders.get(stem, set()) for stem in stems), key=len)
        return set.intersection(*found) if found and len(found[0]) <= MOST_ALIKE else set()

    def holding(self, number: int, stems: frozenset[str]) -> set[int]:
        """The other sentences about a sentence's subject that have some stems."""
        about, denies = self._about[number], self._denies[number]
        others = self.containing(stems) - {number} if len(stems) >= FEWEST else set[int]()
        return {n for n in others if self._about[n] & about and self._denies[n] == denies}


def _take_out(
    text: str, placed: Placed, sentences: Sequence[Sentence], number: int, other: Sentence
) -> Edit | None:
    """The edit that takes out a sentence with a space beside it; None where it begins the text."""
    sentence, following = sentences[number], sentences[number + 1 : number + 2]
    start, end = sentences[number - 1].end if number else -1, sentence.end
    if start < 0 or text[start : sentence.start].strip(" ") or start == sentence.start:
        return None
    if any(next_one.source == number for next_one in following):
        return None
    near = [edit for s in (other, sentence) for _, edit in placed.touching(s.start, s.end + 1)]
    edit = rest_on(Edit(start=start, end=end, before=text[start:end], after=""), near)
    return replace(edit, explanation="another sentence says the same")
