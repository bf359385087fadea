"""Begin, ask sub-questions, and answer all of them at once (section 2, step 1; table 3)."""

from asyncio import to_thread
from collections.abc import Sequence, Set
from dataclasses import replace

from errata.core.records import Document, Knowledge, SubAnswer
from errata.nodes.ask import question_for
from errata.nodes.claims import ask_questions
from errata.nodes.ends import read_request
from errata.nodes.evidence import Found, look_up_each, recall, recalled
from errata.nodes.reex.state import Reex, ReexContext, claims_of, extract_claims
from errata.nodes.step import Update, note, opening, step
from errata.tools.judges.evaluator import evaluator_for
from errata.tools.local.refine import as_knowledge, refine
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import content_stems, count_tokens, split_stems


@opening
async def receive(state: Reex, context: ReexContext) -> Update:
    """Take question, draft and documents, and find the draft's claims.

    Raises InputError if there is no draft.
    """
    request = read_request(state, context)
    begun = state.model_copy(update={**request, "explanations": []})
    return {**request, "claims": await claims_of(begun, context)}


@step
async def ask(state: Reex, context: ReexContext) -> Update:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    claims = await claims_of(state, context)
    questions = await ask_questions(state, context, "reex/ask")
    if not questions:
        found = await to_thread(extract_claims, state.question, state.draft)
        questions = [question_for(claim) for claim in found]
    limit = context.max_questions
    asked, unasked = questions[:limit], questions[limit:]
    if unasked:
        note(f"{len(unasked)} sub-questions over max_questions={limit} were not looked up")
    return {"claims": claims, "questions": asked, "unasked": unasked}


CANDIDATES = 20
"""The strips that are looked at for one sub-question; those that repeat a better one fall away."""
Place = tuple[str, int]
"""A strip's document and start."""


@step
async def answer(state: Reex, context: ReexContext) -> Update:
    """Find evidence for every sub-question; one that fails is noted and has none."""
    if context.evidence == "internal":
        given = list[Document]()
        texts = await recall(state.questions, state.documents, context, "reex/answer")
        found = [Found([], recalled([text]), []) for text in texts]
    else:
        given = state.documents
        found = await look_up_each(state.questions, given, context, "answer")
    documents, numbered = _with_ids(given, found)
    answers = await to_thread(_answers, state.questions, numbered, context)
    return {"documents": documents, "answers": answers}


def _with_ids(
    given: Sequence[Document], found: Sequence[Found]
) -> tuple[list[Document], list[Found]]:
    """All distinct documents with ids, and what each sub-question has of them."""
    others = {d.text: d for one in found for d in (*one.answers, *one.documents, *one.snippets)}
    documents = assign_ids([*given, *others.values()])
    by_text = {document.text: document for document in documents}

    def numbered(*texts: Document) -> list[Document]:
        return [by_text[document.text] for document in texts]

    return documents, [
        Found(numbered(*given, *one.documents), numbered(*one.answers), numbered(*one.snippets))
        for one in found
    ]


def _answers(
    questions: Sequence[str], found: Sequence[Found], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with what was said to it, and with its own best strips.

    Those that another sub-question has too are not counted: the next best take their slots.
    """
    answers, shown = [], set[Place]()
    for question, own in zip(questions, found, strict=True):
        texts = [*own.documents, *own.snippets]
        strips, slots = list[Knowledge](), context.strips_per_question
        if not context.filter_evidence:
            strips = list(map(as_knowledge, texts))
        for strip in _distinct(_ranked(question, texts)) if context.filter_evidence else ():
            slots -= _place(strip) not in shown
            if slots < 0:
                break
            strips.append(strip)
        shown |= {_place(strip) for strip in strips}
        evidence = (*map(as_knowledge, own.answers), *strips)
        count = len(own.answers) + len(texts)
        answers.append(SubAnswer(question=question, evidence=evidence, found=count))
    filtered = context.filter_evidence and context.evidence != "internal"
    return _cut_to_budget(answers, context.evidence_tokens) if filtered else answers


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
    ranked = [
        (rank if strip.score is not None else -1, -(strip.score or 0.0), strip)
        for answer in answers
        for rank, strip in enumerate(sorted(answer.evidence, key=lambda s: -(s.score or 0.0)))
    ]
    kept = set[Place]()
    for _, _, strip in sorted(ranked, key=lambda item: item[:2]):
        cost = 0 if _place(strip) in kept else count_tokens(strip.text)
        if cost <= tokens:
            kept.add(_place(strip))
            tokens -= cost
    return [
        replace(answer, evidence=tuple(s for s in answer.evidence if _place(s) in kept))
        for answer in answers
    ]


def _place(strip: Knowledge) -> Place:
    return strip.document, strip.start
