"""Judge every claim by the documents (section 4.2)."""

import re
from asyncio import gather, to_thread
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, joined, listed, spent
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Claim, Document, Usage, Verdict, VerdictLabel
from errata.tools.judges.verifier import attach_quotes
from errata.tools.judges.verifier import verify as local
from errata.tools.text.language import detect_foreign_language

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
    """Add the verdicts."""

    verdicts: list[Verdict]
    usage: Usage
    notes: list[str]


class Judged(NamedTuple):
    """Hold verdicts, what they cost, and what went wrong."""

    verdicts: list[Verdict]
    usage: Usage
    notes: list[str]


@step
async def verify(state: Rac, runtime: Runtime[RacContext]) -> Verified:
    """Judge every claim; what cannot be judged says so and counts as nothing."""
    context = settings(runtime)
    claims, rest = state.claims[: context.max_claims], state.claims[context.max_claims :]
    over = [Verdict(claim=c.id, label="unchecked", explanation="over max_claims") for c in rest]
    verdicts, usage, notes = await judged(state.question, claims, state.documents, context)
    if rest:
        notes.append(f"{len(rest)} claims over max_claims={context.max_claims} were not checked")
    return {
        "verdicts": [*verdicts, *over],
        "usage": usage,
        "notes": notes,
    }


async def judged(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], context: RacContext
) -> Judged:
    """Judge claims by whatever fills the role: local code, or one call to a model."""
    model = context.filler("verify")
    if not claims:
        return Judged([], Usage(), [])
    if model is not None and not context.cascades("verify"):
        return await _asked(question, claims, documents, context, model)
    language = await to_thread(detect_foreign_language, " ".join(claim.text for claim in claims))
    if language and model is not None:
        return await _escalated(question, claims, [], documents, context, model)
    if language:
        return Judged(_abstained(claims, language), Usage(), [abstention(language)])
    weights = context.weights("verify")
    verdicts = await to_thread(local, question, claims, documents, weights)
    if model is None:
        return Judged(verdicts, Usage(), [])
    unsure = [c for c, v in zip(claims, verdicts, strict=True) if _unsure(v, context)]
    return await _escalated(question, unsure, verdicts, documents, context, model)


def _unsure(verdict: Verdict, context: RacContext) -> bool:
    """Tell whether local code leaves a claim to the model: CRAG's ambiguous, for a claim."""
    score = verdict.score
    return score is not None and context.sure_below <= score <= context.sure_above


async def _escalated(
    question: str,
    unsure: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    context: RacContext,
    model: BaseChatModel,
) -> Judged:
    """Have a model judge what local code is unsure of, and say how much that was."""
    asked = await _asked(question, unsure, documents, context, model)
    by_id = {verdict.claim: verdict for verdict in (*verdicts, *asked.verdicts)}
    share = {"claims": float(len(by_id)), "escalated": float(len(unsure))}
    usage = asked.usage + Usage(by_role={"verify": share})
    return Judged(list(by_id.values()), usage, asked.notes)


async def _asked(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    context: RacContext,
    model: BaseChatModel,
) -> Judged:
    """Have a model judge the claims, a batch in each reply and all batches at once."""
    size = context.claims_per_call
    batches = [claims[i : i + size] for i in range(0, len(claims), size)]
    values = {"question": question, "documents": joined(documents)}
    parts = await gather(*(_batch(batch, context, model, values) for batch in batches))
    verdicts = [verdict for part in parts for verdict in part.verdicts]
    usage = sum((part.usage for part in parts), Usage())
    notes = [note for part in parts for note in part.notes]
    return Judged(await to_thread(attach_quotes, claims, verdicts, documents), usage, notes)


async def _batch(
    claims: Sequence[Claim],
    context: RacContext,
    model: BaseChatModel,
    values: Mapping[str, str],
    *,
    again: bool = True,
) -> Judged:
    """Have a model judge claims in one reply; ask once more for those it left out."""
    try:
        name = "rac/verify.v1"
        reply = await asked(context, model, "verify", name, **values, claims=listed(claims))
    except (ChatError, ReplyError) as error:
        unchecked = [Verdict(claim=claim.id, label="unchecked") for claim in claims]
        return Judged(unchecked, spent(error), [f"{len(claims)} claims were not checked: {error}"])
    labels = read_labels(reply.text, len(claims))
    verdicts = {c.id: Verdict(claim=c.id, label=x) for c, x in zip(claims, labels, strict=True)}
    lost = [claim for claim in claims if verdicts[claim.id].label == "unreadable"]
    if lost and again:
        repair = await _batch(lost, context, model, values, again=False)
        verdicts |= {verdict.claim: verdict for verdict in repair.verdicts}
        return Judged(list(verdicts.values()), reply.usage + repair.usage, repair.notes)
    notes = []
    if lost:
        tag = context.template(name).tag
        notes.append(f"the reply to {tag} held no verdict for {len(lost)} claims")
    return Judged(list(verdicts.values()), reply.usage, notes)


def read_labels(reply: str, count: int) -> list[VerdictLabel]:
    r"""Read one label a claim; the last one given for a number holds.

    >>> read_labels("1: True\n2. Not Mentioned", 3)
    ['supported', 'not_mentioned', 'unreadable']
    """
    labels: list[VerdictLabel] = ["unreadable"] * count
    for match in _LINE.finditer(reply):
        number = int(match["number"])
        if 1 <= number <= count:
            labels[number - 1] = _LABELS[re.sub(r"[\s_-]", "", match["label"].lower())]
    return labels


def _abstained(claims: Sequence[Claim], language: str) -> list[Verdict]:
    return [
        Verdict(claim=c.id, label="unchecked", explanation=abstention(language)) for c in claims
    ]


def abstention(language: str) -> str:
    """Say that local code does not judge a language."""
    return f"the local fillers know English; this draft looks like {language!r} and was not judged"
