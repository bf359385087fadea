"""A last reading of the revised text, mended by code where that is certain, else by a model."""

from asyncio import to_thread
from collections.abc import Sequence

from errata.core.edits import apply_edits, compose
from errata.core.records import Edit, Fix
from errata.nodes.ledger import note
from errata.nodes.shared.rewrite import Line, rewrite_lines
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.tools.local.guard import guard
from errata.tools.local.reread import Flaw, reread
from errata.tools.text.language import detect_foreign_draft


async def reread_text(
    state: CorrectionState, context: CorrectionContext, edits: Sequence[Edit], template: str
) -> list[Edit]:
    """The edits, with those that mend what they make the text say twice.

    What code cannot mend, the model that revises is asked to, in one call; without one, or if it
    fails, a note says what reads badly.
    """
    if not edits or not context.reread:
        return list(edits)
    if await to_thread(detect_foreign_draft, state.draft):
        return list(edits)
    flaws = await to_thread(reread, state.question, state.draft, edits)
    mended = compose(state.draft, edits, [flaw.mend for flaw in flaws if flaw.mend])
    if all(flaw.mend for flaw in flaws):
        return mended
    found = await to_thread(reread, state.question, state.draft, mended)
    left = [flaw for flaw in found if not flaw.mend]
    text = apply_edits(state.draft, mended)
    asks = context.model_for("revise") is not None
    changes = await _ask(state, context, template, text, left) if asks else []
    changed = [flaw for flaw in left if _touches(flaw, changes)]
    note(*(f"“{text[f.start : f.end]}”: {f.reason}" for f in left if f not in changed))
    return compose(state.draft, mended, changes)


async def _ask(
    state: CorrectionState,
    context: CorrectionContext,
    template: str,
    text: str,
    flaws: Sequence[Flaw],
) -> list[Edit]:
    """A model's edits of the sentences with flaws, without those that add new facts."""
    near = ((flaw.near,) if flaw.near else () for flaw in flaws)
    pairs = zip(flaws, near, strict=True)
    lines = [
        Line(flaw.start, flaw.end, texts, (flaw.reason,), may_go=True) for flaw, texts in pairs
    ]
    changes = await rewrite_lines(context, template, state.question, text, lines)
    if not context.guard:
        return changes
    known = [Fix(claim="", text=text)]
    ground = (text, changes, (), known, state.documents)
    harmless, notes = await to_thread(guard, state.question, *ground)
    note(*notes)
    return harmless


def _touches(flaw: Flaw, edits: Sequence[Edit]) -> bool:
    return any(edit.start <= flaw.end and flaw.start <= edit.end for edit in edits)
