"""End: the verdicts that follow from the explanations, the response, the chat's answer."""

from asyncio import to_thread
from dataclasses import replace

from errata.nodes.reex.claims import with_claims
from errata.nodes.reex.explain import refuted_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.report import Reported, hand_out
from errata.nodes.step import step
from errata.records import Claim, ResponseLabel, Verdict
from errata.tools.judges.verifier import verify


class ReportedWithVerdicts(Reported):
    """What is handed out, with a verdict on every claim."""

    claims: list[Claim]
    verdicts: list[Verdict]


@step
async def report(state: Reex, context: ReexContext) -> ReportedWithVerdicts:
    """Judge the draft and its claims by the explanations, and apply the edits."""
    state = await to_thread(with_claims, state, context)
    verdicts = await to_thread(verdicts_for, state, context)
    state = state.model_copy(update={"verdicts": verdicts})
    result = hand_out(state, context, label_of(state))
    return {**result, "claims": state.claims, "verdicts": verdicts}


def label_of(state: Reex) -> ResponseLabel:
    """The draft's label: refuted by any explained error, supported where evidence bears it out.

    It does so if errors were looked for, none was explained, and it shows a claim or more; if the
    documents disagree on one, the draft is conflicting.
    """
    labels = {verdict.label for verdict in state.verdicts}
    if state.explanations:
        return "refuted"
    if "conflicting" in labels:
        return "conflicting"
    return "supported" if state.explained and "supported" in labels else "not_mentioned"


def verdicts_for(state: Reex, context: ReexContext) -> list[Verdict]:
    """A verdict on each claim: refuted where an explanation speaks of it.

    Of the others those are supported that the local verifier finds so in the evidence; nothing is
    checked where no errors could be looked for.
    """
    if not state.explained:
        return [Verdict(claim=claim.id, label="unchecked") for claim in state.claims]
    explained = refuted_claims(state.explanations)
    refuted = {verdict.claim: verdict for verdict in reversed(explained)}
    weights, by_model = context.weights("explain"), context.by_model("explain")
    others = [claim for claim in state.claims if claim.id not in refuted]
    judged = verify(state.question, others, state.documents, weights) if others else []
    unexplained = {v.claim: _unexplained(v, by_model=by_model) for v in judged}
    return [refuted.get(claim.id) or unexplained[claim.id] for claim in state.claims]


def _unexplained(verdict: Verdict, *, by_model: bool) -> Verdict:
    """A verdict that no explanation speaks of: it may be supported, but not refuted.

    That documents disagree is not for local code to say where a model read them.
    """
    over = ("refuted", "conflicting") if by_model else ("refuted",)
    if verdict.label not in over:
        return verdict
    return replace(verdict, label="not_mentioned", explanation="no error was explained here")
