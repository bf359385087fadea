"""What a model rewrote, as edits that make sense alone, each tied to what it rests on."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from errata.core.edits import Span, Spans, diff, join_edits, moved, rest_on
from errata.core.limits import check_time
from errata.core.records import Claim, Edit, Fix, Quote
from errata.tools.text.entities import find_entities
from errata.tools.text.words import content_stems, split_words

_LEAD = re.compile(
    r"^(?:(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around)"
    r" )?(?:(?:an?|the) )?",
    re.IGNORECASE,
)
"""What may stand before a date, number or name without being a part of it."""
_LINKS = re.compile(r"(?:[\s,&–-]|\b(?:and|or|to|the|of)\b)*")


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

    What was rewritten in a sentence is one edit, or several if all but one replace a date, a
    number or a name by another and each rests on grounds of its own: whichever of them are
    made, the sentence reads well.
    """
    by_place = Spans(grounds, lambda ground: ground.place)
    settled = []
    for place, own in group_edits(edits, sentences):
        check_time()
        near = by_place.touching(place[0], max(place[1], place[0] + 1))
        settled += _settle_sentence(draft, place, own, near)
    return settled


def group_edits(edits: Iterable[Edit], spans: Sequence[Span]) -> list[tuple[Span, list[Edit]]]:
    """The edits of each span, such as a sentence, with its place; joined by an edit, two are one.

    What is put in at the end of a span is a part of it. An edit outside of all has its own place.
    """
    places = Spans(spans, lambda span: span)
    groups: list[tuple[Span, list[Edit]]] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        first = edit.start if edit.before else max(edit.start - 1, 0)
        touched = places.touching(first, max(edit.end, edit.start + 1))
        start = min([edit.start, *(a for a, _ in touched)])
        end = max([edit.end, *(b for _, b in touched)])
        own = [edit]
        if groups and start < groups[-1][0][1]:
            (first, last), before = groups.pop()
            start, end, own = min(first, start), max(last, end), [*before, edit]
        groups.append(((start, end), own))
    return groups


def _settle_sentence(
    draft: str, place: Span, edits: Sequence[Edit], grounds: Sequence[Ground]
) -> list[Edit]:
    """The edits of one sentence, taken apart if that is safe, and tied."""
    start, end = place
    text = draft[start:end]
    # No date, number or name is cut in two.
    whole = [(entity.start, entity.end) for entity in find_entities(text)]
    groups = group_edits([moved(edit, -start) for edit in edits], whole)
    changes = [join_edits(text, own, span) for span, own in groups]
    touched = [_touched(change, grounds) for change in changes]
    shared = any(one & other for one, other in combinations(touched, 2))
    loose = sum(not is_swap(change) for change in changes)
    if loose > 1 or shared or not all(touched):
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


def is_swap(change: Edit) -> bool:
    """Whether a change puts a date, number or name in the place of another."""
    before, after = (_LEAD.sub("", text.strip()) for text in (change.before, change.after))
    return bool(_kinds(before) & _kinds(after))


def _kinds(text: str) -> set[str]:
    """The kinds of the entities that a phrase consists of; none if it has other words."""
    entities = find_entities(text)
    starts, ends = [e.start for e in entities], [e.end for e in entities]
    between = zip([0, *ends], [*starts, len(text)], strict=True)
    if not all(_LINKS.fullmatch(text[start:end]) for start, end in between):
        return set()
    return {"date" if entity.kind == "year" else entity.kind for entity in entities}
