"""Read the draft's marks and references, and find the text of each source."""

import re
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast
from urllib.parse import unquote

from langgraph.runtime import Runtime

from errata.core.budgets import Cost, admit_some
from errata.core.errors import PageError, SettingError, count
from errata.core.records import Document, Usage
from errata.nodes.cite.state import Cite, CiteContext, Source, Status
from errata.nodes.claims import split_into_claims
from errata.nodes.rac.evidence import add_documents, ask_by_query
from errata.nodes.step import Update, note, note_unpaid, spend
from errata.tools.judges.versions import find_copies
from errata.tools.local.extract import note_html
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.marks import is_local_link, plain_url
from errata.tools.text.references import Reference, read_cited
from errata.tools.text.unclaimed import QUESTION, why_unclaimed
from errata.tools.text.words import content_stems
from errata.tools.text.works import URL
from errata.tools.text.written import name_document
from errata.tools.web.pages import Opened, open_pages

Pages = Mapping[str, Opened | PageError]
_HEAD = 500
"""Characters at the beginning of a document that may say where it is from."""
NO_LINK = "it has no link, and no document is it"
LOCAL = "a local file is not opened: give it with --documents"
_SUFFIX = re.compile(r"\.\w{1,5}\Z")


async def read(state: Cite) -> Update:
    """Find the draft's sentences with their marks, and its references; a question is none."""
    await to_thread(note_html, state.draft)
    sentences, references = await to_thread(read_cited, state.draft)
    stated = [each for each in sentences if each.marks or why_unclaimed(each.text) != QUESTION]
    return {"sentences": stated, "references": [*references]}


async def extract(state: Cite, runtime: Runtime[CiteContext]) -> Update:
    """Split the draft, for a model without its list, into claims with their sentences' places."""
    context = runtime.context
    draft, last = state.draft, max((sentence.end for sentence in state.sentences), default=0)
    starts = [each.start for each in state.references if each.end and each.start >= last]
    if starts and context.by_model("extract"):
        state = state.model_copy(update={"draft": draft[: min(starts)]})
    claims, whole = await split_into_claims(state, context), (0, len(state.draft))
    several = len(state.sentences) > 1
    placed = [c for c in claims if not (several and (c.start, c.end) == whole)]
    if lost := len(claims) - len(placed):
        note(f"{count(lost, 'claim', 'was')} left out: no sentence has words of it")
    return {"claims": placed}


async def fetch(state: Cite, runtime: Runtime[CiteContext]) -> Update:
    """Find each source's text: given, or behind its link; a corpus gives further documents."""
    context = runtime.context
    sources, known = match_documents(state.references, state.documents), state.known
    found = await open_links([s for s in sources if s.status == "not_read" and s.url], context)
    documents, sources = _with_pages(state.documents, sources, found)
    lost = dict.fromkeys(k for s in state.sentences for k in s.keys if k not in known)
    sources += [Source(key=k, status="dead", note="no reference has this mark") for k in lost]
    if context.looks_up:
        texts = [sentence.text for sentence in state.sentences][: context.deployment.max_claims]
        more = await ask_by_query(texts, context, "fetch")
        so_far = state.model_copy(update={"documents": documents})
        documents = await to_thread(add_documents, so_far, more, context)
    sources, documents = await to_thread(_merged, sources, documents)
    if unread := [s for s in sources if not s.document and s.key in known]:
        told = "; ".join(f"{s.key}: {s.note}" if s.note else s.key for s in unread)
        note(f"{count(unread, 'source', 'was')} not read: {told}")
    if told := "; ".join(f"{s.key}: {s.note}" for s in sources if s.document and s.note):
        note(f"of the sources: {told}")
    listed = {source.document for source in sources}
    others = (document for document in documents if document.id not in listed)
    return {"documents": documents, "sources": [*sources, *map(_unlisted, others)]}


def _unlisted(document: Document) -> Source:
    """A document as a source that no reference lists."""
    own = Source(key="", document=document.id, title=name_document(document), status="given")
    return replace(own, url=document.url, dated=document.dated)


def _with_pages(
    documents: Sequence[Document], sources: Sequence[Source], found: Pages
) -> tuple[list[Document], list[Source]]:
    """The documents, with opened pages called as the draft does, and what links led to."""
    titles = {plain_url(source.url): source.title for source in sources}
    opened = {url: page for url, page in found.items() if isinstance(page, Opened)}
    pages = [replace(page.document, title=titles[url]) for url, page in opened.items()]
    documents = assign_ids([*documents, *pages])
    ids = [document.id for document in documents[len(documents) - len(pages) :]]
    own = dict(zip(opened, ids, strict=True))
    return documents, [_opened(s, found.get(plain_url(s.url)), own) for s in sources]


