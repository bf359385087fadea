"""CRITIC: criticise the draft by what searches find, correct it, and go round again.

Self-correcting with tool-interactive critiquing (arXiv:2305.11738), with search as the tool.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- the draft is given, and it may be long: the paper's are short answers;
- documents and a corpus may be read beside a search, or instead of one;
- where nothing was found, no problem counts and the draft stays;
- a critique ends with the corrected text, as in the published program;
- one round that changes nothing is enough to stop (the published program: two);
- what a model corrected becomes edits of the draft, each tied to the claims it rests on.
"""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from langgraph.graph import END, START
from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.edits import in_form_of
from errata.core.errors import OutOfTimeError
from errata.core.records import Document, SubAnswer, Verdict, VerdictLabel
from errata.nodes.ask import ask_role, read_claims
from errata.nodes.claims import abstention, judge_locally, overrule, split_locally, unchecked
from errata.nodes.ends import receive, report
from errata.nodes.review import propose, review
from errata.nodes.rewrite import holds_text, read_revision
from errata.nodes.settings import Published
from errata.nodes.state import CorrectionState, Method, RevisionContext, graph_of
from errata.nodes.step import Update, in_thread_or, note
from errata.tools.judges.verifier import NO_DOCUMENT
from errata.tools.local.explain import best_quotes, evidence_of, explain
from errata.tools.local.extract import extract
from errata.tools.text.language import detect_foreign_draft
from errata_baselines import replies_to
from errata_baselines.evidence import ResearchContext, list_passages, research
from errata_baselines.mend import claim_spoken_of, correct_text, edits_to, split_at
from errata_baselines.verdicts import strongest


@dataclass(frozen=True, kw_only=True)
class Critique:
    """What a round says of a text."""

    text: str
    """The text that it is about: the draft, or what the round before made of it."""
    searches: tuple[SubAnswer, ...] = ()
    """What was searched for, in order, each with the passages found."""
    words: str = ""
    """The critique in the verifier's words."""
    problems: tuple[str, ...] | None = None
    """What is wrong with the text; None where nobody could tell."""
    proposed: str = ""
    """The corrected text that the critique itself ends with; empty where it has none."""
    revised: str = ""
    """The corrected text; empty where none was asked for."""


_QUERY = re.compile(r"(?im)^[^\w\n]*search(?: query)?[*_ ]*[:：][*_ ]*(\S.*)$")
EVIDENCE_CHARACTERS = 400
"""The most characters of a passage that a model gets (section 4.1; its program)."""
_FAILED = "the text was not verified"
Found = tuple[list[Document], Critique]
"""The documents with what was found, and the critique."""
_NONE = re.compile(
    r"\W*(?:(?:there (?:are|is)|i (?:found|see)) )?(?:(?:none|nothing)(?! (?:of|in)\b)|n/a"
    r"|no (?:\w+ )?(?:problems?|issues?|errors?|mistakes?))\b(?! but\b)"
    r"(?:[ ,](?!but\b|except\b|other\b|besides\b)\w+){0,6}\W*",
    re.IGNORECASE,
)
"""What a list holds that has nothing in it."""
_FINE = re.compile(
    r"\W*(?:it|this|everything|all|(?:the|this|these|all) (?:draft|text|answer|response"
    r"|statements?|claims?|sentences?|facts?)) (?:is|are|looks?|seems?)"
    r"(?: (?:all|factually|completely|entirely|fully|perfectly))?"
    r" (?:accurate|correct|factual|fine|good|right|sound|supported|true)(?: as it stands)?\W*",
    re.IGNORECASE,
)
"""What a list may hold beside that."""


class CriticContext(ResearchContext, RevisionContext):
    """CRITIC's settings."""

    ROLES = ("verify",)
    PAPER = (
        Published("sampling", {"temperature": 0.0}, "section 4.1; its program: temperature"),
        Published("rounds", 3, "section 4.1: three rounds at most"),
        Published("searches_per_round", 6, "section 4.1; its program: 7 replies a round"),
        Published("search_top_k", 1, "section 3.2; its program: the first result"),
        Published("guard", False, "section 3.4: the corrected output stands"),
    )

    searches_per_round: Annotated[int, Field(ge=0, le=20)] = 4
    """The most searches that a model may make for one critique."""
    rounds: Annotated[int, Field(ge=1, le=8)] = 3
    """The most rounds of verifying and correcting."""


