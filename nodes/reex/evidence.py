"""Begin, ask sub-questions, and answer all of them at once (section 2, step 1; table 3)."""

from asyncio import to_thread
from collections.abc import Container, Iterable, Sequence, Set
from itertools import chain, zip_longest

from langgraph.runtime import Runtime

from errata.core.records import Document, Explanation, Knowledge, SubAnswer
from errata.nodes.ask import question_for
from errata.nodes.claims import ask_questions
from errata.nodes.ends import take_request
from errata.nodes.evidence import QueryEvidence, look_up_each, recall, recalled
from errata.nodes.reex.state import Reex, ReexContext, draft_claims, extract_claims
from errata.nodes.step import Update, note
from errata.tools.judges.evaluator import evaluator_for
from errata.tools.local.explain import evidence_of, read_citations
from errata.tools.local.refine import SPLITS, as_knowledge, find_strips, keep_best, split_documents
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import content_stems, count_tokens, split_stems


async def receive(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Take question, draft and documents, and find the draft's claims.

    Raises InputError if there is no draft.
    """
    context = runtime.context
    request = take_request(state, context)
    begun = state.model_copy(update={**request, "explanations": []})
    return {**request, "claims": await draft_claims(begun, context)}


async def ask(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    context = runtime.context
    claims = await draft_claims(state, context)
    questions = await ask_questions(state, context, "reex/ask", most=str(context.max_questions))
    if not questions:
        found = await to_thread(extract_claims, state.question, state.draft)
        questions = [question_for(claim) for claim in found]
    limit = context.max_questions
    asked, unasked = questions[:limit], questions[limit:]
    if unasked:
        note(f"{len(unasked)} sub-questions over max_questions={limit} were not looked up")
    return {"claims": claims, "questions": asked, "unasked": unasked}


CANDIDATES = 20
"""The strips that are looked at for one sub-question."""
FIRST = 2
"""How many strips of each sub-question come before the neighbours of these."""


async def answer(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Find evidence for every sub-question; one that fails is noted and has none."""
    context = runtime.context
    if context.evidence == "internal":
        given = list[Document]()
        texts = await recall(state.questions, state.documents, context, "reex/answer")
        found = [QueryEvidence([], recalled([text]), []) for text in texts]
    else:
        given = state.documents
        found = await look_up_each(state.questions, given, context, "answer")
    documents, numbered = _with_ids(given, found)
    answers = await to_thread(_answers, state.questions, numbered, context)
    return {"documents": documents, "answers": answers}


def _with_ids(
    given: Sequence[Document], found: Sequence[QueryEvidence]
) -> tuple[list[Document], list[QueryEvidence]]:
    """All distinct documents with ids, and what each sub-question has of them."""
    others = {d.text: d for one in found for d in (*one.answers, *one.documents, *one.snippets)}
    documents = assign_ids([*given, *others.values()])
    by_text = {document.text: document for document in documents}

    def numbered(*texts: Document) -> list[Document]:
        return [by_text[document.text] for document in texts]

    return documents, [
        QueryEvidence(
            numbered(*given, *one.documents), numbered(*one.answers), numbered(*one.snippets)
        )
        for one in found
    ]


def _answers(
    questions: Sequence[str], found: Sequence[QueryEvidence], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with what was said to it, and with what is shown of its own texts."""
    said = [list(map(as_knowledge, own.answers)) for own in found]
    texts = [[*own.documents, *own.snippets] for own in found]
    shown = [list(map(as_knowledge, own)) for own in texts]
    if context.in_lines:
        paid = sum(count_tokens(strip.text) for strip in {*chain.from_iterable(said)})
        strips = _choose(questions, texts, context.evidence_tokens - paid)
        shown = [[s for s in strips if s.document in {d.id for d in own}] for own in texts]
    return [
        SubAnswer(question=question, evidence=(*own, *strips), found=len(own) + len(others))
        for question, own, strips, others in zip(questions, said, shown, texts, strict=True)
    ]


def _choose(
    questions: Sequence[str], texts: Sequence[Sequence[Document]], tokens: int
) -> list[Knowledge]:
    """The strips that fit a budget, in the documents' order: all of them if they do.

    Else the sub-questions take turns. First go their best strips, with the neighbours of these,
    then the other strips that match, then the rest of the same documents. One whose words another
    has says nothing new.
    """
    documents = tuple(dict.fromkeys(chain.from_iterable(texts)))
    strips = [
        Knowledge(document=piece.document.id, start=piece.start, end=piece.end, text=piece.text)
        for piece in split_documents(documents, SPLITS["excerption"])
    ]
    if sum(count_tokens(document.text) for document in documents) <= tokens:
        return strips
    numbers = {(strip.document, strip.start): n for n, strip in enumerate(strips)}
    ranked = [_rank(question, own) for question, own in zip(questions, texts, strict=True)]
    places = [(s.document, s.start) for turn in zip_longest(*ranked) for s in turn if s]
    matching = list(dict.fromkeys(numbers[place] for place in places if place in numbers))
    best = matching[: FIRST * len(questions)]
    near = (n + step for n in best for step in (1, -1) if 0 <= n + step < len(strips))
    order = [*best, *near, *matching, *range(len(strips))]
    matched, kept = {strips[n].document for n in matching}, dict[int, Set[str]]()
    for n in dict.fromkeys(n for n in order if strips[n].document in matched):
        cost, stems = count_tokens(strips[n].text), content_stems(strips[n].text)
        if cost <= tokens and not any(stems <= own for own in kept.values()):
            kept[n] = stems
            tokens -= cost
    return [strips[n] for n in sorted(kept)]


def _rank(question: str, documents: Sequence[Document]) -> list[Knowledge]:
    """The strips that have words of a question, the best first.

    The evaluator's rank and that by BM25 count alike: the former favours strips that repeat the
    question, the latter those that have its rare words.
    """
    pieces = find_strips(question, documents, "excerption", on_subject=False)
    scores = evaluator_for("local:lexical").score(question, [piece.titled for piece in pieces])
    strips = keep_best(pieces, scores, CANDIDATES, -1.0)
    by_score = sorted(range(len(strips)), key=lambda i: -(strips[i].score or 0.0))
    by_words = Ranking([split_stems(strip.text) for strip in strips])
    matching = [i for i, _ in by_words.best(list(content_stems(question)), CANDIDATES)]
    ranks = {i: by_score.index(i) + rank for rank, i in enumerate(matching)}
    return [strips[i] for i in sorted(matching, key=lambda i: ranks[i])]


NOT_FOUND = "nothing was found"
NOT_SHOWN = "what was found does not speak of this"
NOTHING = "none"


def list_answers(state: Reex, context: ReexContext) -> str:
    """The evidence as a model is shown it, with the sub-questions."""
    if context.in_lines:
        blocks = _list_lines(state)
    else:
        blocks = _blocks(state, [answer.evidence for answer in state.answers])
    if state.unasked:
        blocks.append(f"Questions for which nothing was looked up: {len(state.unasked)}")
    return "\n\n".join(blocks) or NOTHING


def number_answers(state: Reex) -> str:
    """Each sub-question, numbered, with all of its evidence."""
    return "\n\n".join(_blocks(state, [answer.evidence for answer in state.answers])) or NOTHING


def list_cited(state: Reex, context: ReexContext, explanations: Sequence[Explanation]) -> str:
    """The strips that explanations rest on, under the questions or with the numbers they cite."""
    places = {(q.document, q.start) for e in explanations for q in e.evidence}
    if context.in_lines:
        return "\n\n".join(_list_lines(state, places)) or NOTHING
    texts = [explanation.text for explanation in explanations]
    numbers = {number for text in texts for number in read_citations(text, len(state.answers))}
    evidence = [
        [s for s in answer.evidence if number in numbers and (s.document, s.start) in places]
        for number, answer in enumerate(state.answers, start=1)
    ]
    blocks = zip(_blocks(state, evidence), evidence, strict=True)
    return "\n\n".join(block for block, strips in blocks if strips) or NOTHING


def lines_of(answers: Sequence[SubAnswer]) -> list[Knowledge]:
    """The strips of evidence by number; those that were found for all questions come first."""
    return list(dict.fromkeys([*_found_for_all(answers), *evidence_of(answers)]))


def _found_for_all(answers: Sequence[SubAnswer]) -> list[Knowledge]:
    own = [set(answer.evidence) for answer in answers]
    shared = set[Knowledge]().union(*own[:1]).intersection(*own) if len(own) > 1 else ()
    return [strip for strip in evidence_of(answers) if strip in shared]


def _list_lines(state: Reex, places: Container[tuple[str, int]] | None = None) -> list[str]:
    """Numbered lines: those found for all questions, then each question with those found for it.

    With places only the lines that stand there, without the questions that have none.
    """
    titles = {d.id: " ".join(d.title.split()) for d in state.documents}
    numbers = {strip: n for n, strip in enumerate(lines_of(state.answers), start=1)}

    def show(strips: Iterable[Knowledge]) -> list[str]:
        """A line each; the first of a document has its title."""
        lines, last = list[str](), ""
        for strip in strips:
            if places is None or (strip.document, strip.start) in places:
                title = titles[strip.document] if strip.document != last else ""
                text = " ".join(strip.text.split())
                lines.append(f"[{numbers[strip]}] " + (f"[{title}] " if title else "") + text)
                last = strip.document
        return lines

    for_all = _found_for_all(state.answers)
    shown, questions = {*for_all}, list[str]()
    for answer in state.answers:
        lines = show(strip for strip in answer.evidence if strip not in shown)
        if places is None:
            above = [strip for strip in answer.evidence if strip in shown.difference(for_all)]
            lines += [f"see [{numbers[strip]}]" for strip in above]
            if not answer.evidence:
                lines = [NOT_SHOWN if answer.found else NOT_FOUND]
        if lines or places is None:
            questions += [f"- {answer.question}", *lines]
        shown |= {*answer.evidence}
    return [block for block in ("\n".join(show(for_all)), "\n".join(questions)) if block]


def _blocks(state: Reex, evidence: Sequence[Sequence[Knowledge]]) -> list[str]:
    """A numbered block for each sub-question; a strip that stands above is referred to."""
    titles = {d.id: " ".join(d.title.split()) for d in state.documents}
    shown = dict[tuple[str, int], int]()
    blocks = []
    for number, (answer, strips) in enumerate(zip(state.answers, evidence, strict=True), start=1):
        lines, above = list[str](), set[int]()
        for strip in strips:
            place = shown.setdefault((strip.document, strip.start), number)
            if place == number:
                title, text = titles[strip.document], " ".join(strip.text.split())
                lines.append(f"[{title}] {text}" if title else text)
            else:
                above.add(place)
        lines += [f"see answer {place}" for place in sorted(above)]
        lack = NOT_SHOWN if answer.found else NOT_FOUND
        blocks.append("\n".join([f"{number}. {answer.question}", *(lines or [lack])]))
    return blocks
