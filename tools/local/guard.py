"""Guards against what a revision of a draft loses, adds, or makes the text say twice.

RAC leaves hallucinations that revision itself introduces to future work (conclusion, limitations).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from textwrap import shorten

from errata.core.edits import Span, Spans, apply_edits, moved, places_after, rest_on
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Edit, Fix, Verdict
from errata.tools.judges.verifier import verify
from errata.tools.local.changes import group_edits
from errata.tools.local.extract import Sentence, sentence_places, split_draft
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.entities import NUMBER_WORDS, find_entities
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import NEGATIONS, PREFIX, content_stems, split_words, stem_prefixes

LOST = 0.5
"""The share of a supported claim's words without which a sentence lost the claim."""
STRANGE = 2
"""How many words that are neither in the documents nor in the corrections make a new fact."""
_DIGIT = re.compile(r"\d")
FEWEST = 2
"""How many words a statement has, its topic aside, that counts as said twice."""
MOST_ALIKE = 50
"""In how many sentences a word may be; what is in more repeats by design."""
Placed = Spans[tuple[Span, Edit]]
"""The edits of the draft by where their text stands in the revised one."""


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.stem for text in texts for word in split_words(text))


_LINKS = _stems(
    [
        "yes no though although rather however instead besides therefore thus hence apart along",
        "away back together around despite unlike except including namely especially mainly mostly",
        "partly even still yet ever later earlier ahead previously formerly originally",
        "called named known several many various another same different certain likely",
    ]
)
"""Stems of words that state nothing by themselves."""


@dataclass(frozen=True)
class Grounding:
    """What the guard checks edits against."""

    topic: frozenset[str]
    """Stems of what the question is about; that a sentence names it is no fact of its own."""
    supported: Spans[Claim]
    """Where claims begin that are supported; fixed claims are not among them."""
    known: frozenset[str]
    """Stems, and their prefixes, of the question, the draft, the fixes and the documents, where
    names may come from."""
    numbers: frozenset[str]
    """Stems of the question, the fixes with their evidence, and the supported claims, where numbers
    may come from; where nothing was fixed one by one, all that is known."""


def guard(
    question: str,
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str = "",
    verdicts: Sequence[Verdict] = (),
) -> tuple[list[Edit], list[str]]:
    """Drop what a model made of a sentence if that deletes supported facts or adds new ones.

    The edits of a sentence are dropped all or none; there is a note for each sentence. What is
    supported the verdicts say; without any, the verifier with these weights judges. Raises
    OutOfTimeError if not every claim could be judged.
    """
    if documents and not verdicts:
        # Fixed claims are judged, too: a claim's neighbours in the draft count in its verdict.
        verdicts = verify(question, claims, documents, weights)
        check_time()
    may_stay = {v.claim for v in verdicts if v.label in ("supported", "unchecked")}
    stay = may_stay - {fix.claim for fix in fixes}
    supported = [claim for claim in claims if claim.id in stay]
    shown = (quote.text for fix in fixes for quote in fix.evidence)
    given = _stems([question, *shown, *(f.text for f in fixes), *(c.text for c in supported)])
    known = given | _stems([draft, *(d.title + " " + d.text for d in documents)])
    grounding = Grounding(
        topic=topic_stems(question),
        supported=Spans(supported, lambda claim: (claim.start, claim.start + 1)),
        known=known | stem_prefixes(known),
        numbers=given if fixes else known,
    )
    kept_edits, notes = list[Edit](), list[str]()
    for place, own in group_edits(edits, sentence_places(draft)):
        check_time()
        harm = _find_harm(draft, place, own, grounding)
        if harm:
            sentence = shorten(draft[slice(*place)], 60, placeholder=" …")
            notes.append(f"the model's revision of “{sentence}” was not used: it {harm}")
        else:
            kept_edits += own
    return kept_edits, notes


def _find_harm(draft: str, place: Span, edits: Sequence[Edit], grounding: Grounding) -> str:
    """What harm edits do to the sentences of a place; empty if they do none."""
    start, end = place
    before = draft[start:end]
    after = apply_edits(before, [moved(edit, -start) for edit in edits])
    told, left = _stems([before]) - grounding.topic, _stems([after])
    prefixes = stem_prefixes(left)
    for claim in grounding.supported.touching(start, max(end, start + 1)):
        own = content_stems(claim.text) & told
        lost = {stem for stem in own - left if stem[:PREFIX] not in prefixes}
        if (own and len(lost) >= LOST * len(own)) or any(map(_DIGIT.search, lost)):
            return f"no longer says what should stay: {claim.text}"
    new = _new_word(before, after, grounding)
    where = "no correction" if _DIGIT.search(new) else "no document and no correction"
    return f"adds {new!r}, which is in {where}" if new else ""


def _new_word(before: str, after: str, grounding: Grounding) -> str:
    """A word of a fact that a text has and may not have; empty without one.

    One name or number in digits tells of a new fact, or some other words that are nowhere else.
    """
    old = _stems([before]) | _LINKS | NUMBER_WORDS.keys()
    words = {word.stem: word.text for word in split_words(after) if word.is_content}
    new = {stem: text for stem, text in words.items() if stem not in old}
    for stem, text in new.items():
        if _DIGIT.search(text) and stem not in grounding.numbers:
            return text
    names = {stem for entity in find_entities(after) for stem in entity.stems}
    others = [
        stem
        for stem, text in new.items()
        if not _DIGIT.search(text) and grounding.known.isdisjoint((stem, stem[:PREFIX]))
    ]
    first = next((stem for stem in others if stem in names), "")
    return new[first or others[0]] if first or len(others) >= STRANGE else ""


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
