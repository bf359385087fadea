"""The errors planted in the invented drafts, and which verdicts call one supported."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errata.core.records import Correction
from errata.evals.endpoint.matching import clauses_of, find_nearest, tell_apart
from errata.evals.items import Item


@dataclass(frozen=True)
class Planted:
    """One false clause of a draft."""

    clause: str
    wrong: str
    """The words that make it false; the whole clause where the page has nothing like it."""

    def stated_by(self, claim: str) -> bool:
        """Whether a claim states it: the claim is nearest to the clause, and has the words."""
        said = re.search(rf"(?<!\w){re.escape(self.wrong)}(?!\w)", claim)
        return bool(said) and find_nearest(claim.rstrip("."), self.clause).close


def find_planted(item: Item) -> list[Planted]:
    """The clauses of a draft that its page does not have."""
    page = item.documents[0].text
    return list(_planted(item.draft, page))


def _planted(draft: str, page: str) -> Iterator[Planted]:
    for clause in clauses_of(draft):
        nearest = find_nearest(clause, page)
        if nearest.contradicts:
            yield Planted(clause, tell_apart(clause, nearest.text)[0])
        elif not nearest.close:
            yield Planted(clause, clause)


def falsely_supported(item: Item, result: Correction) -> set[tuple[str, str]]:
    """The false clauses that a verdict calls supported, each with its item.

    A claim whose words all stand in one clause of the page is true, whatever clause it is near.
    """
    supported = {v.claim for v in result.verdicts if v.label == "supported"}
    claims = [claim.text for claim in result.claims if claim.id in supported]
    page = item.documents[0].text
    doubtful = [c for c in claims if find_nearest(c.rstrip("."), page).share < 1]
    return {
        (item.id, planted.clause)
        for planted in find_planted(item)
        if any(planted.stated_by(claim) for claim in doubtful)
    }
