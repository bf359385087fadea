"""RARR: ask questions, find passages, edit the draft where a passage disagrees with it.

Retrofit attribution using research and revision (arXiv:2210.08726).

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- documents and a corpus may be read beside a search, or instead of one;
- a passage may come from a page that was found for another question;
- a model is asked once for questions (`question_sets=3`: the paper's form);
- what a model edited becomes edits of the draft, each tied to the claims it rests on.
"""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from langgraph.graph import END, START
from langgraph.runtime import Runtime
from pydantic import Field
from rapidfuzz.distance import Levenshtein

from errata.core.edits import apply_edits, diff, in_form_of
from errata.core.errors import OutOfTimeError
from errata.core.limits import report_progress
from errata.core.records import Claim, Document, Knowledge, Quote, SubAnswer, Verdict, VerdictLabel
from errata.nodes.ask import ask_role, question_for
from errata.nodes.claims import ask_questions, split_locally
from errata.nodes.ends import receive, report
from errata.nodes.review import propose, review
from errata.nodes.rewrite import holds_text, read_revision
from errata.nodes.settings import Capped, Published
from errata.nodes.state import CorrectionState, Method, RevisionContext, graph_of
from errata.nodes.step import Update, in_thread_or, note
from errata.tools.judges.verifier import NO_DOCUMENT, verify
from errata.tools.local.extract import extract
from errata.tools.text.words import content_stems
from errata_baselines import replies_to
from errata_baselines.evidence import ResearchContext, research
from errata_baselines.mend import claim_spoken_of, correct_text, edits_to, split_at
from errata_baselines.verdicts import read_last_label, strongest


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """One line of the attribution report."""

    question: str
    label: VerdictLabel
    """`supported`: text and passage imply the same answer; `refuted`: they imply different ones;
    `not_mentioned`: the passage gives none; `unreadable`, `unchecked`: nobody could tell."""
    score: float | None = None
    """The probability that the text is right here, if something measured it."""
    evidence: Quote
    """The passage, or the words of it that show this."""
    reasoning: str = ""
    edit: Literal["", "made", "refused", "none"] = ""
    """What became of the edit: made, refused for its size, or without any change; empty where none
    was asked for."""


LABELS: dict[str, VerdictLabel] = {
    "agree": "supported",
    "disagree": "refuted",
    "irrelevant": "not_mentioned",
}
"""What a model says of a passage, and what that makes of the text."""
MOST_CHANGED, MOST_SHARE = 50, 0.5
"""An edit that changes more characters or a larger share is refused (section 3.2, footnote)."""
_SHOWN = ("supported", "refuted", "conflicting")
"""The labels that a passage bears out."""


class RarrContext(ResearchContext, RevisionContext):
    """RARR's settings."""

    ROLES = ("ask", "agree", "edit")
    DECIDING = "agree"
    PAPER = (
        Published(
            "sampling", {"temperature": 0.0, "ask.temperature": 0.7}, "section 3.1; its program"
        ),
        Published("question_sets", 3, "section 3.1: asked three times, and the union taken"),
        Published("search_top_k", 5, "section 3.1: K = 5 pages a query"),
        Published("guard", False, "section 3.2: an edit stands"),
    )

    question_sets: Annotated[int, Field(ge=1, le=10)] = 1
    """How often a model is asked for questions; what any reply holds is looked up once."""
    max_questions: Annotated[int, Field(ge=1), Capped()] = 20
    """The most questions to look up."""


