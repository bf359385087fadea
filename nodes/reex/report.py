"""End: the verdicts that follow from the explanations, the response, the chat's answer."""

from asyncio import to_thread
from collections.abc import Sequence

from errata.core.errors import OutOfTimeError
from errata.core.records import Claim, Quote, ResponseLabel, Verdict, VerdictLabel
from errata.nodes.claims import overrule, unchecked
from errata.nodes.ledger import note
from errata.nodes.reex.explain import refuted_claims
from errata.nodes.reex.state import Reex, ReexContext, with_claims
from errata.nodes.report import hand_out
from errata.nodes.step import Update, step
from errata.tools.judges.verifier import verify
from errata.tools.local.explain import best_quotes, evidence_of, find_place


@step
async def report(state: Reex, context: ReexContext) -> Update:
    """Judge the draft and its claims by the explanations, and apply the edits."""
    state = await to_thread(with_claims, state, context)
    verdicts = await to_thread(verdicts_for, state, context)
    state = state.model_copy(update={"verdicts": verdicts})
    result = await to_thread(hand_out, state, context, label_of(state))
    return {**result, "claims": state.claims}


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

    Which of the others are supported says the model that explained, or the local verifier if it did
    not say; nothing is checked where no errors could be looked for.
    """
    if not state.explained:
        return unchecked(state.claims)
    refuted = {verdict.claim: verdict for verdict in reversed(refuted_claims(state.explanations))}
    read = state.not_shown is not None
    try:
        verdicts = judge_by_model(state) if read else judge_locally(state, context)
    except OutOfTimeError as error:
        note(f"which claims the answers show was not read: {error}")
        verdicts = unchecked(state.claims)
    return [refuted.get(verdict.claim) or verdict for verdict in verdicts]


def judge_by_model(state: Reex) -> list[Verdict]:
    """Claims are supported by their best strip unless the model found no answer that shows them."""
    lacking = [(words, find_place(state.draft, words)) for words in state.not_shown or ()]
    quotes = best_quotes([claim.text for claim in state.claims], evidence_of(state.answers))
    return [
        _verdict(
            claim, [words for words, (a, b) in lacking if a < claim.end and claim.start < b], own
        )
        for claim, own in zip(state.claims, quotes, strict=True)
    ]


def _verdict(claim: Claim, lacking: Sequence[str], quotes: tuple[Quote, ...]) -> Verdict:
    if not lacking and quotes:
        return Verdict(claim=claim.id, label="supported", evidence=quotes)
    said = f"the answers do not show “{'”, “'.join(lacking)}”" if lacking else ""
    return Verdict(claim=claim.id, label="not_mentioned", explanation=said)


def judge_locally(state: Reex, context: ReexContext) -> list[Verdict]:
    """What the local verifier finds in the evidence; what it finds refuted, nobody explained.

    That documents disagree is not for local code to say where a model read them.
    """
    weights = context.weights("explain")
    verdicts = verify(state.question, state.claims, state.documents, weights)
    over: tuple[VerdictLabel, ...] = ("refuted", "conflicting")
    labels = over if context.by_model("explain") else over[:1]
    return overrule(verdicts, labels, "no error was explained here")
