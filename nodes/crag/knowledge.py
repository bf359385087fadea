"""From the question to knowledge, by documents or a web search, and to an answer (section 4)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from textwrap import shorten
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.runtime import Runtime

from errata.core.errors import InputError
from errata.core.records import Action, Document, Knowledge
from errata.nodes.ask import ask_all, ask_role, number_documents
from errata.nodes.crag.state import FLOOR, THRESHOLDS, Crag, KnowledgeContext, WebContext
from errata.nodes.decide import STRIP, score_by_decisions
from errata.nodes.ends import read_chat, readable, whole_characters
from errata.nodes.evidence import ask_corpus, find_hits, read_hits, retrieve_documents, trim
from errata.nodes.state import AnswerContext, AnswerState
from errata.nodes.step import Update, in_thread_or, note
from errata.tools.judges.evaluator import T5Evaluator
from errata.tools.judges.subjects import BEARERS, find_asked_subject, find_bearers
from errata.tools.local.generate import KEYWORDS, rewrite_question
from errata.tools.local.refine import SCORED, DocumentPart, as_knowledge, find_strips, keep_best
from errata.tools.models.decisions import QUESTIONS
from errata.tools.retrieval.filters import assign_ids
from errata.tools.web.search import HITS, engine_answers, wikipedia_first


async def receive(state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
    """Take the question and the documents; raises InputError if there is no question."""
    question, _ = read_chat(state.messages) or (state.question, "")
    if not question.strip():
        raise InputError("the question is empty; ask something")
    documents = readable(state.documents, runtime.context.deployment.max_documents)
    return {"question": whole_characters(question), "documents": documents}


async def retrieve(state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
    """Add the corpus's best documents to the given ones, and trim both."""
    return {"documents": await retrieve_documents(state.question, state.documents, runtime.context)}


EVALUATIONS = {
    "direct": "crag/evaluate.direct",
    "cot": "crag/evaluate.cot",
    "few_shot": "crag/evaluate.few_shot",
}
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
NAMESAKES = 30
"""How many documents to look through for others of a name, by their titles."""


async def evaluate(state: Crag, runtime: Runtime[KnowledgeContext]) -> Update:
    """Score all documents at once; one that cannot be scored has no say."""
    context = runtime.context
    documents = await _add_bearers(state.question, state.documents, context)
    scores = await score_documents(state.question, documents, context)
    action = action_for(scores, *thresholds(context), context.actions)
    by_id = dict(zip((d.id for d in documents), scores, strict=True))
    return {"documents": documents, "scores": by_id, "action": action}


async def _add_bearers(
    question: str, documents: list[Document], context: KnowledgeContext
) -> list[Document]:
    """The documents with the corpus's others of the name asked about, three bearers in all."""
    known = find_bearers(question, [document.title for document in documents])
    subject = find_asked_subject(question)
    if not 0 < len(known) < BEARERS or subject is None or context.profile == "paper":
        return documents
    found = trim([*documents, *await ask_corpus(subject.name, context, NAMESAKES)], context)
    all_known = find_bearers(question, [*known, *(d.title for d in found)])
    others = [d for d in found[len(documents) :] if d.title in all_known and d.title not in known]
    return [*documents, *others[: BEARERS - len(known)]]


async def score_documents(
    question: str, documents: Sequence[Document], context: KnowledgeContext
) -> Sequence[float | None]:
    """A score in [-1, 1] for each document, or None and a note, by what fills `evaluate`."""
    if deciders := context.deciders("evaluate"):
        return await score_by_decisions(question, documents, context, deciders)
    if not context.by_model("evaluate"):
        texts = [(document.title, document.text) for document in documents]
        none: Sequence[float | None] = [None] * len(documents)
        scoring = (context.strip_evaluator.score, question, texts)
        return await in_thread_or(none, "no document was judged", *scoring)
    template = EVALUATIONS[context.evaluation]
    requests = [{"question": question, "document": number_documents([d])} for d in documents]
    consequences = [f"document {document.id} was not judged" for document in documents]
    replies = await ask_all(context, "evaluate", template, requests, consequences)
    scores = [None if reply.failure else read_judgement(reply.text) for reply in replies]
    for document, reply, score in zip(documents, replies, scores, strict=True):
        if score is None and not reply.failure:
            note(f"the reply to {context.template(template).tag} on {document.id} has no yes or no")
    return scores