class Rarr(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = RarrContext
    TRAIL = ("answers", "attribution", "preservation")

    answers: list[SubAnswer] = []
    """The questions, each with its best passages once it was looked up."""
    attribution: list[Attribution] = []
    """What each passage says of the text, in the order in which they were read."""

    @property
    def preservation(self) -> float:
        """Prev_Lev (section 4): 1 less the characters changed over the draft's, at least 0."""
        changed = Levenshtein.distance(self.draft, apply_edits(self.draft, self.edits))
        return max(1 - changed / len(self.draft), 0.0) if self.draft else 1.0


async def ask(state: Rarr, runtime: Runtime[RarrContext]) -> Update:
    """Ask a model several times for questions; local code asks one for each claim."""
    context = runtime.context
    claims, limit = await split_locally(state), context.max_questions
    questions = await ask_questions(state, context, "rarr/ask", context.question_sets)
    questions = questions or [question_for(claim) for claim in claims]
    if len(questions) > limit:
        note(f"{len(questions) - limit} questions over max_questions={limit} were not looked up")
    return {"claims": claims, "answers": [SubAnswer(question=q) for q in questions[:limit]]}


async def look_up(state: Rarr, runtime: Runtime[RarrContext]) -> Update:
    """Search for every question, and keep its best passages."""
    questions = [answer.question for answer in state.answers]
    documents, answers = await research(questions, state.documents, runtime.context, "look_up")
    if not documents:
        note(f"{NO_DOCUMENT}: no claim can be checked")
    return {"documents": documents, "answers": answers}


async def revise(state: Rarr, runtime: Runtime[RarrContext]) -> Update:
    """Edit by each passage at which the agreement gate opens; a check changes nothing."""
    context = runtime.context
    text, report, of_draft = state.draft, list[Attribution](), list[Attribution]()
    pairs = [(answer.question, p) for answer in state.answers for p in answer.evidence]
    for number, (question, passage) in enumerate(pairs, start=1):
        line = await _judge(state, context, text, question, passage)
        of_draft.append(await to_thread(as_of_draft, state, text, line))
        if line.label == "refuted" and not context.check_only:
            line, text = await _edit(state, context, text, line, passage)
        report.append(line)
        report_progress(number, len(pairs))
    verdicts = await to_thread(attribute, state.claims, of_draft)
    judged = state.model_copy(update={"verdicts": verdicts})
    edits = await edits_to(judged, context, text)
    return {"attribution": report, "verdicts": verdicts, "edits": edits}


async def _judge(
    state: Rarr, context: RarrContext, text: str, query: str, passage: Knowledge
) -> Attribution:
    """What a passage says to a query about a text, by the filler of the role `agree`.

    With a note it is `unreadable` where the reply has no label, and `unchecked` where there is no
    reply: nothing is ever supported by that.
    """
    quote = Quote(
        document=passage.document, start=passage.start, end=passage.end, text=passage.text
    )
    if not context.by_model("agree"):
        known = (state.question, text, query, passage, context.weights("agree"))
        try:
            found = await to_thread(judge_by_passage, *known)
        except OutOfTimeError as error:
            found = Verdict(claim="", label="unchecked", explanation=str(error))
        if found.label == "unchecked":
            note(f"not judged: {found.explanation}")
        return Attribution(
            question=query,
            label=found.label,
            score=found.score,
            evidence=next(iter(found.evidence), quote),
            reasoning=found.explanation,
        )
    values = {"question": query, "document": passage.text, "draft": text}
    template = "rarr/revise.agree"
    failed = f"{query!r} was not compared with a passage"
    reply = await ask_role(context, "agree", template, if_failed=failed, **values)
    label, reasoning = read_last_label(reply.text, LABELS)
    if reply.failure:
        label = "unchecked"
    elif label == "unreadable":
        note(f"{failed}: the reply to {context.template(template).tag} holds no label")
    return Attribution(question=query, label=label, evidence=quote, reasoning=reasoning)


def judge_by_passage(
    question: str, text: str, query: str, passage: Knowledge, weights: str = ""
) -> Verdict:
    """The verdict on the claim of the text that the query speaks of.

    It is `not_mentioned` if the query speaks of none. Quotes count characters in the passage's
    document. Raises OutOfTimeError.
    """
    claim = claim_spoken_of(extract(question, text), query)
    if claim is None:
        return Verdict(claim="", label="not_mentioned", explanation="no claim speaks of this")
    document = Document(id=passage.document, text=passage.text)
    [verdict] = verify(question, [claim], [document], weights)
    quotes = (
        replace(quote, start=quote.start + passage.start, end=quote.end + passage.start)
        for quote in verdict.evidence
    )
    return replace(verdict, evidence=tuple(quotes))


async def _edit(
    state: Rarr, context: RarrContext, text: str, line: Attribution, passage: Knowledge
) -> tuple[Attribution, str]:
    """The text as the filler of the role `edit` has it by a passage; the line says what became.

    It is unchanged where that fails, or would change too much.
    """
    query, edited, failed = line.question, text, f"the text was not edited for {line.question!r}"
    if not context.by_model("edit"):
        documents = [Document(id=passage.document, text=passage.text)]
        known = (state.question, text, [query], documents, context.weights("edit"))
        edited = await in_thread_or(text, failed, correct_text, *known)
    else:
        values = {"question": query, "document": passage.text, "draft": text}
        template = "rarr/revise.edit"
        reply = await ask_role(context, "edit", template, if_failed=failed, **values)
        fix = read_revision(split_at(read_revision(reply.text), "fix", text)[1])
        if holds_text(fix):
            edited = in_form_of(text, fix)
        elif not reply.failure:
            note(f"{failed}: the reply to {context.template(template).tag} holds no fix")
    changed = Levenshtein.distance(text, edited)
    if changed > min(MOST_CHANGED, MOST_SHARE * len(text)):
        note(f"the edit for {query!r} was refused: it changes {changed} characters")
        return replace(line, edit="refused"), text
    return replace(line, edit="made" if changed else "none"), edited


def as_of_draft(state: Rarr, text: str, line: Attribution) -> Attribution:
    """What a line on an edited text says of the draft: no support for words that were edited.

    The passage was compared with what an edit before had put in their place.
    """
    claim = claim_spoken_of(state.claims, f"{line.question} {line.reasoning}")
    if line.label != "supported" or claim is None:
        return line
    edits = (e for e in diff(state.draft, text) if e.start < claim.end and claim.start < e.end)
    gone = content_stems(" ".join(edit.before for edit in edits))
    return replace(line, label="unchecked") if gone & content_stems(claim.text) else line


def attribute(claims: Sequence[Claim], report: Sequence[Attribution]) -> list[Verdict]:
    """The verdicts on the draft's claims, each by the strongest line that speaks of it."""
    spoken_of = ((claim_spoken_of(claims, f"{x.question} {x.reasoning}"), x) for x in report)
    verdicts = [
        Verdict(
            claim=claim.id,
            label=line.label,
            score=line.score,
            evidence=(line.evidence,) if line.label in _SHOWN else (),
            explanation=line.reasoning,
        )
        for claim, line in spoken_of
        if claim
    ]
    return strongest(claims, verdicts, "no passage was found that speaks of this")


graph = (
    graph_of(Rarr, "RARR: find passages, and edit by them")
    .add_sequence(
        [
            receive,  # messages -> question, draft
            ask,  # draft -> claims, questions
            look_up,  # questions -> documents, passages
            revise,  # draft, passages -> attribution report, verdicts, edits
            propose,  # edits -> those that a person decides on
        ]
    )
    .add_sequence([review, report])  # edits -> those that a person lets stand -> response
    .add_edge(START, "receive")
    .add_edge("propose", "review")
    .add_edge("report", END)
    .compile(name="RARR")
)

method = Method(
    "rarr",
    "Correct a draft: ask questions, find passages, edit where a passage disagrees.",
    graph,
    replies=replies_to("rarr"),
)
