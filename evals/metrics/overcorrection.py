"""What a correction spoils: true facts, new errors, the wording of the draft.

RAC (arXiv:2410.15667, limitations) names new errors as a gap, RE-EX (arXiv:2402.17097, limitations)
that its metrics miss what a deletion costs. The edit distance is what RARR's preservation
(arXiv:2210.08726) takes from 1: Levenshtein's, in characters, over the draft's length.
"""

from collections.abc import Mapping

from errata.core.records import Correction
from errata.evals.items import Item
from errata.evals.judges import Judge, judge_named, relate
from errata.evals.metrics.distance import preservation
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.facts import relate_facts
from errata.evals.metrics.family import Family, Measure, Said, facts_of, knowledge_of, mean_of
from errata.evals.metrics.responses import split_claims
from errata.evals.scoring import Row
from errata.methods import Result


class OverCorrection(Family):
    """What is lost and what is new in a response that should only have lost errors.

    A new error is a claim that the response makes, the draft does not, and the documents do not
    bear out. Facts and documents are those of the other scorers; what an item lacks is not counted.
    """

    name = "overcorrection"

    def __init__(self, judge: str | Judge = "local") -> None:
        """Have a judge, by name or as an object."""
        self.judge = judge_named(judge)

    @property
    def measures(self) -> Mapping[str, Measure]:
        """Shares of facts, of responses, of characters; a failed run kept and changed nothing well.

        `needless_changes` is the share of drafts without an error that were changed.
        """
        return {
            "true_facts_kept": Measure(SHARE, _kept, lambda item: (0, len(_true_facts(item)))),
            "with_new_errors": Measure(SHARE, _with_new_errors, lambda _: (1, 1)),
            "new_errors_per_response": Measure(SHARE, _new_errors),
            "edit_distance": Measure(SHARE, mean_of("edit_distance"), lambda _: (1, 1)),
            "text_kept": Measure(SHARE, mean_of("text_kept"), lambda _: (0, 1)),
            "changed": Measure(SHARE, lambda _, said: (said["changed"], 1)),
            "needless_changes": Measure(SHARE, _needless, _needless_at_worst),
            "unscored": Measure(SHARE, _unscored),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """What is kept, how far the texts are apart, and what the response claims anew.

        `{"judge", "changed", "edit_distance", "text_kept", "true_facts": [RELATION or null],
        "new_claims": [TEXT], "relations": [RELATION or null for each new claim]}`.
        """
        draft = result.draft if isinstance(result, Correction) else item.draft
        facts = facts_of(item)
        texts = [text for text, _ in facts]
        stated = await relate_facts(self.judge, item, texts, result.response)
        kept = [relation for (_, label), relation in zip(facts, stated, strict=True) if label]
        new = await _new_claims(item.question, draft, result.response)
        relations = await relate(self.judge, item.question, new, knowledge_of(item))
        return {
            "judge": self.judge.name,
            "changed": result.response != draft,
            "edit_distance": share_edited(draft, result.response),
            "text_kept": share_kept(result),
            "true_facts": kept,
            "new_claims": new,
            "relations": list(relations),
        }


async def _new_claims(question: str, draft: str, response: str) -> list[str]:
    """The claims of a response that are not the draft's."""
    if draft == response:
        return []
    before = set(await split_claims(question, draft))
    return [claim for claim in await split_claims(question, response) if claim not in before]


def share_edited(draft: str, response: str) -> float | None:
    """The characters put in, taken out or replaced over the draft's length, at most 1.

    None where there is no draft.

    >>> round(share_edited("a cat", "a cart"), 3), share_edited("cat", "a whole other text")
    (0.2, 1.0)
    """
    return 1 - preservation(draft, response) if draft else None


def share_kept(result: Result) -> float | None:
    """The share of a draft's characters that no edit touches; None where there is no draft."""
    if not isinstance(result, Correction) or not result.draft:
        return None
    gone = sum(edit.end - edit.start for edit in result.edits)
    return 1 - gone / len(result.draft)


def _true_facts(item: Item) -> list[str]:
    return [fact for fact, label in facts_of(item) if label]


def _kept(_: Row, said: Said) -> Counts:
    known = [relation for relation in said["true_facts"] if relation is not None]
    return (known.count("supported"), len(known))


def _errors(said: Said) -> int | None:
    """How many new claims are not borne out; None where one could not be judged."""
    relations: list[str | None] = said["relations"]
    if None in relations:
        return None
    return sum(relation != "supported" for relation in relations)


def _with_new_errors(_: Row, said: Said) -> Counts:
    errors = _errors(said)
    return () if errors is None else (errors > 0, 1)


def _new_errors(_: Row, said: Said) -> Counts:
    errors = _errors(said)
    return () if errors is None else (errors, 1)


def _is_flawless(item: Item) -> bool:
    """Whether people found no error in the draft."""
    facts = facts_of(item)
    return all(label for _, label in facts) if facts else item.gold.get("label") is True


def _needless(row: Row, said: Said) -> Counts:
    return (said["changed"], 1) if _is_flawless(row.item) else ()


def _needless_at_worst(item: Item) -> Counts:
    return (1, 1) if _is_flawless(item) else ()


def _unscored(_: Row, said: Said) -> Counts:
    judged = [*said["true_facts"], *said["relations"]]
    return (judged.count(None), max(1, len(judged)))
