"""What becomes of a draft's facts: RE-EX's correction accuracy and revision accuracy.

RE-EX (arXiv:2402.17097), section 3.1 and appendix B: of a draft's n facts people call n_f false.
n_ft of those are not entailed by the response, whether it denies them or leaves them out; n_tt of
the true ones are entailed by it. Correction accuracy is n_ft / n_f, revision accuracy
(n_ft + n_tt) / n.
"""

from collections.abc import Callable, Mapping, Sequence

from errata.evals.items import Item
from errata.evals.judges import Judge, Relation, judge_named, relate_to_text
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.family import Family, Measure, Said, labelled_facts
from errata.evals.scoring import Row
from errata.methods import Result

Kept = Callable[[bool, str], bool]
"""Whether a fact, by its label and its relation to the response, counts for a metric."""


class Facts(Family):
    """Whether false facts are gone and true ones kept; a judge says what the response states.

    The facts are `gold["facts"]`, all stated by the draft; a response that is the draft is not
    judged. A fact of which the judge's word cannot be read counts nowhere but in `unscored`.
    """

    name = "facts"

    def __init__(self, judge: str | Judge = "local") -> None:
        """Have a judge, by name or as an object."""
        self.judge = judge_named(judge)

    @property
    def measures(self) -> Mapping[str, Measure]:
        """RE-EX's two metrics, and what they are made of.

        `false_facts_denied` asks more of a correction: the response says otherwise.
        """
        return {
            "correction_accuracy": _measure((False,), _right),
            "revision_accuracy": _measure((True, False), _right),
            "true_facts_kept": _measure((True,), _right),
            "false_facts_denied": _measure((False,), lambda _, relation: relation == "refuted"),
            "unscored": Measure(SHARE, _unscored),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"judge": NAME, "relations": [RELATION or null for each fact]}`."""
        facts = [fact for fact, _ in labelled_facts(item, self.name)]
        relations = await relate_facts(self.judge, item, facts, result.response)
        return {"judge": self.judge.name, "relations": list(relations)}


async def relate_facts(
    judge: Judge, item: Item, facts: Sequence[str], response: str
) -> Sequence[Relation | None]:
    """Tell which of a draft's facts a response states: all of them if it is the draft."""
    if response == item.draft:
        return tuple[Relation, ...]("supported" for _ in facts)
    return await relate_to_text(judge, item.question, facts, response)


def _right(label: bool, relation: str) -> bool:
    """Whether a true fact is kept, or a false one gone."""
    return (relation == "supported") == label


def _measure(labels: Sequence[bool], counts: Kept) -> Measure:
    """The share of the facts of some labels that count."""

    def count(row: Row, said: Said) -> Counts:
        known = [label for _, label in labelled_facts(row.item, Facts.name)]
        judged = [
            counts(label, relation)
            for label, relation in zip(known, said["relations"], strict=True)
            if label in labels and relation is not None
        ]
        return (sum(judged), len(judged))

    def worst(item: Item) -> Counts:
        return (0, sum(label in labels for _, label in labelled_facts(item, Facts.name)))

    return Measure(SHARE, count, worst)


def _unscored(_: Row, said: Said) -> Counts:
    return (said["relations"].count(None), len(said["relations"]))
