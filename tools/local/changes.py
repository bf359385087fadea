"""What a model rewrote, as edits that make sense alone, each tied to what it rests on."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from errata.bounds import check_time
from errata.edits import apply_edits, diff, join_edits, moved, rest_on
from errata.records import Claim, Edit, Fix, Quote
from errata.spans import Span, Spans
from errata.tools.local.likeness import are_alike, is_aside, widen
from errata.tools.text.words import content_stems, split_words

MOST_ALONE = 6
"""Into how many edits the rewriting of one sentence is taken apart."""
_MARKS = re.compile(r"[()\[\]{}“”\"]")
_FLAW = re.compile(
    r"  |\s[,.;:!?)](?!\.)|[(“]\s|[,;:]\s*[,;:.]|\(\s*\)|\b(\w+)\s+\1\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Ground:
    """What edits rest on: a fix, or the explanation of an error."""

    place: Span
    """Where in the draft it speaks of."""
    stems: frozenset[str]
    """Stems of the words that it takes out or puts in."""
    claims: tuple[str, ...]
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


def ground_fixes(claims: Sequence[Claim], fixes: Sequence[Fix]) -> list[Ground]:
    """The fixes as grounds.

    One that takes a claim out takes out the words that no claim has which stays in the sentence.
    """
    by_id, fixed = {claim.id: claim for claim in claims}, {fix.claim for fix in fixes}
    kept = Spans((c for c in claims if c.id not in fixed), lambda c: (c.start, c.start + 1))
    grounds = []
    for fix in fixes:
        claim = by_id.get(fix.claim)
        if claim:
            others = kept.touching(claim.start, claim.end)
            stems = _changed_stems(claim.text, fix.text, (other.text for other in others))
            place = claim.start, claim.end
            grounds.append(Ground(place, stems, (claim.id,), fix.evidence, fix.explanation))
    return grounds


def _changed_stems(before: str, after: str, kept: Iterable[str]) -> frozenset[str]:
    """The stems of words that a claim has and its fix has not, or the other way round."""
    if after:
        edits = diff(before, after)
        return _content(e.before for e in edits) | _content(e.after for e in edits)
    stems = content_stems(before)
    return stems.difference(*map(content_stems, kept)) or stems


def _content(texts: Iterable[str]) -> frozenset[str]:
    """The stems of some texts, without stopwords if there are other words."""
    words = [word for text in texts for word in split_words(text)]
    return frozenset(w.stem for w in words if w.is_content) or frozenset(w.stem for w in words)


def settle(
    draft: str, edits: Sequence[Edit], sentences: Sequence[Span], grounds: Sequence[Ground]
) -> list[Edit]:
    """The same changes as edits that make sense alone, each tied to the grounds it rests on.

    What was rewritten in a sentence is one edit, or several if each replaces a date, a number, a
    name or a noun by another, or takes out an aside, and rests on grounds of its own. Whichever of
    them are made, the text has no broken brackets, no word twice and no stray mark.
    """
    by_place = Spans(grounds, lambda ground: ground.place)
    settled = []
    for place, own in edits_by_sentence(edits, sentences):
        check_time()
        near = by_place.touching(place[0], max(place[1], place[0] + 1))
        settled += _settle_sentence(draft, place, own, near)
    return settled


def edits_by_sentence(
    edits: Sequence[Edit], sentences: Sequence[Span]
) -> Iterator[tuple[Span, list[Edit]]]:
    """The edits of each sentence, with its place; sentences that one edit spans are one."""
    places = Spans(sentences, lambda sentence: sentence)
    groups: list[tuple[Span, list[Edit]]] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        # What is put in at the end of a sentence is a part of it.
        first = edit.start if edit.before else max(edit.start - 1, 0)
        spans = places.touching(first, max(edit.end, edit.start + 1))
        start = min([edit.start, *(a for a, _ in spans)])
        end = max([edit.end, *(b for _, b in spans)])
        if groups and start < groups[-1][0][1]:
            (first, last), own = groups.pop()
            groups.append(((min(first, start), max(last, end)), [*own, edit]))
        else:
            groups.append(((start, end), [edit]))
    yield from groups


def _settle_sentence(
    draft: str, place: Span, edits: Sequence[Edit], grounds: Sequence[Ground]
) -> list[Edit]:
    """The edits of one sentence, taken apart if that is safe, and tied."""
    start, end = place
    text = draft[start:end]
    changes = widen(text, [moved(edit, -start) for edit in edits])
    touched = [_touched(change, grounds) for change in changes]
    if not (_are_apart(text, changes, touched) and _all_read_well(text, changes)):
        changes, touched = [join_edits(text, changes)], [set().union(*touched)]
    free = set(range(len(grounds))).difference(*touched) or set(range(len(grounds)))
    return [
        rest_on(moved(edit, start), [grounds[n] for n in sorted(own or free)])
        for edit, own in zip(changes, touched, strict=True)
    ]


def _touched(change: Edit, grounds: Sequence[Ground]) -> set[int]:
    """The numbers of the grounds that speak of words which a change takes out or puts in."""
    before, after = _content([change.before]), _content([change.after])
    return {n for n, ground in enumerate(grounds) if ground.stems & (before ^ after)}


def _are_apart(text: str, changes: Sequence[Edit], touched: Sequence[set[int]]) -> bool:
    """Whether all changes of a sentence but one make sense alone, each on grounds of its own."""
    loose = sum(not (are_alike(change) or is_aside(text, change)) for change in changes)
    shared = any(one & other for one, other in combinations(touched, 2))
    return loose <= 1 and not shared and all(touched) and len(changes) <= MOST_ALONE


def _all_read_well(text: str, edits: Sequence[Edit]) -> bool:
    """Whether a sentence has no flaw, and no word too often or too seldom, whichever are made."""
    wanted = apply_edits(text, edits)
    most = _flaws(text) | _flaws(wanted), _count(text) | _count(wanted)
    least = _count(text) & _count(wanted)
    some = (few for size in range(1, len(edits)) for few in combinations(edits, size))
    return all(
        _flaws(new) <= most[0] and least <= _count(new) <= most[1]
        for new in (apply_edits(text, few) for few in some)
    )


def _count(text: str) -> Counter[str]:
    return Counter(word.stem for word in split_words(text) if word.is_content)


def _flaws(text: str) -> Counter[str]:
    """What is wrong with the marks of a text, with numbers: unpaired, doubled, stray."""
    marks = Counter(_MARKS.findall(text))
    pairs = {"()": marks["("] - marks[")"], "[]": marks["["] - marks["]"]}
    pairs |= {"{}": marks["{"] - marks["}"], "“”": marks["“"] - marks["”"], '"': marks['"'] % 2}
    found = Counter(match.group().lower() for match in _FLAW.finditer(text))
    return found + Counter({name: abs(number) for name, number in pairs.items() if number})