class Critic(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = CriticContext
    TRAIL = ("critiques",)

    critiques: list[Critique] = []
    """One for each round, the last one perhaps under way."""

    @property
    def text(self) -> str:
        """The text as the rounds so far have made it."""
        return next((c.revised for c in reversed(self.critiques) if c.revised), self.draft)


async def verify(state: Critic, runtime: Runtime[CriticContext]) -> Update:
    """Find what is wrong with the text; a model searches as it goes along."""
    context = runtime.context
    claims, past = state.claims or await split_locally(state), state.critiques
    if not context.by_model("verify"):
        asked = [search.question for critique in past for search in critique.searches]
        documents, critique = await _locally(state, context, state.text, asked)
    else:
        documents, critique = await _by_model(state, context, state.text)
    return {"claims": claims, "documents": documents, "critiques": [*past, critique]}


async def _by_model(state: Critic, context: CriticContext, text: str) -> Found:
    """A model's critique: each of its replies ends with a query, or with the problems it found.

    The last one goes on with the text without them. Without any document the critique is the
    model's memory: it names no problem then.
    """
    template = "critic/verify.answer"
    documents, searches = state.documents, list[SubAnswer]()
    left = context.searches_per_round
    while True:
        seen = list_passages(searches, documents, EVIDENCE_CHARACTERS)
        answers = f"{seen}\n\nSearches left: {left}"
        values = {"question": state.question, "draft": text, "answers": answers}
        reply = await ask_role(context, "verify", template, if_failed=_FAILED, **values)
        query = read_query(reply.text)
        if not (query and left):
            break
        left -= 1
        if query in [search.question for search in searches]:
            left = 0
            continue
        documents, found = await research([query], documents, context, "verify")
        searches += found
    if not (documents or reply.failure):
        note(f"{NO_DOCUMENT}: the critique rests on nothing that was found, and does not count")
        return documents, Critique(text=text, searches=tuple(searches), words=reply.text)
    words, answer = split_at(read_revision(reply.text), "answer", text)
    problems = read_list(words, "problems")
    if problems is None and not reply.failure:
        tag = context.template(template).tag
        note(f"{_FAILED}: the reply to {tag} does not say what the problems are")
    return documents, Critique(
        text=text,
        searches=tuple(searches),
        words=words,
        problems=None if problems is None else tuple(problems),
        proposed=read_revision(answer),
    )


def read_query(reply: str) -> str:
    r"""The query that a reply asks to search for; empty if it asks for none.

    >>> read_query("It is plausible.\n**Search:** Marie Curie date of birth")
    'Marie Curie date of birth'
    """
    found = _QUERY.search(reply)
    return found[1].strip() if found else ""


async def _locally(state: Critic, context: CriticContext, text: str, asked: Sequence[str]) -> Found:
    """What the local verifier finds refuted, by the documents and by searches for each claim.

    Claims in `asked` were searched for before.
    """
    bare = Critique(text=text)
    if language := await to_thread(detect_foreign_draft, text):
        note(abstention(language))
        return state.documents, bare
    claims = (await to_thread(extract, state.question, text))[: context.deployment.max_claims]
    documents, searches = state.documents, list[SubAnswer]()
    if context.corpus or context.search != "none":
        queries = [claim.text for claim in claims if claim.text not in asked]
        documents, searches = await research(queries, documents, context, "verify")
    if not documents:
        note(NO_DOCUMENT)
        return documents, bare
    ground = (state.question, claims, documents, context.weights("verify"))
    found = await in_thread_or(None, _FAILED, explain, *ground)
    if found is None:
        return documents, bare
    texts = tuple(error.text for error in found[0])
    words = "\n".join(texts) or "nothing was refuted"
    critique = replace(bare, searches=tuple(searches), words=words, problems=texts)
    return documents, critique


def read_list(reply: str, heading: str) -> list[str] | None:
    r"""The lines after a heading, without numbers; none if it says so, None without the heading.

    >>> read_list('It is plausible.\nProblems:\n1. "1865" is wrong', "problems")
    ['"1865" is wrong']
    >>> read_list("Problems: none", "problems"), read_list("All is well.", "problems")
    ([], None)
    """
    lines = list(read_claims(split_at(reply, heading)[1]))
    sentences = [part for line in lines for part in re.split(r"(?<=[.!])\s+", line)]
    if lines and all(_NONE.fullmatch(part) or _FINE.fullmatch(part) for part in sentences):
        return []
    return lines or None


def after_verify(state: Critic, runtime: Runtime[CriticContext]) -> Literal["problems", "settled"]:
    """Correct what has a problem (algorithm 1: the stopping criterion), but not in a check."""
    faulty = any(critique.problems for critique in state.critiques[-1:])
    return "problems" if faulty and not runtime.context.check_only else "settled"


async def correct(state: Critic, runtime: Runtime[CriticContext]) -> Update:
    """Take the text that the critique proposes, or mend by local code; else leave it as it was."""
    context = runtime.context
    *past, last = state.critiques
    text, failed = last.text, "the text was not corrected"
    if holds_text(last.proposed):
        text = in_form_of(text, last.proposed)
    elif not context.by_model("verify"):
        ground = (state.question, text, last.problems or (), state.documents)
        text = await in_thread_or(text, failed, correct_text, *ground, context.weights("verify"))
    else:
        note(f"{failed}: the critique proposes none")
    return {"critiques": [*past, replace(last, revised=text)]}


def after_correct(state: Critic, runtime: Runtime[CriticContext]) -> Literal["again", "settled"]:
    """Go on until a round leaves the text as it is, or there were enough of them."""
    last = state.critiques[-1]
    stable = last.revised == last.text
    return "settled" if stable or len(state.critiques) >= runtime.context.rounds else "again"


async def revise(state: Critic, runtime: Runtime[CriticContext]) -> Update:
    """Turn the last text into edits, each tied to the claims that a critique refutes."""
    context = runtime.context
    verdicts = await _judge(state, context)
    judged = state.model_copy(update={"verdicts": verdicts})
    return {"verdicts": verdicts, "edits": await edits_to(judged, context, state.text)}


async def _judge(state: Critic, context: CriticContext) -> list[Verdict]:
    """The verdicts on the draft's claims: refuted where a problem speaks of one.

    Which of the others the evidence shows says the local verifier, which refutes nothing that a
    model found no problem in; where the first critique could not be read, nothing was judged.
    """
    if not state.critiques or state.critiques[0].problems is None:
        return unchecked(state.claims, _FAILED if state.documents else NO_DOCUMENT)
    over: tuple[VerdictLabel, ...] = ("refuted", "conflicting")
    try:
        claims = state.claims[: context.deployment.max_claims]
        verdicts = await judge_locally(state, context, "verify", claims, state.documents)
        refuted = await to_thread(_refuted, state)
    except OutOfTimeError as error:
        note(f"{_FAILED}: {error}")
        return unchecked(state.claims, str(error))
    by_model = context.by_model("verify")
    rest = overrule(verdicts, over if by_model else (), "no problem was found here")
    return strongest(state.claims, [*refuted, *rest], "over max_claims")


def _refuted(state: Critic) -> list[Verdict]:
    """A verdict for each problem, with the passage that was found for it; the first ones last."""
    verdicts = list[Verdict]()
    for critique in state.critiques:
        strips = evidence_of(critique.searches)
        for problem in critique.problems or ():
            if claim := claim_spoken_of(state.claims, problem):
                [quotes] = best_quotes([problem], strips)
                verdicts.append(
                    Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=problem)
                )
            else:
                note(f"a problem speaks of no claim of the draft: {problem}")
    return verdicts[::-1]


graph = (
    graph_of(Critic, "CRITIC: criticise and correct in rounds")
    .add_sequence([receive, verify])  # messages -> draft -> searches, documents, a critique
    .add_node(correct)  # text, critique -> text
    .add_sequence([revise, propose])  # draft, text, critiques -> verdicts, edits -> those to review
    .add_sequence([review, report])  # edits -> those that a person lets stand -> response
    .add_edge(START, "receive")
    .add_conditional_edges("verify", after_verify, {"problems": "correct", "settled": "revise"})
    .add_conditional_edges("correct", after_correct, {"again": "verify", "settled": "revise"})
    .add_edge("propose", "review")
    .add_edge("report", END)
    .compile(name="CRITIC")
)

method = Method(
    "critic",
    "Correct a draft: criticise it by what searches find, correct it, and go round again.",
    graph,
    replies=replies_to("critic"),
)
