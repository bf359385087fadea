"""FActScore: the share of a response's claims that a knowledge source supports.

Min et al. 2023 (arXiv:2305.14251), section 3: the mean over the responses that do not abstain; RAC
(arXiv:2410.15667, section 5.1) and CRAG measure biographies by it. A response of n <= gamma claims
is multiplied by exp(1 - gamma / n); the published program has gamma = 10.
"""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path

from errata.core.records import Document
from errata.evals.items import Item
from errata.evals.judges import Judge, judge_named, relate
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.family import Family, Measure, Said, knowledge_of, lacking
from errata.evals.metrics.responses import ClaimLists, abstains
from errata.evals.scoring import Row
from errata.methods import Result
from errata.tools.retrieval.index import search

GAMMA = 10
TOP_K = 5
"""How many passages are retrieved for a claim (section 4.1)."""


class FactScore(Family):
    """How much of a response the gold documents bear out.

    Claims are split off by local code or a model. The documents are what an index of a knowledge
    source has for each claim about `gold["entity"]`, else `gold["documents"]`, else the item's. A
    claim of which the judge's word cannot be read counts nowhere but in `unscored`,
    and for the length.
    """

    name = "factscore"

    def __init__(
        self,
        judge: str | Judge = "local",
        claims: str = "local",
        gamma: float = GAMMA,
        knowledge: str = "",
    ) -> None:
        """Have a judge, who splits off claims, gamma (0 is no penalty), and an index's folder."""
        self.judge = judge_named(judge)
        self.claims = ClaimLists(claims)
        self.gamma = gamma
        self.knowledge = knowledge

    @property
    def measures(self) -> Mapping[str, Measure]:
        """FActScore with and without its penalty, pooled over claims, and what it rests on."""
        return {
            "factscore": Measure(SHARE, self._penalised, lambda _: (0, 1)),
            "factscore_without_penalty": Measure(SHARE, _mean, lambda _: (0, 1)),
            "supported_claims": Measure(SHARE, _supported),
            "responded": Measure(
                SHARE, lambda _, said: (not said["abstained"], 1), lambda _: (0, 1)
            ),
            "claims_per_response": Measure(SHARE, _length),
            "unscored": Measure(SHARE, _unscored),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"judge", "abstained", "claims": [TEXT], "relations": [RELATION or null]}`.

        A list of claims that a model failed to write is null.
        """
        if not (self.knowledge or knowledge_of(item)):
            raise lacking(item, self.name, "`documents`, or documents in the item, or an index")
        abstained = abstains(result.response)
        claims = [] if abstained else await self.claims.split(item.question, result.response)
        documents = await self._documents(item, claims or ())
        relations = await relate(self.judge, item.question, claims or (), documents)
        return {
            "judge": self.judge.name,
            "abstained": abstained or claims == [],
            "claims": claims,
            "relations": list(relations),
        }

    async def _documents(self, item: Item, claims: Sequence[str]) -> list[Document]:
        """What claims are judged by, each page once."""
        if not self.knowledge:
            return knowledge_of(item)
        topic = item.gold.get("entity", item.question)
        queries = [f"{topic} {claim}" for claim in claims]
        found = await to_thread(_search_all, queries, Path(self.knowledge))
        return list({(page.title, page.text): page for page in found}.values())

    def _penalised(self, _: Row, said: Said) -> Counts:
        share = _mean(_, said)
        return (share[0] * penalty(len(said["claims"]), self.gamma), 1) if share else ()


def _search_all(queries: Sequence[str], index: Path) -> list[Document]:
    return [page for query in queries for page in search(query, index, TOP_K)]


def penalty(claims: int, gamma: float) -> float:
    """What a response of so many claims is multiplied by.

    >>> penalty(20, 10), round(penalty(5, 10), 3), penalty(5, 0)
    (1.0, 0.368, 1.0)
    """
    return 1.0 if claims > gamma else exp(1 - gamma / claims) if claims else 0.0


def _mean(_: Row, said: Said) -> Counts:
    known = _known(said)
    return (known.count("supported") / len(known), 1) if known else ()


def _known(said: Said) -> list[str]:
    return [relation for relation in said["relations"] if relation is not None]


def _supported(_: Row, said: Said) -> Counts:
    known = _known(said)
    return (known.count("supported"), len(known))


def _length(_: Row, said: Said) -> Counts:
    return () if said["abstained"] or said["claims"] is None else (len(said["claims"]), 1)


def _unscored(_: Row, said: Said) -> Counts:
    if said["claims"] is None:
        return (1, 1)
    return (said["relations"].count(None), len(said["relations"]))
