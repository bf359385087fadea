"""Answer the sub-questions, all at once (section 2, step 1; table 3)."""

from asyncio import gather, to_thread
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple, TypedDict

from errata.core.errors import SettingError
from errata.core.records import Document, Knowledge, SubAnswer
from errata.nodes.ask import ask_all
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.evidence import note_unused
from errata.nodes.shared.retrieve import look_up_in_corpus
from errata.nodes.shared.web import find_hits, snippets
from errata.nodes.step import step
from errata.tools.judges.checkpoints import evaluator_for
from errata.tools.local.refine import as_knowledge, refine
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import content_stems, count_tokens, split_stems
from errata.tools.web.engines import HITS
from errata.tools.web.search import engine_answers

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
        found = await gather(*(_look_up(q, state.documents, context) for q in state.questions))
    given = [] if internal else state.documents
    if internal:
        note_unused(state.documents, context)
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


async def _look_up(question: str, given: Sequence[Document], context: ReexContext) -> _Found:
    """Documents from the corpus and from a web search for one sub-question."""
    documents = await look_up_in_corpus(question, given, context)
    if context.search == "none":
        return _Found(texts=documents, direct=[])
    result = await find_hits(question, context, "answer", HITS)
    if result is None:
        return _Found(texts=documents, direct=[])
    hits = snippets(result)[: context.top_k]
    return _Found(texts=[*documents, *hits], direct=engine_answers(result))


async def _recall(questions: Sequence[str], context: ReexContext) -> list[_Found]:
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
        _Found(
            [], [] if reply.failure else [Document(text=reply.text, title=title, source="model")]
        )
        for reply in replies
    ]


def _answers(
    questions: Sequence[str], found: Sequence[_Found], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with what was said to it, and with its own best strips."""
    answers, shown = [], set[Place]()
    for question, own in zip(questions, found, strict=True):
        strips = _strips(question, own.texts, shown, context)
        shown |= {_place(strip) for strip in strips}
        evidence = (*map(as_knowledge, own.direct), *strips)
        count = len(own.direct) + len(own.texts)
        answers.append(SubAnswer(question=question, evidence=evidence, found=count))
    filtered = context.filter_evidence and context.evidence != "internal"
    return _cut_to_budget(answers, context.evidence_tokens) if filtered else answers


def _strips(
    question: str, documents: Sequence[Document], shown: Set[Place], context: ReexContext
) -> Sequence[Knowledge]:
    """The best strips for one sub-question, or the documents whole.

    Those that another sub-question has too are not counted: the next best take their slots.
    """
    if not context.filter_evidence:
        return [as_knowledge(document) for document in documents]
    strips, slots = [], context.strips_per_question
    for strip in _distinct(_ranked(question, documents)):
        slots -= _place(strip) not in shown
        if slots < 0:
            break
        strips.append(strip)
    return strips


def _ranked(question: str, documents: Sequence[Document]) -> list[Knowledge]:
    """The strips that speak of a question, the best first; one at least if any has its words.

    The evaluator's rank and that by BM25 count alike: the former favours strips that repeat the
    question, the latter those that have its rare words.
    """
    evaluator = evaluator_for("local:lexical")
    best = (evaluator, CANDIDATES, -1.0)
    strips = refine(question, documents, "excerption", *best, on_subject=False)
    by_score = sorted(range(len(strips)), key=lambda i: -(strips[i].score or 0.0))
    by_words = Ranking([split_stems(strip.text) for strip in strips])
    matching = [i for i, _ in by_words.best(list(content_stems(question)), CANDIDATES)]
    ranks = {i: by_score.index(i) + rank for rank, i in enumerate(matching)}
    ranked = [strips[i] for i in sorted(matching, key=lambda i: ranks[i])]
    good = [strip for strip in ranked if (strip.score or 0.0) >= evaluator.floor]
    return good or ranked[:1]


def _distinct(strips: Sequence[Knowledge]) -> list[Knowledge]:
    """The strips, each once: of two with the same words the longer, at the better one's place."""
    kept = list[tuple[Set[str], Knowledge]]()
    for strip in strips:
        stems = content_stems(strip.text)
        same = next((n for n, (own, _) in enumerate(kept) if own <= stems or stems <= own), None)
        if same is None:
            kept.append((stems, strip))
        elif kept[same][0] < stems:
            kept[same] = stems, strip
    return [strip for _, strip in kept]


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
