"""Judge every claim by the documents (section 4.2)."""

import re
from asyncio import gather, to_thread
from collections.abc import Mapping, Sequence
from typing import TypedDict

from errata.errors import OutOfTimeError
from errata.nodes.ask import ask, number_claims, number_documents
from errata.nodes.ledger import note, spend
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.step import step
from errata.progress import report_progress
from errata.records import Claim, Document, Usage, Verdict, VerdictLabel
from errata.tools.judges.disputes import mark_disputes
from errata.tools.judges.verifier import OTHER_LANGUAGE, attach_quotes
from errata.tools.judges.verifier import verify as verify_locally
from errata.tools.text.language import MAX_CHARACTERS, detect_foreign_draft

TEMPLATE = "rac/verify"
_LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    "notmentioned": "not_mentioned",
}
_LINE = re.compile(
    r"^\W*(?:(?:statement|claim|fact)\s*)?#?(?P<number>\d{1,4})\s*[\W_]\s*\W*"
    r"(?P<label>true|false|not[\s_-]*mentioned)\b(?!\s*(?:\||/|or\b))",
    re.IGNORECASE | re.MULTILINE,
)


class Verified(TypedDict):
    """The verdicts."""

    verdicts: list[Verdict]


@step
async def verify(state: Rac, context: RacContext) -> Verified:
    """Judge every claim; one that cannot be judged says so and counts as nothing."""
    claims, rest = state.claims[: context.max_claims], state.claims[context.max_claims :]
    language = await to_thread(_language_of_all, state.draft)
    verdicts = await judge_claims(state.question, claims, state.documents, context, language)
    if rest:
        note(f"{len(rest)} claims over max_claims={context.max_claims} were not checked")
    return {"verdicts": [*verdicts, *unchecked(rest, "over max_claims")]}


async def judge_claims(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    context: RacContext,
    language: str = "",
) -> list[Verdict]:
    """A verdict on each claim, from local code, a model, or both in a cascade.

    `language` is that of all claims, if it is known not to be English.
    """
    if not claims:
        return []
    by_model = context.model_for("verify") is not None
    if by_model and not context.cascades("verify"):
        return await _by_model(question, claims, documents, context)
    if language:
        verdicts = unchecked(claims, f"{OTHER_LANGUAGE} {language!r}")
    else:
        weights = context.weights("verify")
        verdicts = await to_thread(verify_locally, question, claims, documents, weights)
    foreign = [v for v in verdicts if v.explanation.startswith(OTHER_LANGUAGE)]
    if by_model:
        unsure = [c for c, v in zip(claims, verdicts, strict=True) if _unsure(v, context)]
        return await _escalate(question, unsure, verdicts, documents, context)
    if foreign:
        note(f"{len(foreign)} of {len(claims)} claims not judged: {foreign[0].explanation}")
    return verdicts


def _language_of_all(draft: str) -> str:
    """The language of a draft that was read whole to find it, if it is not English.

    It tells more than a short sentence can: alone, "Murió en 1934." might be English.
    """
    return detect_foreign_draft(draft) if len(draft) <= MAX_CHARACTERS else ""


def unchecked(claims: Sequence[Claim], explanation: str = "") -> list[Verdict]:
    """The verdicts on claims that nothing judged."""
    return [Verdict(claim=c.id, label="unchecked", explanation=explanation) for c in claims]


def _unsure(verdict: Verdict, context: RacContext) -> bool:
    """Whether local code passes a claim to the model: CRAG's ambiguous, or in another language."""
    score = verdict.score
    if score is None:
        return verdict.explanation.startswith(OTHER_LANGUAGE)
    return context.sure_below <= score <= context.sure_above


async def _escalate(
    question: str,
    unsure: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    context: RacContext,
) -> list[Verdict]:
    """Local verdicts, with a model's on the unsure claims; usage says how many these were."""
    second = await _by_model(question, unsure, documents, context)
    by_claim = {verdict.claim: verdict for verdict in (*verdicts, *second)}
    share = {"claims": float(len(by_claim)), "escalated": float(len(unsure))}
    spend(Usage(by_role={"verify": share}))
    return list(by_claim.values())


async def _by_model(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], context: RacContext
) -> list[Verdict]:
    """A model's verdicts, a batch of claims in each reply and all batches at once."""
    size = context.claims_per_call
    batches = [claims[i : i + size] for i in range(0, len(claims), size)]
    values = {"question": question, "documents": number_documents(documents)}
    done = 0

    async def judge(batch: Sequence[Claim]) -> list[Verdict]:
        nonlocal done
        verdicts = await _judge_batch(batch, context, values)
        done += len(batch)
        report_progress(done, len(claims))
        return verdicts

    parts = await gather(*map(judge, batches))
    verdicts = [verdict for part in parts for verdict in part]
    quoted = await to_thread(attach_quotes, claims, verdicts, documents)
    try:
        return await to_thread(mark_disputes, question, claims, quoted, documents)
    except OutOfTimeError as error:
        note(f"whether the documents disagree was not checked: {error}")
        return quoted


async def _judge_batch(
    claims: Sequence[Claim], context: RacContext, values: Mapping[str, str], *, again: bool = True
) -> list[Verdict]:
    """A model's verdicts in one reply; claims that it leaves out are asked about once more."""
    numbered = number_claims(claims)
    consequence = f"{len(claims)} claims were not checked"
    reply = await ask(context, "verify", TEMPLATE, if_failed=consequence, **values, claims=numbered)
    if reply.failure:
        return unchecked(claims)
    labels = read_labels(reply.text, len(claims))
    verdicts = {c.id: Verdict(claim=c.id, label=x) for c, x in zip(claims, labels, strict=True)}
    left_out = [claim for claim in claims if verdicts[claim.id].label == "unreadable"]
    if left_out and again:
        repair = await _judge_batch(left_out, context, values, again=False)
        verdicts |= {verdict.claim: verdict for verdict in repair}
    elif left_out:
        tag = context.template(TEMPLATE).tag
        note(f"the reply to {tag} held no verdict for {len(left_out)} claims")
    return list(verdicts.values())


def read_labels(reply: str, count: int) -> list[VerdictLabel]:
    r"""One label a claim; the last one that the reply has for a number counts.

    >>> read_labels("1: True\n2. Not Mentioned", 3)
    ['supported', 'not_mentioned', 'unreadable']
    """
    labels: list[VerdictLabel] = ["unreadable"] * count
    for match in _LINE.finditer(reply):
        number = int(match["number"])
        if 1 <= number <= count:
            labels[number - 1] = _LABELS[re.sub(r"[\s_-]", "", match["label"].lower())]
    return labels
