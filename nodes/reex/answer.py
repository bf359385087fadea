"""Answer the sub-questions, all at once (section 2, step 1; table 3)."""

from asyncio import gather, to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypedDict

from errata.bounds import in_time
from errata.errors import OutOfTimeError, SearchError, SettingError
from errata.nodes.ask import ask_all
from errata.nodes.ledger import note, note_once, spend
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.retrieve import retrieve_documents
from errata.nodes.step import step
from errata.records import Document, Knowledge, SearchResult, SubAnswer, Usage
from errata.tools.judges.checkpoints import evaluator_for
from errata.tools.local.refine import as_knowledge, refine
from errata.tools.retrieval.filters import assign_ids, drop_domains
from errata.tools.text.words import content_stems, count_tokens
from errata.tools.web.search import engine_answers, search_web

CANDIDATES = 20
"""The strips that are looked at for one sub-question; those that repeat a better one fall away."""
Place = tuple[str, int]
"""A strip's document and start."""


class Answered(TypedDict):
    """The answers, and the documents they are from."""

    documents: list[Document]
    answers: list[SubAnswer]


class _Found(NamedTuple):
    """What was found for one sub-question."""

    texts: list[Document]
    """What may speak of it somewhere: pages, snippets."""
    direct: list[Document]
    """What was said to it: a model's answer, an engine's answer box and facts; kept whole."""


@step
async def answer(state: Reex, context: ReexContext) -> Answered:
    """Find evidence for every sub-question; one that fails is noted and has none."""
    internal = context.evidence == "internal"
    if internal:
        found = await _recall(state.questions, context)
    else:
        found = await gather(*(_look_up(question, context) for question in state.questions))
    given = [] if internal else state.documents
    if internal and state.documents:
        note("the given documents were not used: evidence=internal takes a model's answers alone")
    documents, numbered = _with_ids(given, found)
    answers = await to_thread(_answers, state.questions, numbered, context)
    return {"documents": documents, "answers": answers}


def _with_ids(
    given: Sequence[Document], found: Sequence[_Found]
) -> tuple[list[Document], list[_Found]]:
    """All distinct documents with ids, and what each sub-question has of them."""
    others = {d.text: d for one in found for d in (*one.direct, *one.texts)}
    documents = assign_ids([*given, *others.values()])
    by_text = {document.text: document for document in documents}
    each = [
        _Found(
            [by_text[d.text] for d in (*given, *one.texts)], [by_text[d.text] for d in one.direct]
        )
        for one in found
    ]
    return documents, each


async def _look_up(question: str, context: ReexContext) -> _Found:
    """Documents from the corpus and from a web search for one sub-question."""
    documents = await retrieve_documents(question, (), context)
    if context.search == "none":
        return _Found(texts=documents, direct=[])
    spend(Usage(searches=1, by_role={"answer": {"searches": 1}}))
    try:
        async with in_time():
            result = await search_web(question, context.search, context.limits, context.cache)
    except (SearchError, OutOfTimeError) as error:
        note_once(str(error))
        return _Found(texts=documents, direct=[])
    hits = drop_domains(snippets(result), context.blocked_domains)[: context.top_k]
    return _Found(texts=[*documents, *hits], direct=engine_answers(result))


def snippets(result: SearchResult) -> list[Document]:
    """What an engine shows of its results, as documents with their addresses."""
    texts = ((hit, hit.text or hit.snippet) for hit in result.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in texts
        if text.strip()
    ]


async def _recall(questions: Sequence[str], context: ReexContext) -> list[_Found]:
    """A model's own answers.

    Raises SettingError if local code fills the role.
    """
    if context.model_for("answer") is None:
        raise SettingError("internal evidence is a model's own: name one for the role answer")
    requests = [{"question": question} for question in questions]
    consequences = [f"{question!r} was not answered" for question in questions]
    replies = await ask_all(context, "answer", "reex/answer.v1", requests, consequences)
    title = "the model's answer"
    return [
        _Found(
            [], [] if reply.failure else [Document(text=reply.text, title=title, source="model")]
        )
        for reply in replies
    ]


def _answers(
    questions: Sequence[str], found: Sequence[_Found], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with what was said to it, and with its own best strips."""
    answers = [
        SubAnswer(
            question=question,
            evidence=(*map(as_knowledge, own.direct), *_strips(question, own.texts, context)),
            found=len(own.direct) + len(own.texts),
        )
        for question, own in zip(questions, found, strict=True)
    ]
    filtered = context.filter_evidence and context.evidence != "internal"
    return _cut_to_budget(answers, context.evidence_tokens) if filtered else answers


def _strips(
    question: str, documents: Sequence[Document], context: ReexContext
) -> Sequence[Knowledge]:
    """The best strips for one sub-question, or the documents whole."""
    if not context.filter_evidence:
        return [as_knowledge(document) for document in documents]
    evaluator, stems = evaluator_for("local:lexical"), content_stems(question)
    candidates = refine(question, documents, "excerption", evaluator, CANDIDATES, threshold=-1.0)
    ranked = sorted(candidates, key=lambda strip: -(strip.score or 0.0))
    speaking = [strip for strip in ranked if stems & content_stems(strip.text)]
    good = [strip for strip in speaking if (strip.score or 0.0) >= evaluator.floor]
    return _distinct(good or speaking[:1])[: context.strips_per_question]


def _distinct(strips: Sequence[Knowledge]) -> list[Knowledge]:
    """The strips without those whose words a better one has; the next best take their slots."""
    kept = dict[frozenset[str], Knowledge]()
    for strip in strips:
        stems = frozenset(content_stems(strip.text))
        if not any(stems <= others for others in kept):
            kept[stems] = strip
    return list(kept.values())


def _cut_to_budget(answers: Sequence[SubAnswer], tokens: int) -> list[SubAnswer]:
    """The answers with the best strips that fit a budget of tokens, which pays for a strip once.

    What was said to a sub-question goes first, then the best strip of each, then the second best.
    """
    kept = set[Place]()
    for strip in _by_rank(answers):
        cost = 0 if _place(strip) in kept else count_tokens(strip.text)
        if cost <= tokens:
            kept.add(_place(strip))
            tokens -= cost
    return [
        replace(answer, evidence=tuple(s for s in answer.evidence if _place(s) in kept))
        for answer in answers
    ]


def _by_rank(answers: Sequence[SubAnswer]) -> list[Knowledge]:
    """All strips: by their rank in their own answer, then by score; those without score first."""
    ranked = [
        (rank if strip.score is not None else -1, -(strip.score or 0.0), strip)
        for answer in answers
        for rank, strip in enumerate(sorted(answer.evidence, key=lambda s: -(s.score or 0.0)))
    ]
    return [strip for _, _, strip in sorted(ranked, key=lambda item: item[:2])]


def _place(strip: Knowledge) -> Place:
    return strip.document, strip.start
