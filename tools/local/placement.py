"""Places in a draft for claims that a model took out of it, in the draft's order."""

from collections.abc import Iterable, Sequence

from errata.core.edits import Span
from errata.core.limits import check_time
from errata.core.records import Claim
from errata.tools.local.antecedents import sentence_places
from errata.tools.text.citations import find_marks, strip_marks
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import content_stems, split_stems

STEP_BACK = 0.5
"""By how much of the best match an earlier sentence must fit better than one further on."""
SKIP = 0.01
"""The same for each sentence that is passed over, at most ten of them."""
_FARTHEST = 10
_CANDIDATES = 24
"""How many sentences are compared for one claim."""


def place_claims(draft: str, texts: Sequence[str]) -> list[Claim]:
    """Turn texts into claims, each placed at its sentence; they come in the draft's order.

    A claim's sentence is not before the one of the claim before it, unless it clearly fits only
    there. A text that shares no word with the draft is placed at all of it.
    """
    spans = sentence_places(draft) or [(0, len(draft))]
    texts = [strip_marks(text) for text in texts]
    ranking = Ranking([split_stems(strip_marks(draft[start:end])) for start, end in spans])
    bags = [content_stems(text) for text in texts]
    repeated = _repeated(bags)
    places, last = list[Span](), 0
    for text, bag in zip(texts, bags, strict=True):
        check_time()
        telling = sorted(bag - repeated) or split_stems(text)
        found = dict(ranking.best(telling, _CANDIDATES))
        top = max(found.values(), default=1.0)
        last = max(found, key=lambda n: found[n] / top - _cost(n - last), default=last)
        places.append(spans[last] if found else (0, len(draft)))
    return as_claims(draft, zip(texts, places, strict=True))


def as_claims(draft: str, placed: Iterable[tuple[str, Span]]) -> list[Claim]:
    """Texts and the places of their sentences as claims, with the sentences' citation marks."""
    return [
        Claim(id=f"c{number}", text=text, start=a, end=b, citations=_marks_in(draft[a:b]))
        for number, (text, (a, b)) in enumerate(placed, start=1)
    ]


def _marks_in(sentence: str) -> tuple[str, ...]:
    return tuple(sentence[start:end] for start, end in find_marks(sentence))


def _cost(distance: int) -> float:
    """What it costs to go on to another sentence, forward or back."""
    return STEP_BACK if distance < 0 else SKIP * min(max(distance - 1, 0), _FARTHEST)


def claim_spoken_of(claims: Sequence[Claim], text: str) -> Claim | None:
    """The claim that a text speaks of: the one whose words it has, rare ones before common ones.

    None if it has no word of any but those that all claims have, which tell none from another.
    """
    bags = [content_stems(claim.text) for claim in claims]
    ranking = Ranking([sorted(bag) for bag in bags])
    found = ranking.best(sorted(content_stems(text) - _repeated(bags)), 1)
    return claims[found[0][0]] if found else None


def _repeated(bags: Sequence[frozenset[str]]) -> frozenset[str]:
    """The stems that all of several texts have: a name in every claim tells none from another."""
    return frozenset.intersection(*bags) if len(bags) > 1 else frozenset()
