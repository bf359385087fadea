"""FActScore: the share of a response's claims that a knowledge source supports.

Min et al. 2023 (arXiv:2305.14251), section 3: the mean over the responses that do not abstain; RAC
(arXiv:2410.15667, section 5.1) and CRAG measure biographies by it. A response of n <= gamma claims
is multiplied by exp(1 - gamma / n); the published program has gamma = 10.
"""

from collections.abc import Mapping
from math import exp

from errata.evals.items import Item
from errata.evals.judges import Judge, judge_named, relate
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.family import Family, Measure, Said, knowledge_of, lacking
from errata.evals.metrics.responses import abstains, split_claims
from errata.evals.scoring import Row
from errata.methods import Result

GAMMA = 10


class FactScore(Family):
    """How much of a response the gold documents bear out.

    The documents are `gold["documents"]`, else the item's. A claim of which the judge's word cannot
    be read counts nowhere but in `unscored`, and for the length.
    """

    name = "factscore"

    def __init__(self, judge: str | Judge = "local") -> None:
        """Have a judge, by name or as an object."""
        self.judge = judge_named(judge)

    @property
    def measures(self) -> Mapping[str, Measure]:
        """FActScore with and without its penalty, pooled over claims, and what it rests on."""
        return {
            "factscore": Measure(SHARE, _penalised, lambda _: (0, 1)),
            "factscore_without_penalty": Measure(SHARE, _mean, lambda _: (0, 1)),
            "supported_claims": Measure(SHARE, _supported),
            "responded": Measure(
                SHARE, lambda _, said: (not said["abstained"], 1), lambda _: (0, 1)
            ),
            "claims_per_response": Measure(SHARE, _length),
            "unscored": Measure(SHARE, _unscored),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"judge", "abstained", "claims": [TEXT], "relations": [RELATION or null]}`."""
        documents = knowledge_of(item)
        if not documents:
            raise lacking(item, self.name, "`documents`, or documents in the item")
        abstained = abstains(result.response)
        claims = [] if abstained else await split_claims(item.question, result.response)
        relations = await relate(self.judge, item.question, claims, documents)
        return {
            "judge": self.judge.name,
            "abstained": not claims,
            "claims": claims,
            "relations": list(relations),
        }


def penalty(claims: int) -> float:
    """What a response of so many claims is multiplied by.

    >>> penalty(20), round(penalty(5), 3)
    (1.0, 0.368)
    """
    return 1.0 if claims > GAMMA else exp(1 - GAMMA / claims) if claims else 0.0


def _penalised(row: Row, said: Said) -> Counts:
    share = _mean(row, said)
    return (share[0] * penalty(len(said["claims"])), 1) if share else ()


def _mean(_: Row, said: Said) -> Counts:
    known = _known(said)
    return (known.count("supported") / len(known), 1) if known else ()


def _known(said: Said) -> list[str]:
    return [relation for relation in said["relations"] if relation is not None]


def _supported(_: Row, said: Said) -> Counts:
    known = _known(said)
    return (known.count("supported"), len(known))


def _length(_: Row, said: Said) -> Counts:
    return () if said["abstained"] else (len(said["claims"]), 1)


def _unscored(_: Row, said: Said) -> Counts:
    return (said["relations"].count(None), len(said["relations"]))