def thresholds(context: KnowledgeContext) -> tuple[float, float]:
    """The upper and the lower threshold: the run's, else the task's (B.3) or the evaluator's."""
    evaluator = context.evaluator
    upper, lower = (evaluator.upper, evaluator.lower) if evaluator else (0.0, 0.0)
    if isinstance(evaluator, T5Evaluator):
        upper, lower = THRESHOLDS.get(context.task, (upper, lower))
    elif context.deciders("evaluate"):
        upper, lower = THRESHOLDS.get(context.task, THRESHOLDS["popqa"])
    return (
        upper if context.upper is None else context.upper,
        lower if context.lower is None else context.lower,
    )


def action_for(
    scores: Sequence[float | None], upper: float, lower: float, allowed: Sequence[Action]
) -> Action:
    """The action: one score above the upper, all below the lower, or neither (section 4.3).

    An action that is not allowed gives way to `ambiguous`; where that is not allowed either, the
    upper threshold alone decides (section 5.4).
    """
    known = [score for score in scores if score is not None]
    correct = any(score > upper for score in known)
    hopeless = len(known) == len(scores) and all(score < lower for score in known)
    action: Action = "correct" if correct else "incorrect" if hopeless else "ambiguous"
    if action in allowed:
        return action
    if "ambiguous" in allowed:
        return "ambiguous"
    return allowed[0] if len(allowed) == 1 else "correct" if correct else "incorrect"


def read_judgement(reply: str) -> float | None:
    """Yes as 1 and no as -1; the last of them counts, and a reply with neither says nothing.

    >>> read_judgement("Step by step: no page ... So the answer is **Yes**.")
    1.0
    """
    answers = _WORD.findall(reply)
    return (1.0 if answers[-1].lower() == "yes" else -1.0) if answers else None


async def refine(state: Crag, runtime: Runtime[KnowledgeContext]) -> Update:
    """Cut documents into strips, score these, and recompose the best in order."""
    context = runtime.context
    incorrect = state.action == "incorrect"
    if not context.refinement and not incorrect:
        return {"internal": [as_knowledge(document) for document in state.documents]}
    top_k = context.kept if incorrect else context.strip_top_k
    most = QUESTIONS if context.deciders("evaluate") else SCORED
    known = (state.question, state.documents, context, top_k)
    return {"internal": await _find_best(*known, mode=context.strips, scored=most)}


async def _find_best(
    question: str, documents: Sequence[Document], context: WebContext, top_k: int, **cut: Any
) -> list[Knowledge]:
    """The best strips, for local code on the subject; a model reads two below the floor, too."""
    on_subject = not context.by_model("generate")
    strips = await to_thread(find_strips, question, documents, on_subject=on_subject, **cut)
    scores, floor = await _score_strips(question, strips, context)
    best = keep_best(strips, scores, top_k, floor)
    return best or keep_best(strips, scores, min(top_k, context.kept), -1.0)


async def _score_strips(
    question: str, strips: Sequence[DocumentPart], context: WebContext
) -> tuple[Sequence[float], float]:
    """Scores, all by the decision model that evaluates or all by an evaluator, and their floor."""
    texts = [strip.titled for strip in strips]
    if deciders := context.deciders("evaluate"):
        shown = [Document(title=title, text=text) for title, text in texts]
        found = await score_by_decisions(question, shown, context, deciders, STRIP)
        scores = [score for score in found if score is not None]
        if len(scores) == len(strips):
            return scores, FLOOR if context.strip_threshold is None else context.strip_threshold
        note("local code chose the strips instead")
    return await to_thread(context.strip_evaluator.score, question, texts), context.floor


