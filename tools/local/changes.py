"""What a model rewrote, as edits that make sense alone, each tied to what it rests on."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from errata.core.edits import Span, Spans, diff, grouped, join_edits, moved, rest_on
from errata.core.limits import check_time
from errata.core.records import Claim, Edit, EditedBy, Fix, Quote
from errata.tools.text.entities import find_entities
from errata.tools.text.words import NEGATIONS, content_stems, split_words

_LEAD = re.compile(
    r"^(?:(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around)"
    r" )?(?:(?:an?|the) )?",
    re.IGNORECASE,
)
"""What may stand before a date, number or name without being a part of it: not "under"."""
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
    by: EditedBy = ""


def ground_fixes(claims: Sequence[Claim], fixes: Sequence[Fix]) -> list[Ground]:
    """The fixes as grounds, each with the stems of words that its claim or its text alone has."""
    by_id, fixed = {claim.id: claim for claim in claims}, {fix.claim for fix in fixes}
    kept = Spans((c for c in claims if c.id not in fixed), lambda c: (c.start, c.start + 1))
    grounds = []
    for fix in (fix for fix in fixes if fix.claim in by_id):
        claim = by_id[fix.claim]
        if fix.text:
            edits = diff(claim.text, fix.text)
            stems = _content(e.before for e in edits) | _content(e.after for e in edits)
        else:  # the words go that no claim has which stays in the sentence
            own = content_stems(claim.text)
            others = kept.touching(claim.start, claim.end)
            stems = own.difference(*(content_stems(other.text) for other in others)) or own
        place = claim.start, claim.end
        grounds.append(Ground(place, stems, (claim.id,), fix.evidence, fix.explanation, fix.by))
    return grounds


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
    for (start, end), rewritten in group_edits(edits, sentences):
        check_time()
        if all(edit.claims for edit in rewritten):
            settled += rewritten
            continue
        text, near = draft[start:end], by_place.touching(start, max(end, start + 1))
        # No date, number or name is cut in two.
        whole = [(entity.start, entity.end) for entity in find_entities(text)]
        groups = group_edits([moved(edit, -start) for edit in rewritten], whole)
        changes = [join_edits(text, some, span) for span, some in groups]
        # The numbers of the grounds that speak of words which a change takes out or puts in.
        words = [_content([change.before]) ^ _content([change.after]) for change in changes]
        touched = [{n for n, ground in enumerate(near) if ground.stems & own} for own in words]
        shared = any(one & other for one, other in combinations(touched, 2))
        loose = sum(not is_swap(change) for change in changes)
        if loose > 1 or shared or not all(touched):
            changes, touched = [join_edits(text, changes)], [set().union(*touched)]
        every = set(range(len(near)))
        free = every.difference(*touched) or every
        for edit, numbers in zip(changes, touched, strict=True):
            rests = [near[n] for n in sorted(numbers or free)]
            settled.append(rest_on(moved(edit, start), rests))
    return settled


def keep_to_grounds(
    edits: Sequence[Edit], sentences: Sequence[Span], grounds: Sequence[Ground]
) -> list[Edit]:
    """The edits without what they change beside the words that grounds speak of.

    That is undone where some other change of the sentence accounts for each of its grounds. What
    has no content of its own, such as an article, stays, and so do words that were moved.
    """
    by_place, kept = Spans(grounds, lambda ground: ground.place), list[Edit]()
    for (start, end), own_edits in group_edits(edits, sentences):
        check_time()
        near = by_place.touching(start, max(end, start + 1))
        spoken_of = frozenset[str]().union(*(ground.stems for ground in near))
        facts = [_facts(edit.before) ^ _facts(edit.after) for edit in own_edits]
        told = frozenset[str]().union(*(own for own in facts if own & spoken_of))
        is_bare = not near or any(ground.stems.isdisjoint(told) for ground in near)
        changes = zip(own_edits, facts, strict=True)
        kept += [e for e, own in changes if is_bare or not own or own & (spoken_of | told)]
    return kept


def _facts(text: str) -> frozenset[str]:
    """The stems of words that state or deny something."""
    words = split_words(text)
    return frozenset(w.stem for w in words if w.is_content or w.text.lower() in NEGATIONS)


def group_edits(edits: Iterable[Edit], spans: Sequence[Span]) -> list[tuple[Span, list[Edit]]]:
    """The edits of each span, such as a sentence, with its place; joined by an edit, two are one.

    What is put in at the end of a span is a part of it. An edit outside of all has its own place.
    """
    places = Spans(spans, lambda span: span)

    def place_of(edit: Edit) -> Span:
        first = edit.start if edit.before else max(edit.start - 1, 0)
        touched = [(edit.start, edit.end), *places.touching(first, max(edit.end, edit.start + 1))]
        return min(start for start, _ in touched), max(end for _, end in touched)

    in_order = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return grouped((place_of(edit), edit) for edit in in_order)


def is_swap(change: Edit) -> bool:
    """Whether a change puts a date, number or name in the place of another."""
    return bool(_kinds(change.before) & _kinds(change.after))


def _kinds(words: str) -> set[str]:
    """The kinds of the entities that a phrase consists of; none if it has other words."""
    text = _LEAD.sub("", words.strip())
    entities = find_entities(text)
    starts, ends = [e.start for e in entities], [e.end for e in entities]
    between = zip([0, *ends], [*starts, len(text)], strict=True)
    if not all(_LINKS.fullmatch(text[start:end]) for start, end in between):
        return set()
    return {"date" if entity.kind == "year" else entity.kind for entity in entities}
