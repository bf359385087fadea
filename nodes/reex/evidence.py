"""Ask sub-questions, and answer all of them at once (section 2, step 1; table 3)."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from itertools import chain

from langgraph.runtime import Runtime

from errata.core.records import Document, Explanation, Knowledge, SubAnswer
from errata.nodes.ask import question_for
from errata.nodes.claims import ask_questions, split_locally
from errata.nodes.evidence import QueryEvidence, look_up_each, recall, recalled
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.step import Update, note
from errata.tools.local.explain import evidence_of, read_citations
from errata.tools.local.refine import SPLITS, as_knowledge, select_passages, split_documents
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.words import content_stems, count_tokens


async def ask(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    context = runtime.context
    if _fit(state.documents, context):
        return {"questions": [state.question]}
    questions = await ask_questions(state, context, "reex/ask", most=str(context.max_questions))
    if not questions:
        found = await split_locally(state)
        questions = [question_for(claim) for claim in found]
    limit = context.max_questions
    if over := questions[limit:]:
        note(f"{len(over)} sub-questions over max_questions={limit} were not looked up")
    return {"questions": questions[:limit]}


def _fit(documents: Sequence[Document], context: ReexContext) -> bool:
    """Whether a model is shown all documents that there are, whatever it would ask of them."""
    is_all = not context.corpus and context.search == "none"
    is_read = context.in_lines and context.by_model("ask") and not context.deciders("explain")
    tokens = sum(count_tokens(document.text) for document in documents)
    return is_all and is_read and 0 < tokens <= context.evidence_tokens


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

    def numbered(texts: Sequence[Document]) -> list[Document]:
        return [by_text[document.text] for document in texts]

    every = [([*given, *one.documents], one.answers, one.snippets) for one in found]
    return documents, [QueryEvidence(*map(numbered, own)) for own in every]


def _answers(
    questions: Sequence[str], found: Sequence[QueryEvidence], context: ReexContext
) -> list[SubAnswer]:
    """Each sub-question with what was said to it, and with what is shown of its own texts."""
    said = [list(map(as_knowledge, own.answers)) for own in found]
    texts = [[*own.documents, *own.snippets] for own in found]
    shown = [list(map(as_knowledge, own)) for own in texts]
    if context.in_lines:
        paid = sum(count_tokens(strip.text) for strip in {*chain.from_iterable(said)})
        shown = _share(questions, texts, context.evidence_tokens - paid)
    return [
        SubAnswer(question=question, evidence=(*own, *strips), found=len(own) + len(others))
        for question, own, strips, others in zip(questions, said, shown, texts, strict=True)
    ]


def _share(
    questions: Sequence[str], texts: Sequence[Sequence[Document]], tokens: int
) -> list[list[Knowledge]]:
    """By question the strips of its own texts that no other matches better, and its best one."""
    strips = _choose(questions, {d.id: d for d in chain.from_iterable(texts)}, tokens)
    stems, shared = [content_stems(strip.text) for strip in strips], list[list[int]]()
    for question, own in zip(questions, texts, strict=True):
        asked, ids = content_stems(question), {document.id for document in own}
        found = zip(strips, stems, strict=True)
        shared.append([len(asked & said) if s.document in ids else -1 for s, said in found])
    shown = [{own.index(max(own))} if max(own, default=0) > 0 else set[int]() for own in shared]
    for n in range(len(strips)):
        counts = [own[n] for own in shared]
        shown[counts.index(max(counts))].add(n)
    return [[strips[n] for n in sorted(each)] for each in shown]


def _choose(
    questions: Sequence[str], documents: Mapping[str, Document], tokens: int
) -> list[Knowledge]:
    """The strips of whole documents if all fit, else of the passages that cover the questions."""
    passages = select_passages(questions, [*documents.values()], max(tokens, 1))
    if sum(count_tokens(passage.text) for passage in passages) > tokens:
        return []
    strips = list[Knowledge]()
    for piece in split_documents(tuple(passages), SPLITS["excerption"]):
        own = documents[piece.document.id]
        start = own.text.index(piece.document.text) + piece.start
        end = start + len(piece.text)
        strips.append(Knowledge(document=own.id, start=start, end=end, text=piece.text))
    return strips


NOT_FOUND = "nothing was found"
NOT_SHOWN = "what was found does not speak of this"
NOTHING = "none"


def list_answers(state: Reex, *, in_lines: bool = False) -> str:
    """Each sub-question with all of its evidence, in numbered lines or under its own number."""
    evidence = [answer.evidence for answer in state.answers]
    return "\n\n".join(_blocks(state, evidence, in_lines=in_lines)) or NOTHING


def list_cited(state: Reex, context: ReexContext, explanations: Sequence[Explanation]) -> str:
    """The strips that explanations rest on, under the questions or with the numbers they cite."""
    places = {(q.document, q.start) for e in explanations for q in e.evidence}
    texts = [explanation.text for explanation in explanations]
    cited = {number for text in texts for number in read_citations(text, len(state.answers))}
    evidence = [
        [s for s in answer.evidence if (s.document, s.start) in places]
        if context.in_lines or number in cited
        else []
        for number, answer in enumerate(state.answers, start=1)
    ]
    blocks = zip(_blocks(state, evidence, in_lines=context.in_lines), evidence, strict=True)
    return "\n\n".join(block for block, strips in blocks if strips) or NOTHING


def _blocks(
    state: Reex, evidence: Sequence[Sequence[Knowledge]], *, in_lines: bool = False
) -> list[str]:
    """A block for each sub-question, by numbers of strips or of questions, no strip twice."""
    titles = {d.id: " ".join(d.title.split()) for d in state.documents}
    numbers = {strip: n for n, strip in enumerate(evidence_of(state.answers), start=1)}
    shown, blocks = dict[Knowledge, str](), list[str]()
    for number, (answer, strips) in enumerate(zip(state.answers, evidence, strict=True), start=1):
        lines, above, last = list[str](), list[str](), ""
        for strip in strips:
            if strip in shown:
                above.append(f"see {shown[strip]}")
                continue
            shown[strip] = f"[{numbers[strip]}]" if in_lines else f"answer {number}"
            title, last = titles[strip.document] if strip.document != last else "", strip.document
            start = f"[{numbers[strip]}] " if in_lines else ""
            lines.append(f"{start}{title and f'[{title}] '}{' '.join(strip.text.split())}")
        lines += dict.fromkeys(above)
        head = f"- {answer.question}" if in_lines else f"{number}. {answer.question}"
        lack = NOT_SHOWN if answer.found else NOT_FOUND
        is_asked = not in_lines or answer.question != state.question
        blocks.append("\n".join([*([head] if is_asked else []), *(lines or [lack])]))
    return blocks