def _opened(source: Source, page: Opened | PageError | None, ids: Mapping[str, str]) -> Source:
    if source.document or page is None:
        return source
    if isinstance(page, PageError):
        return replace(source, status=cast("Status", page.kind), note=str(page))
    told = f"moved to {page.address}" if page.status == "moved" else ""
    return replace(source, document=ids[plain_url(source.url)], status=page.status, note=told)


def _merged(
    sources: Sequence[Source], documents: Sequence[Document]
) -> tuple[list[Source], list[Document]]:
    """Sources with the dates of their texts, and the texts; of copies one, which counts for all."""
    copies, dates = find_copies(documents), {d.id: d.dated for d in documents}
    told, first = list[Source](), dict[str, str]()
    for source in sources:
        text = copies.get(source.document, source.document)
        same = first.setdefault(text, source.key) if text else source.key
        notes = (source.note, f"the same text as {same}" if same != source.key else "")
        note = "; ".join(filter(None, notes))
        dated = dates.get(source.document, "")
        told.append(replace(source, document=text, note=note, dated=dated))
    return told, [document for document in documents if document.id not in copies]


def match_documents(references: Sequence[Reference], documents: Sequence[Document]) -> list[Source]:
    """The references as sources, each with the given document that is its text, if one is."""
    return [
        _source_of(each, next((d for same in _SAME for d in documents if same(each, d)), None))
        for each in references
    ]


def _source_of(reference: Reference, own: Document | None) -> Source:
    source = Source(key=reference.key, title=reference.title, url=reference.url)
    if own:
        title = reference.title or name_document(own)
        return replace(source, document=own.id, title=title, status="given")
    if is_local_link(reference.url):
        return replace(source, status="local", note=LOCAL)
    return source if reference.url else replace(source, note=NO_LINK)


def _has_address(reference: Reference, document: Document) -> bool:
    address = plain_url(reference.url)
    if not address:
        return False
    if is_local_link(reference.url):
        return _file(address) in map(_file, filter(is_local_link, (document.id, document.url)))
    head = (each.rstrip(".,;)>]\"'") for each in document.text[:_HEAD].split())
    return address in (plain_url(document.url), *map(plain_url, head))


def _has_title(reference: Reference, document: Document) -> bool:
    ours, theirs = content_stems(reference.title), content_stems(document.title)
    return bool(ours) and ours == theirs


def _has_file(reference: Reference, document: Document) -> bool:
    name, words = _file(document.id), URL.sub("", unquote(reference.text).lower())
    return "." in name and bool(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", words))


def _file(path: str) -> str:
    """The name at the end of a path or an address, in small letters."""
    return unquote(path).replace("\\", "/").rpartition("/")[2].lower()


def _has_name(reference: Reference, document: Document) -> bool:
    names = {_SUFFIX.sub("", name).lstrip("^").lower() for name in (document.id, document.title)}
    return bool(reference.key) and reference.key.lstrip("^").lower() in names


_SAME = (_has_address, _has_title, _has_file, _has_name)


async def open_links(sources: Sequence[Source], context: CiteContext) -> Pages:
    """The pages of sources by their addresses, or why one was not read, each read once."""
    hosts = {plain_url(s.url): s.url.lstrip("/") for s in sources}
    urls = {plain: u if "://" in u else f"https://{u}" for plain, u in hosts.items()}
    wanted, why = [*urls.values()][: context.max_links], f"max_links={context.max_links}"
    if over := len(urls) - len(wanted):
        note(f"{count(over, 'link', 'was')} not opened: {why}")
    with admit_some("pages", len(wanted)) as admission:
        limits = context.deployment.page_limits()
        wanted = wanted[: admission.reserved.pages]
        try:
            pages = await open_pages(wanted, limits, context.deployment.page_cache)
        except SettingError as error:
            pages = [PageError(str(error)).of_kind("not_read")] * len(wanted)
        read = sum(isinstance(page, Opened) for page in pages)
        admission.paid = Cost(pages=read)
        spend(Usage(pages=read, by_role={"fetch": {"pages": read}}))
    if admission.fault:
        note_unpaid(admission.fault)
    unpaid = PageError(admission.fault).of_kind("not_read")
    unread = PageError(f"not opened: {why}").of_kind("not_read")
    rest = {url: unread if n >= context.max_links else unpaid for n, url in enumerate(urls)}
    return rest | dict(zip(urls, pages, strict=False))
