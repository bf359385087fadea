"""What the revision of a draft made it say twice."""

from collections.abc import Iterator, Sequence, Set

from errata.bounds import check_time
from errata.records import Edit
from errata.tools.local.antecedents import Sentence
from errata.tools.local.reading import Flaw, Reading
from errata.tools.text.entities import find_entities
from errata.tools.text.words import NEGATIONS, content_stems, split_words

FEWEST = 2
"""How many words a statement has, its topic aside, that counts as said twice."""
MOST_ALIKE = 50
"""In how many sentences a word may be; what is in more repeats by design."""


def find_repeated(reading: Reading) -> Iterator[Flaw]:
    """Sentences that say nothing but what another says, and clauses that another sentence has."""
    index, old = _Index(reading.new, reading.topic), _Index(reading.old, reading.topic)
    gone = set[int]()
    for number, sentence in enumerate(reading.new):
        check_time()
        mine = number in reading.changed
        doubles = [n for n in index.others(number) if mine or n in reading.changed]
        doubles = [
            n for n in doubles if n not in gone and (n < number or not index.same(n, number))
        ]
        if doubles and (mine or len(old.containing(index.stems[number])) <= 1):
            other = reading.new[doubles[0]]
            if mend := _take_out(reading, number, other):
                gone.add(number)
                yield Flaw(sentence.start, sentence.end, _twice(other), other.text, mend)
    yield from _find_repeated_clauses(reading, index, old, gone)


def _find_repeated_clauses(
    reading: Reading, index: "_Index", old: "_Index", gone: Set[int]
) -> Iterator[Flaw]:
    """The later one of two sentences of which one says what a clause of the other says."""
    for number in range(len(reading.new)):
        check_time()
        for stems in index.clauses(number) if number not in gone else ():
            doubles = index.others(number, stems).difference(gone)
            pairs = [{number, n} for n in doubles if {number, n} & reading.changed]
            if pairs and len(old.containing(stems)) <= 1:
                first, later = sorted(min(pairs, key=max))
                sentence, other = reading.new[later], reading.new[first]
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


def _take_out(reading: Reading, number: int, other: Sentence) -> Edit | None:
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
