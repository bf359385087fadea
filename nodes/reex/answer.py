"""Answer the sub-questions, all at once (section 2, step 1; table 3)."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Sequence
from typing import TypedDict

from errata.bounds import in_time
from errata.errors import OutOfTimeError, SearchError, SettingError
from errata.nodes.ask import ask_all
from errata.nodes.ledger import note_once, spend
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.retrieve import retrieve_documents
from errata.nodes.step import step
from errata.records import Document, Knowledge, SearchResult, SubAnswer, Usage
from errata.tools.judges.checkpoints import evaluator_for
from errata.tools.local.refine import as_knowledge, refine
from errata.tools.retrieval.filters import assign_ids, drop_domains
from errata.tools.text.words import count_tokens
from errata.tools.web.search import engine_answers, search_web


class Answered(TypedDict):
    """The answers, and the documents they are from."""

    documents: list[Document]
    answers: list[SubAnswer]


@step
async def answer(state: Reex, context: ReexContext) -> Answered:
    """Find evidence for every sub-question; one that fails is noted and has none."""
    if context.evidence == "internal":
        evidence = await _recall(state.questions, context)
    else:
        evidence = await gather(*(_look_up(question, context) for question in state.questions))
    texts = _distinct(document for documents in evidence for document in documents)
    documents = assign_ids([*state.documents, *texts])
    by_text = {document.text: document for document in documents}
    each = [[by_text[d.text] for d in (*state.documents, *own)] for own in evidence]
    answers = await to_thread(_answers, state.questions, each, context)
    return {"documents": documents, "answers": answers}


async def _look_up(question: str, context: ReexContext) -> list[Document]:
    """Documents from the corpus and from a web search for one sub-question."""
    documents = await retrieve_documents(question, (), context)
    if context.search == "none":
        return documents
    spend(Usage(searches=1, by_role={"answer": {"searches": 1}}))
    try:
        async with in_time():
            result = await search_web(question, context.search, context.limits, context.cache)
    except (SearchError, OutOfTimeError) as error:
        note_once(str(error))
        return documents
    hits = drop_domains(snippets(result), context.blocked_domains)[: context.top_k]
    return [*documents, *engine_answers(result), *hits]


def snippets(result: SearchResult) -> list[Document]:
    """What an engine shows of its results, as documents with their addresses."""
    texts = ((hit, hit.text or hit.snippet) for hit in result.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in texts
        if text.strip()
    ]


async def _recall(questions: Sequence[str], context: ReexContext) -> list[list[Document]]:
    """A model's own answers.

    Raises SettingError if local code fills the role.
    """
    if context.model_for("answer") is None:
        raise SettingError("internal evidence is a model's own: name one for the role answer")
    requests = [{"question": question} for question in questions]
    consequences = [f"{question!r} was not answered" for question in questions]
    replies = await ask_all(context, "answer", "reex/answer", requests, consequences)
    title = "the model's answer"
    return [
        [] if reply.failure else [Document(text=reply.text, title=title, source="model")]
        for reply in replies
    ]


def _distinct(documents: Iterable[Document]) -> list[Document]:
    return list({document.text: document for document in documents}.values())


def _answers(
    questions: Sequence[str], documents: Sequence[Sequence[Document]], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with its strips; a strip answers the first question it fits."""
    answers, used = [], set[tuple[str, int]]()
    for question, own in zip(questions, documents, strict=True):
        strips = _strips(question, own, context)
        new = [strip for strip in strips if (strip.document, strip.start) not in used]
        used |= {(strip.document, strip.start) for strip in new}
        answers.append(SubAnswer(question=question, evidence=tuple(new)))
    return _cut_to_budget(answers, context.evidence_tokens) if context.filter_evidence else answers


def _strips(
    question: str, documents: Sequence[Document], context: ReexContext
) -> Sequence[Knowledge]:
    """The best strips for one sub-question, or the documents whole."""
    if not context.filter_evidence:
        return [as_knowledge(document) for document in documents]
    evaluator = evaluator_for("local:lexical")
    best = (evaluator, context.strips_per_question, evaluator.floor)
    return refine(question, documents, "excerption", *best)


def _cut_to_budget(answers: Sequence[SubAnswer], tokens: int) -> list[SubAnswer]:
    """The answers with the best strips of all that fit a budget of tokens."""
    strips = [strip for answer in answers for strip in answer.evidence]
    best: set[Knowledge] = set()
    for strip in sorted(strips, key=lambda strip: -(strip.score or 0.0)):
        tokens -= count_tokens(strip.text)
        if tokens >= 0:
            best.add(strip)
    return [
        SubAnswer(question=a.question, evidence=tuple(s for s in a.evidence if s in best))
        for a in answers
    ]
