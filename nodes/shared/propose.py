"""Choose the edits that a person decides on; resuming a review depends on nothing but this."""

from asyncio import to_thread
from collections.abc import Sequence
from typing import TypedDict

from errata.core.edits import on_word_borders
from errata.core.records import Edit, Verdict
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step


class Proposed(TypedDict):
    """The edits; those under review by id, each with the setting that put it there."""

    edits: list[Edit]
    under_review: dict[str, str]


@step
async def propose(state: CorrectionState, context: CorrectionContext) -> Proposed:
    """Put the edits on word borders, choose by the run's settings; a check proposes nothing."""
    edits = await to_thread(on_word_borders, state.draft, state.edits)
    shown = {} if context.check_only else edits_to_review(edits, state.verdicts, context)
    return {"edits": edits, "under_review": dict.fromkeys(shown, context.review)}


def edits_by_id(edits: Sequence[Edit]) -> dict[str, Edit]:
    """All edits, by ids that count them in draft order."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return {f"e{number}": edit for number, edit in enumerate(ordered, start=1)}


def edits_to_review(
    edits: Sequence[Edit], verdicts: Sequence[Verdict], context: CorrectionContext
) -> dict[str, Edit]:
    """The edits that the settings have a person decide on, by id."""
    by_claim = {verdict.claim: verdict for verdict in verdicts}
    return {
        name: edit
        for name, edit in edits_by_id(edits).items()
        if _needs_review([by_claim[claim] for claim in edit.claims if claim in by_claim], context)
    }


def _needs_review(verdicts: Sequence[Verdict], context: CorrectionContext) -> bool:
    """Whether an edit that rests on these verdicts is shown; one that rests on none is."""
    if context.review == "all" or not verdicts:
        return context.review != "none"
    if context.review == "refuted":
        return any(verdict.label == "refuted" for verdict in verdicts)
    return context.review == "low_confidence" and any(_unsure(v, context) for v in verdicts)


def _unsure(verdict: Verdict, context: CorrectionContext) -> bool:
    """Whether the claim may well be right: the score is the probability that it is."""
    return verdict.score is None or 1 - verdict.score < context.review_below
