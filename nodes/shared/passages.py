"""Judge a text by one passage, and edit it by one: by a model, or by local code."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace

from errata.core.edits import diff, in_form_of
from errata.core.errors import OutOfTimeError
from errata.core.records import (
    Attribution,
    Document,
    Knowledge,
    Quote,
    Verdict,
    VerdictLabel,
)
from errata.nodes.ask import ask
from errata.nodes.ledger import note, note_once
from errata.nodes.shared.replies import read_label, split_at
from errata.nodes.shared.report import holds_text, read_revision
from errata.nodes.shared.verdicts import strongest
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.tools.local.passages import correct_text, judge_by_passage
from errata.tools.local.placement import claim_spoken_of
from errata.tools.text.words import content_stems

LABELS: dict[str, VerdictLabel] = {
    "agree": "supported",
    "disagree": "refuted",
    "irrelevant": "not_mentioned",
}
"""What a model says of a passage, and what that makes of the text."""


async def judge_passage(
    state: CorrectionState,
    context: CorrectionContext,
    template: str,
    text: str,
    query: str,
    passage: Knowledge,
) -> Attribution:
    """What a passage says to a query about a text, by the filler of the role `agree`.

    With a note it is `unreadable` where the reply has no label, and `unchecked` where there is no
    reply: nothing is ever supported by that.
    """
    if context.model_for("agree") is None:
        return await _judge_locally(state, context, text, query, passage)
    values = {"question": query, "document": passage.text, "draft": text}
    failed = f"{query!r} was not compared with a passage"
    reply = await ask(context, "agree", template, if_failed=failed, **values)
    word, reasoning = read_label(reply.text, [*LABELS])
    if not (word or reply.failure):
        note(f"{failed}: the reply to {context.template(template).tag} holds no label")
    label = "unchecked" if reply.failure else LABELS.get(word, "unreadable")
    return Attribution(question=query, label=label, evidence=_quote(passage), reasoning=reasoning)


async def _judge_locally(
    state: CorrectionState, context: CorrectionContext, text: str, query: str, passage: Knowledge
) -> Attribution:
    known = (state.question, text, query, passage, context.weights("agree"))
    try:
        found = await to_thread(judge_by_passage, *known)
    except OutOfTimeError as error:
        found = Verdict(claim="", label="unchecked", explanation=str(error))
    if found.label == "unchecked":
        note_once(f"not judged: {found.explanation}")
    return Attribution(
        question=query,
        label=found.label,
        score=found.score,
        evidence=next(iter(found.evidence), _quote(passage)),
        reasoning=found.explanation,
    )


def _quote(passage: Knowledge) -> Quote:
    start, end = passage.start, passage.end
    return Quote(document=passage.document, start=start, end=end, text=passage.text)


async def edit_by_passage(
    state: CorrectionState,
    context: CorrectionContext,
    template: str,
    text: str,
    query: str,
    passage: Knowledge,
) -> str:
    """The text as the filler of the role `edit` has it by a passage; unchanged if that fails."""
    if context.model_for("edit") is None:
        documents = [Document(id=passage.document, text=passage.text)]
        known = (state.question, text, [query], documents, context.weights("edit"))
        try:
            return await to_thread(correct_text, *known)
        except OutOfTimeError as error:
            note(f"the text was not edited for {query!r}: {error}")
            return text
    values = {"question": query, "document": passage.text, "draft": text}
    failed = f"the text was not edited for {query!r}"
    reply = await ask(context, "edit", template, if_failed=failed, **values)
    edited = read_revision(split_at(read_revision(reply.text), "fix", text)[1])
    if holds_text(edited):
        return in_form_of(text, edited)
    if not reply.failure:
        note(f"{failed}: the reply to {context.template(template).tag} holds no fix")
    return text


def as_of_draft(state: CorrectionState, text: str, line: Attribution) -> Attribution:
    """What a line on an edited text says of the draft: no support for words that were edited.

    The passage was compared with what an edit before had put in their place.
    """
    claim = claim_spoken_of(state.claims, f"{line.question} {line.reasoning}")
    if line.label != "supported" or claim is None:
        return line
    edits = (e for e in diff(state.draft, text) if e.start < claim.end and claim.start < e.end)
    gone = content_stems(" ".join(edit.before for edit in edits))
    return replace(line, label="unchecked") if gone & content_stems(claim.text) else line


async def attribute(state: CorrectionState, report: Sequence[Attribution]) -> list[Verdict]:
    """The verdicts on the draft's claims, each by the strongest line that speaks of it."""
    verdicts = [verdict for line in report if (verdict := await to_thread(_verdict, state, line))]
    return strongest(state.claims, verdicts, "no passage was found that speaks of this")


def _verdict(state: CorrectionState, line: Attribution) -> Verdict | None:
    """The verdict on the claim that a line speaks of."""
    words = f"{line.question} {line.reasoning}"
    claim = claim_spoken_of(state.claims, words)
    if claim is None:
        return None
    shown = (line.evidence,) if line.label in ("supported", "refuted", "conflicting") else ()
    return Verdict(
        claim=claim.id,
        label=line.label,
        score=line.score,
        evidence=shown,
        explanation=line.reasoning,
    )
