"""Self-check: ask a model the same question several times; what do its answers agree on?

SelfCheckGPT with prompts (arXiv:2303.08896). It detects and changes nothing.

Unlike the paper:
- claims are judged, not sentences;
- a passage may be silent on a claim, which is not mentioned if all are;
- given documents count as passages, too; local code judges by these alone.
"""

import re
from typing import Annotated, ClassVar

from langgraph.graph import END, START
from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.records import Document, Verdict
from errata.nodes.ask import ask_all
from errata.nodes.claims import judge_locally, split_locally, unchecked
from errata.nodes.ends import receive, report
from errata.nodes.settings import Published
from errata.nodes.state import (
    CorrectionContext,
    CorrectionState,
    Method,
    graph_of,
)
from errata.nodes.step import Update
from errata.prompts.library import add_prompts
from errata.tools.retrieval.filters import assign_ids

add_prompts(__name__)
_LABEL = re.compile(r"\W*(agree|disagree|silent)s?\W*", re.IGNORECASE)


class SelfcheckContext(CorrectionContext):
    """The method's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("sample", "verify")
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("answers", 20, "section 6.1: twenty samples"),
        Published("sampling", {"sample.temperature": 1.0}, "section 6.1"),
    )

    answers: Annotated[int, Field(ge=1, le=50)] = 3
    """How often a model answers the question."""


class Selfcheck(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = SelfcheckContext
    TRAIL: ClassVar[tuple[str, ...]] = ("shares",)

    method: str = "selfcheck"
    shares: dict[str, float | None] = {}
    """The share of the passages that agree with each claim, of those not silent on it."""


async def sample(state: Selfcheck, runtime: Runtime[SelfcheckContext]) -> Update:
    """Have a model answer the question several times; local code knows no answers."""
    context = runtime.context
    if not context.by_model("sample"):
        return {}
    requests = [{"question": state.question or state.draft}] * context.answers
    lost = ["an answer to compare with is missing"] * context.answers
    replies = await ask_all(context, "sample", "selfcheck/sample", requests, lost)
    texts = [reply.text for reply in replies if not reply.failure]
    answers = [Document(text=text, title="the model's answer", source="model") for text in texts]
    return {"documents": assign_ids([*state.documents, *answers])}


async def verify(state: Selfcheck, runtime: Runtime[SelfcheckContext]) -> Update:
    """Judge every claim by each passage alone, and count."""
    context = runtime.context
    claims = await split_locally(state)
    now, rest = claims[: context.deployment.max_claims], claims[context.deployment.max_claims :]
    if not context.by_model("verify"):
        verdicts = await judge_locally(state, context, "verify", now, state.documents)
    else:
        verdicts = [await _judge(state, context, claim.id, claim.text) for claim in now]
    return {
        "claims": claims,
        "verdicts": [*verdicts, *unchecked(rest, "over max_claims")],
        "shares": {verdict.claim: verdict.score for verdict in verdicts},
    }


async def _judge(state: Selfcheck, context: SelfcheckContext, name: str, claim: str) -> Verdict:
    """The verdict on a claim; failures and replies that cannot be read have no say."""
    requests = [{"claim": claim, "passage": document.text} for document in state.documents]
    lost = [f"claim {name} was not compared with a passage"] * len(requests)
    replies = await ask_all(context, "verify", "selfcheck/verify", requests, lost)
    labels = [found[1].lower() for r in replies if (found := _LABEL.fullmatch(r.text))]
    agree, disagree = labels.count("agree"), labels.count("disagree")
    said = f"{agree} of {len(labels)} passages agree, {disagree} disagree"
    if not labels:
        return Verdict(claim=name, label="unchecked", explanation="no passage was compared")
    if not agree + disagree:
        return Verdict(claim=name, label="not_mentioned", explanation=said)
    share = agree / (agree + disagree)
    label = "supported" if agree > disagree else "refuted" if disagree > agree else "conflicting"
    return Verdict(claim=name, label=label, score=share, explanation=said)


graph = (
    graph_of(Selfcheck, "Self-check: compare a draft with further answers")
    .add_node(receive)  # messages -> question, draft
    .add_node(sample)  # question -> documents
    .add_node(verify)  # draft, documents -> claims, verdicts
    .add_node(report)  # verdicts -> label
    .add_edge(START, "receive")
    .add_edge("receive", "sample")
    .add_edge("sample", "verify")
    .add_edge("verify", "report")
    .add_edge("report", END)
    .compile(name="Self-check")
)

method = Method(
    "selfcheck",
    "Check a draft: have a model answer the question several times, and compare.",
    graph,
    revises=False,
    replies={
        "selfcheck/sample": "Marie Curie, born in 1867, was a physicist.",
        "selfcheck/verify": [
            {"when": "1865", "reply": "disagree"},
            {"when": "a physicist.\n</claim>", "reply": "agree"},
            {"when": "kept bees", "reply": "silent"},
        ],
    },
)
