"""Edit the draft wherever a passage disagrees with it, one after another (section 3.2)."""

from asyncio import gather, to_thread
from dataclasses import replace
from typing import TypedDict

from errata.core.limits import report_progress
from errata.core.records import Attribution, Edit, Knowledge, Verdict
from errata.nodes.ledger import note
from errata.nodes.rarr.distance import edit_distance
from errata.nodes.rarr.state import Rarr, RarrContext
from errata.nodes.shared.mend import edits_to
from errata.nodes.shared.passages import as_of_draft, attribute, edit_by_passage, judge_passage
from errata.nodes.step import step


class Revised(TypedDict):
    """The attribution report, and the verdicts and edits that follow from it."""

    attribution: list[Attribution]
    verdicts: list[Verdict]
    edits: list[Edit]


@step
async def revise(state: Rarr, context: RarrContext) -> Revised:
    """Edit by each passage at which the agreement gate opens; a check changes nothing."""
    text, report, of_draft = state.draft, list[Attribution](), list[Attribution]()
    pairs = [(answer.question, p) for answer in state.answers for p in answer.evidence]
    if context.check_only:
        gate = (state, context, "rarr/revise.agree", text)
        report += await gather(*(judge_passage(*gate, *pair) for pair in pairs))
        of_draft, pairs = report, []
    for number, (question, passage) in enumerate(pairs, start=1):
        line = await judge_passage(state, context, "rarr/revise.agree", text, question, passage)
        of_draft.append(await to_thread(as_of_draft, state, text, line))
        if line.label == "refuted":
            line, text = await _edit(state, context, text, line, passage)
        report.append(line)
        report_progress(number, len(pairs))
    verdicts = await attribute(state, of_draft)
    judged = state.model_copy(update={"verdicts": verdicts})
    edits = await edits_to(judged, context, text)
    return {"attribution": report, "verdicts": verdicts, "edits": edits}


async def _edit(
    state: Rarr, context: RarrContext, text: str, line: Attribution, passage: Knowledge
) -> tuple[Attribution, str]:
    """The text edited, unless that would change too much; the line says what became of it."""
    template = "rarr/revise.edit"
    edited = await edit_by_passage(state, context, template, text, line.question, passage)
    changed = edit_distance(text, edited)
    if changed > min(context.max_edit, context.max_edit_share * len(text)):
        note(f"the edit for {line.question!r} was refused: it changes {changed} characters")
        return replace(line, edit="refused"), text
    return replace(line, edit="made" if changed else "none"), edited
