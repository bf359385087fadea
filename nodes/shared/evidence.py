"""Evidence for many queries at once, and answers to many questions, each found by itself."""

from asyncio import gather, to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TypedDict

from errata.core.errors import SettingError
from errata.core.records import Document
from errata.nodes.ask import ask_all, number_documents
from errata.nodes.ledger import note
from errata.nodes.search import EvidenceContext, ReadingContext, SearchContext
from errata.nodes.shared.retrieve import look_up_in_corpus
from errata.nodes.shared.web import find_hits, snippets
from errata.nodes.templates import short_name
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.excerpts import select_passages
from errata.tools.retrieval.filters import assign_ids
from errata.tools.web.engines import HITS
from errata.tools.web.search import engine_answers


async def find_evidence(
    queries: Sequence[str], given: Sequence[Document], context: SearchContext, role: str
) -> tuple[list[Document], list[list[Document]]]:
    """All distinct documents, with ids, and those of each query; the given ones are every query's.

    A search that fails is noted and finds nothing.
    """
    found = await gather(*(_look_up(query, given, context, role) for query in queries))
    known, others = {document.text for document in given}, dict[str, Document]()
    new = [[document for document in own if document.text not in known] for own in found]
    for document in (document for own in new for document in own):
        others.setdefault(document.text, replace(document, id=""))
    documents = assign_ids([*given, *others.values()])
    by_text = {document.text: document for document in documents}
    first = documents[: len(given)]
    return documents, [[*first, *dict.fromkeys(by_text[d.text] for d in own)] for own in new]


async def show_each(
    asked: Sequence[Sequence[str]],
    given: Sequence[Document],
    context: EvidenceContext,
    recalled: str,
) -> tuple[list[Document], list[str]]:
    """All documents, and what a model reads to decide each question; empty where nothing is found.

    Questions over `max_claims` are left out.
    A question comes as its queries, itself first, and has the evidence that any of them finds; if
    evidence is internal, what a model answers to it by the template `recalled`, whose step is the
    role.
    """
    asked = asked[: context.max_claims]
    questions = [queries[0] for queries in asked]
    if context.evidence == "internal":
        others = [document for document in given if document.source != "model"]
        known = await recall(questions, others, context, recalled)
        documents = assign_ids([*given, *(replace(d, id="") for d in known["documents"])])
        by_text = {document.text: document for document in documents}
        each = [[by_text[answer]] if answer else [] for answer in known["answers"]]
        return documents, await select_evidence(questions, each, context)
    role = short_name(recalled).split(".")[0]
    documents, found = await find_evidence(list(chain(*asked)), given, context, role)
    parts = iter(found)
    mixed = [chain.from_iterable(islice(parts, len(own))) for own in asked]
    each = [list(dict.fromkeys(own)) for own in mixed]
    return documents, await select_evidence(questions, each, context)


async def _look_up(
    query: str, given: Sequence[Document], context: SearchContext, role: str
) -> list[Document]:
    """The corpus's best documents for a query, and an engine's answers and snippets."""
    documents = await look_up_in_corpus(query, given, context)
    result = await find_hits(query, context, role, HITS) if context.search != "none" else None
    if result is None:
        return documents
    return [*documents, *engine_answers(result), *snippets(result)[: context.top_k]]


class Answered(TypedDict):
    """An answer to each question, empty where there is none, and the documents they are from."""

    documents: list[Document]
    answers: list[str]


async def recall(
    questions: Sequence[str], given: Sequence[Document], context: ReadingContext, template: str
) -> Answered:
    """A model's answers from its own knowledge, each in a call; all else is noted as not used.

    The role is the template's step. Raises SettingError if local code fills it.
    """
    note_unused(given, context)
    role = short_name(template).split(".")[0]
    if context.model_for(role) is None:
        raise SettingError(f"internal evidence is a model's own: name one for the role {role}")
    requests = [{"question": question} for question in questions]
    answers = await _ask_each(questions, requests, context, template)
    texts = [Document(text=a, title="the model's answer", source="model") for a in answers if a]
    return {"documents": assign_ids(texts), "answers": answers}


def note_unused(given: Sequence[Document], context: SearchContext) -> None:
    """Say what a run was given that internal evidence leaves aside."""
    unused = ["the given documents"] if given else []
    unused += ["the corpus"] if context.corpus else []
    unused += ["the search engine"] if context.search != "none" else []
    if unused:
        note(f"evidence=internal takes a model's answers alone; not used: {', '.join(unused)}")


async def read_answers(
    questions: Sequence[str], given: Sequence[Document], context: ReadingContext, template: str
) -> Answered:
    """An answer to each question by its own evidence, each in a call; none where nothing was found.

    Local code answers with the closest strip of all documents.
    """
    documents, each = await find_evidence(questions, given, context, "answer")
    if context.model_for("answer") is None:
        quotes = await to_thread(quote_texts, questions, documents)
        return {"documents": documents, "answers": [q.text if q else "" for q in quotes]}
    asked = [question for question, own in zip(questions, each, strict=True) if own]
    shown = await select_evidence(asked, [own for own in each if own], context)
    requests = [
        {"question": question, "documents": passages}
        for question, passages in zip(asked, shown, strict=True)
    ]
    answers = dict(zip(asked, await _ask_each(asked, requests, context, template), strict=True))
    return {"documents": documents, "answers": [answers.get(q, "") for q in questions]}


async def select_evidence(
    texts: Sequence[str], each: Sequence[Sequence[Document]], context: ReadingContext
) -> list[str]:
    """For each text the passages of its own documents that match it best, as a model reads them."""
    pairs = zip(texts, each, strict=True)
    tokens = context.passage_tokens
    shown = await gather(*(to_thread(select_passages, [text], own, tokens) for text, own in pairs))
    return [number_documents(passages) for passages in shown]


async def _ask_each(
    questions: Sequence[str],
    requests: Sequence[Mapping[str, str]],
    context: ReadingContext,
    template: str,
) -> list[str]:
    consequences = [f"{question!r} was not answered" for question in questions]
    role = short_name(template).split(".")[0]
    replies = await ask_all(context, role, template, requests, consequences)
    return ["" if reply.failure else reply.text for reply in replies]
