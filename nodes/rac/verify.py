"""Judge every claim by the documents (section 4.2)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.asking import asked, joined, listed
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Claim, Usage, Verdict, VerdictLabel
from errata.tools.language import foreign
from errata.tools.verifier import quoted, verify as local

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


@step
async def verify(state: Rac, runtime: Runtime[RacContext]) -> Verified:
    """Judge every claim; what cannot be judged says so and counts as nothing."""
    context = settings(runtime)
    claims, rest = state.claims[: context.max_claims], state.claims[context.max_claims :]
    over = [Verdict(claim=c.id, label="unchecked", explanation="over max_claims") for c in rest]
    notes = [f"{len(rest)} claims over max_claims={context.max_claims} were not checked"] if rest else []
    model = context.filler("verify")
    language = await to_thread(foreign, state.draft) if model is None else ""
    if language or not claims:
        verdicts, usage = _abstained(claims, language), Usage()
        notes += [_abstention(language)] if language else []
    elif model is None:
        weights = context.weights("verify")
        verdicts = await to_thread(local, state.question, claims, state.documents, weights)
        usage = Usage()
    else:
        verdicts, usage, said = await _asked(state, claims, context)
        notes += said
    return {
        "verdicts": [*verdicts, *over],
        "usage": state.usage + usage,
        "notes": [*state.notes, *notes],
    }


async def _asked(
    state: Rac, claims: Sequence[Claim], context: RacContext
) -> tuple[list[Verdict], Usage, list[str]]:
    """Have a model judge all claims in one reply."""
    model = context.filler("verify")
    assert model is not None
    try:
        reply = await asked(
            context,
            model,
            "verify",
            "rac/verify.v1",
            question=state.question,
            documents=joined(state.documents),
            claims=listed(claims),
        )
    except (ChatError, ReplyError) as error:
        return [Verdict(claim=c.id, label="unchecked") for c in claims], Usage(), [str(error)]
    labels = read_labels(reply.text, len(claims))
    verdicts = [Verdict(claim=c.id, label=label) for c, label in zip(claims, labels, strict=True)]
    lost = labels.count("unreadable")
    notes = [f"the reply to rac/verify.v1 held no verdict for {lost} claims"] if lost else []
    return await to_thread(quoted, claims, verdicts, state.documents), reply.usage, notes


def read_labels(reply: str, count: int) -> list[VerdictLabel]:
    """Read one label a claim; the last one given for a number holds.

    >>> read_labels("1: True\\n2. Not Mentioned", 3)
    ['supported', 'not_mentioned', 'unreadable']
    """
    labels: list[VerdictLabel] = ["unreadable"] * count
    for match in _LINE.finditer(reply):
        number = int(match["number"])
        if 1 <= number <= count:
            labels[number - 1] = _LABELS[re.sub(r"[\s_-]", "", match["label"].lower())]
    return labels


def _abstained(claims: Sequence[Claim], language: str) -> list[Verdict]:
    return [Verdict(claim=c.id, label="unchecked", explanation=_abstention(language)) for c in claims]


def _abstention(language: str) -> str:
    return f"the local fillers know English; this draft looks like {language!r} and was not judged"
