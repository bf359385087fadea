"""What a response states, as a judge reads it: facts kept and gone, FActScore, over-correction."""

import re
from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from math import exp

from errata.core.records import Correction
from errata.evals.items import Item, Row
from errata.evals.judges import Judge, Relation, relate, relate_to_text
from errata.evals.metrics.estimate import Counts
from errata.evals.metrics.family import (
    Family,
    Measure,
    Said,
    facts_of,
    knowledge_of,
    lacking,
    mean_of,
    unread,
)
from errata.methods import Result
from errata.tools.local.extract import extract

GAMMA = 10
"""Of FActScore: how many claims a response should make."""
_ABSTAINS = re.compile(
    r"\W*(?:i(?:['’]m| am)? (?:very )?(?:sorry|afraid)|sorry\b|i apologi[sz]e"
    r"|(?:unfortunately,? )?i (?:do not|don['’]t|did not|didn['’]t) (?:have|know|find)"
    r"|(?:unfortunately,? )?i (?:can(?:not|['’]t)|could(?: not|n['’]t)|am (?:unable|not able)) "
    r"|no answer (?:was )?found|as an ai\b|i have no (?:comment|information)"
    r"|there is no (?:public|available|information))"
    r"|.*\b(?:please|could you) provide more\b",
    re.IGNORECASE,
)


def abstains(response: str) -> bool:
    """Tell whether a response refuses to answer, or is empty.

    >>> abstains("I'm sorry, I could not find who that is."), abstains("Ada was a countess.")
    (True, False)
    """
    return not response.strip() or bool(_ABSTAINS.match(response))


async def split_claims(question: str, response: str) -> list[str]:
    """The claims of a response by local code, each once."""
    claims = await to_thread(extract, question, response)
    return list(dict.fromkeys(claim.text for claim in claims))


async def relate_facts(
    judge: Judge, item: Item, facts: Sequence[str], response: str
) -> list[Relation | None]:
    """Tell which of a draft's facts a response states: all of them if it is the draft."""
    if response == item.draft:
        return ["supported" for _ in facts]
    return list(await relate_to_text(judge, item.question, facts, response))


def _of_facts(labels: Sequence[bool], counts: Callable[[bool, str], bool]) -> Measure:
    """The share of the facts of some labels that count, by label and relation to the response."""

    def count(row: Row, said: Said) -> Counts:
        pairs = zip(facts_of(row.item), said["relations"], strict=True)
        judged = [
            counts(label, relation)
            for (_, label), relation in pairs
            if label in labels and relation is not None
        ]
        return (sum(judged), len(judged))

    return Measure(count, lambda item: (0, sum(label in labels for _, label in facts_of(item))))


def _right(label: bool, relation: str) -> bool:
    """Whether a true fact is kept, or a false one gone."""
    return (relation == "supported") == label