TURNS, TURN_LENGTH = 6, 500
"""The most earlier turns of a chat that are read, and their most characters."""
_LEAD = re.compile(r"^\W*(?:query|keywords|search(?: query)?)\W*:\s*", re.IGNORECASE)


async def rewrite(state: AnswerState, runtime: Runtime[WebContext]) -> Update:
    """One query of at most three keywords; the question itself where that fails, none unasked."""
    context = runtime.context
    if context.search == "none":
        return {"queries": []}
    if not context.rewriting:
        return {"queries": [state.question]}
    chat = earlier_turns(state.messages)
    # What local code makes of a question alone brings the answer as often.
    asked = chat or "rewrite" in context.roles or context.profile == "paper"
    if not asked or not context.by_model("rewrite"):
        return {"queries": [rewrite_question(state.question, [text for _, text in chat])]}
    template = "crag/rewrite.chat" if chat else "crag/rewrite"
    turns = "\n".join(f"{who}: {text}" for who, text in chat)
    values = {"question": state.question, "chat": turns}
    consequence = "the question was searched for as it stands"
    reply = await ask_role(context, "rewrite", template, if_failed=consequence, **values)
    return {"queries": [read_keywords(reply.text) or state.question]}


def earlier_turns(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """Who said what before a chat's last message: the newest turns, each on one line, cut."""
    spoken = [m for m in messages[:-1] if isinstance(m, HumanMessage | AIMessage) and m.text]
    turns = [(isinstance(m, HumanMessage), whole_characters(str(m.text))) for m in spoken[-TURNS:]]
    return [
        ("Person" if asks else "Answer", shorten(text, TURN_LENGTH, placeholder=" …"))
        for asks, text in turns
    ]


def read_keywords(reply: str) -> str:
    """At most three keywords, from the reply's first line.

    >>> read_keywords("Query: Ada Lovelace, birthplace, 1815, England")
    'Ada Lovelace, birthplace, 1815'
    """
    line = _LEAD.sub("", reply.strip()).split("\n")[0]
    words = (word.strip(" \t\"'`*.;") for word in line.split(","))
    return ", ".join([word for word in words if word][:KEYWORDS])


async def search(state: AnswerState, runtime: Runtime[WebContext]) -> Update:
    """Search once; a failure is noted and leaves what was retrieved."""
    context = runtime.context
    if context.search == "none":
        note("nothing was searched for: search is none")
        return {"found": None}
    query = state.queries[0]
    found = await find_hits(query, context, "search", HITS)
    if found and not found.hits:
        note(f"{context.engine} found nothing for {query!r}")
    return {"found": found}


async def read(state: AnswerState, runtime: Runtime[WebContext]) -> Update:
    """Read the best pages all at once, Wikipedia's first; one that cannot be read is noted."""
    context = runtime.context
    if state.found is None:
        return {"pages": []}
    hits = wikipedia_first(state.found.hits)
    pages = await read_hits(hits[: context.search_top_k], context, "read")
    documents = assign_ids([*state.documents, *engine_answers(state.found), *pages])
    return {"pages": documents[len(state.documents) :]}


PARAGRAPHS = 40
"""The most of the pages' paragraphs to score, those that share most with the question."""
BESIDE = 3
"""The most of them for a model that has strips of the documents, too."""


async def select(state: AnswerState, runtime: Runtime[WebContext]) -> Update:
    """Score the pages' paragraphs, and keep the best in order; fewer beside the documents'."""
    context = runtime.context
    if not context.selection:
        return {"external": [as_knowledge(page) for page in state.pages]}
    few = context.chooses and state.action == "ambiguous"
    top_k = min(BESIDE, context.strip_top_k) if few else context.strip_top_k
    known = (state.question, state.pages, context, top_k)
    return {"external": await _find_best(*known, mode="paragraphs", scored=PARAGRAPHS)}
