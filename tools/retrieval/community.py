"""Retrievers and search wrappers of langchain-community: `community:NAME?FIELD=VALUE&…`."""

from asyncio import wrap_future
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import replace
from inspect import Parameter, signature
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

from errata.core.errors import InputError, SettingError
from errata.core.records import Document
from errata.tools.files.community import find_class, make
from errata.tools.net.redaction import redact
from errata.tools.retrieval.langchain import from_langchain

PREFIX = "community:"
NAMES = {
    "brave": "BraveSearchWrapper",
    "duckduckgo": "DuckDuckGoSearchAPIWrapper",
    "pubmed": "PubMedRetriever",
    "searx": "SearxSearchWrapper",
    "wikipedia": "WikipediaRetriever",
}
"""Short names of classes; any other class goes by its own name."""
_MODULES = ("retrievers", "utilities")
_CALLS = ("results", "download_documents")
"""The methods by which wrappers search; other methods write prose, and their failures into it."""
_COUNTS = ("top_k_results", "k", "max_results", "num_results")
_LISTS = ("organic_results", "organic", "results")
_LINKS = ("link", "url", "href")
_SNIPPETS = ("snippet", "content", "description", "desc", "body")
MAX_TEXT, MAX_FIELD = 5_000_000, 2_000
"""The most characters of a text and of a title or address; the rest is cut off."""
_FAILED = "Arxiv exception: "
"""How a class begins a text in which it hides that it failed."""


def is_retriever(spec: str) -> bool:
    """Whether a spec names a retriever, which has texts; a search wrapper has snippets.

    Raises SettingError if it names no class that can retrieve or search.
    """
    return issubclass(_parse(spec)[0], BaseRetriever)


async def search(query: str, spec: str, k: int) -> list[Document]:
    """At most k documents that a retriever or a search wrapper finds, with their addresses.

    A call that hangs may be given up, and never keeps the process. Raises SettingError if it cannot
    be opened, and InputError if it fails.
    """
    found = Future[list[Document]]()
    found.set_running_or_notify_cancel()  # who gives up leaves the result to nobody

    def run() -> None:
        try:
            found.set_result(_search(query, spec, k))
        except BaseException as error:  # noqa: BLE001 the caller's to handle
            found.set_exception(error)

    Thread(target=copy_context().run, args=(run,), name="errata-call", daemon=True).start()
    return await wrap_future(found)


def _search(query: str, spec: str, k: int) -> list[Document]:
    kind, fields = _parse(spec)
    counts = {name: k for name in _COUNTS if name in getattr(kind, "model_fields", {})}
    source = make(kind, **{**counts, **fields})
    try:
        rows = _call(source, query, k)
    except Exception as error:  # every class raises what its client raises
        reason = redact(" ".join(str(error).split())[:500])
        raise InputError(f"{kind.__name__} failed: {type(error).__name__} {reason}") from error
    documents = map(_as_document, rows)
    return [d for d in documents if d.text.strip() and not d.text.startswith(_FAILED)][:k]


def _parse(spec: str) -> tuple[type[Any], dict[str, str]]:
    name, _, query = spec.removeprefix(PREFIX).partition("?")
    found = find_class(NAMES.get(name.lower(), name), _MODULES)
    if not (issubclass(found, BaseRetriever) or any(hasattr(found, call) for call in _CALLS)):
        raise SettingError(
            f"{found.__name__} of langchain-community neither retrieves nor returns results; "
            f"there are {', '.join(NAMES)}, and every retriever by its class"
        )
    return found, dict(parse_qsl(query, keep_blank_values=True))


def _call(source: Any, query: str, k: int) -> Iterable[Any]:
    if isinstance(source, BaseRetriever):
        return source.invoke(query)
    if not hasattr(source, "results"):
        return list(source.download_documents(query))
    parameters = list(signature(source.results).parameters.values())
    takes_count = len(parameters) > 1 and parameters[1].kind is Parameter.POSITIONAL_OR_KEYWORD
    found = source.results(query, k) if takes_count else source.results(query)
    lists = [found.get(name) for name in _LISTS] if isinstance(found, Mapping) else [found]
    return next((rows for rows in lists if isinstance(rows, list)), [])


def _as_document(row: Any) -> Document:
    """A row as a document of bounded size."""
    if isinstance(row, LangChainDocument):
        found = from_langchain(row)
    else:
        fields = row if isinstance(row, Mapping) else {}
        text, title, url = (
            next((value for name in names if isinstance(value := fields.get(name), str)), "")
            for names in (_SNIPPETS, ("title",), _LINKS)
        )
        found = Document(text=text, title=title, url=url, source="corpus")
    short = {name: getattr(found, name)[:MAX_FIELD] for name in ("id", "title", "url")}
    return replace(found, text=found.text[:MAX_TEXT], **short)