class Facts(Family):
    """What becomes of a draft's facts: RE-EX's correction accuracy and revision accuracy.

    RE-EX (arXiv:2402.17097), section 3.1 and appendix B: of a draft's n facts, `gold["facts"]`,
    people call n_f false. n_ft of those are not entailed by the response, whether it denies them or
    leaves them out; n_tt of the true ones are entailed by it. Correction accuracy is n_ft / n_f,
    revision accuracy (n_ft + n_tt) / n. `false_facts_denied` asks more: the response says
    otherwise. A response that is the draft is not judged. A fact of which the judge's word cannot
    be read counts nowhere but in `unscored`.
    """

    name = "facts"
    measures: Mapping[str, Measure] = {
        "correction_accuracy": _of_facts((False,), _right),
        "revision_accuracy": _of_facts((True, False), _right),
        "true_facts_kept": _of_facts((True,), _right),
        "false_facts_denied": _of_facts((False,), lambda _, relation: relation == "refuted"),
        "unscored": Measure(lambda _, said: unread(said["relations"])),
    }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"relations": [RELATION or null for each fact]}`."""
        facts = [fact for fact, _ in facts_of(item, self.name)]
        relations = await relate_facts(self.judge, item, facts, result.response)
        return {"relations": relations}


def penalty(claims: int) -> float:
    """What a response of so many claims is multiplied by in FActScore.

    >>> penalty(20), round(penalty(5), 3)
    (1.0, 0.368)
    """
    return 1.0 if claims > GAMMA else exp(1 - GAMMA / claims) if claims else 0.0


def _supported(_: Row, said: Said) -> Counts:
    known = [relation for relation in said["relations"] if relation is not None]
    return (known.count("supported"), len(known))


def _mean(row: Row, said: Said) -> Counts:
    part, whole = _supported(row, said)
    return (part / whole, 1) if whole else ()


def _penalised(row: Row, said: Said) -> Counts:
    share = _mean(row, said)
    return (share[0] * penalty(len(said["claims"])), 1) if share else ()


class FactScore(Family):
    """FActScore: the share of a response's claims that a knowledge source supports.

    Min et al. 2023 (arXiv:2305.14251), section 3: the mean over the responses that do not abstain;
    RAC (arXiv:2410.15667, section 5.1) and CRAG measure biographies by it. A response of n <= gamma
    claims is multiplied by exp(1 - gamma / n); the published program has gamma = 10. The source is
    `gold["documents"]`, else the item's documents. A claim of which the judge's word cannot be read
    counts nowhere but in `unscored`, and for the length.
    """

    name = "factscore"
    measures: Mapping[str, Measure] = {
        "factscore": Measure(_penalised, (0, 1)),
        "factscore_without_penalty": Measure(_mean, (0, 1)),
        "responded": Measure(lambda _, said: (not said["abstained"], 1), (0, 1)),
        "unscored": Measure(lambda _, said: unread(said["relations"])),
    }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"abstained", "claims": [TEXT], "relations": [RELATION or null]}`."""
        documents = knowledge_of(item)
        if not documents:
            raise lacking(item, self.name, "`documents`, or documents in the item")
        abstained = abstains(result.response)
        claims = [] if abstained else await split_claims(item.question, result.response)
        relations = list(await relate(self.judge, item.question, claims, documents))
        return {"abstained": not claims, "claims": claims, "relations": relations}


def _new_errors(_: Row, said: Said) -> Counts:
    """How many new claims are not supported; of claims that all were judged."""
    relations: list[str | None] = said["relations"]
    return () if None in relations else (sum(each != "supported" for each in relations), 1)


def _is_flawless(item: Item) -> bool:
    """Whether people found no error in the draft."""
    facts = facts_of(item)
    return all(label for _, label in facts) if facts else item.gold.get("label") is True


class OverCorrection(Family):
    """What is lost and what is new in a response that should only have lost errors.

    RAC (arXiv:2410.15667, limitations) names new errors as a gap, RE-EX (arXiv:2402.17097,
    limitations) that its metrics miss what a deletion costs. A new error is a claim that the
    response makes, the draft does not, and the documents do not support. `needless_changes` is the
    share of drafts without an error that were changed. A failed run kept and changed nothing well.
    """

    name = "overcorrection"
    measures: Mapping[str, Measure] = {
        "new_errors_per_response": Measure(_new_errors),
        "text_kept": mean_of("text_kept", worst=(0, 1)),
        "changed": mean_of("changed"),
        "needless_changes": Measure(
            lambda row, said: (said["changed"], 1) if _is_flawless(row.item) else (),
            lambda item: (1, 1) if _is_flawless(item) else (),
        ),
        "unscored": Measure(lambda _, said: unread(said["relations"])),
    }

    async def score(self, item: Item, result: Result) -> Said:
        """How much of the draft is kept, and what the response claims anew.

        `{"changed", "text_kept", "relations": [RELATION or null for each new claim]}`.
        """
        response, draft, kept = result.response, item.draft, None
        if isinstance(result, Correction):
            draft = result.draft
            gone = sum(edit.end - edit.start for edit in result.edits)
            kept = 1 - gone / len(draft) if draft else None
        new = list[str]()
        if draft != response:
            before = set(await split_claims(item.question, draft))
            claims = await split_claims(item.question, response)
            new = [claim for claim in claims if claim not in before]
        relations = await relate(self.judge, item.question, new, knowledge_of(item))
        return {"changed": response != draft, "text_kept": kept, "relations": list(relations)}
