"""Have a model judge what local code is unsure of, and mend what it refutes; end the run."""

from asyncio import to_thread

from langgraph.runtime import Runtime

from errata.core.events import Judged, closing_events
from errata.nodes.choose import choose_mends
from errata.nodes.claims import label_for, within_limit
from errata.nodes.ends import hand_out
from errata.nodes.errata.judging import to_mend, weigh
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.rac.verify import judge_again, judge_of_draft
from errata.nodes.step import Update, tell_event


async def verify(state: Errata, runtime: Runtime[ErrataContext]) -> Update:
    """Judge once more, all at once, what is unsure or refuted; else what there is stays.

    If a model was asked while the text was written, it has been asked about all by now. A decision
    model that has judged alone chooses mends.
    """
    context = runtime.context
    deciders = () if context.check_only else context.sole_deciders("verify")
    models = not state.asked and (context.by_model("verify") or context.passes_on("verify"))
    if not (deciders or models):
        return {}
    claims, over = within_limit(state.claims, context)
    first = state.verdicts[: len(claims)]
    if deciders:
        given = (state.question, claims, first, state.documents, context, deciders)
        return {"mends": await choose_mends(*given)}
    if not context.cascades("verify"):
        second = await judge_of_draft(state, claims, state.documents, context)
        verdicts = second.verdicts
    else:
        known = (state.question, claims, first, state.documents, context)
        second = await judge_again(*known, to_mend(first, context))
        verdicts = weigh(first, second.verdicts)
    by_id = {claim.id: claim for claim in claims}
    for old, new in zip(first, verdicts, strict=True):
        if new != old:
            tell_event(Judged(claim=by_id[new.claim], verdict=new))
    return {"verdicts": [*verdicts, *over], "mends": second.mends}


async def report(state: Errata, runtime: Runtime[ErrataContext]) -> Update:
    """Apply the edits, sum up the verdicts, and end the stream."""
    update = await to_thread(hand_out, state, runtime.context, label_for(state.verdicts))
    for event in closing_events(state.draft, update["edits"], state.held):
        tell_event(event)
    return update
