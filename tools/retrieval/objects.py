"""LangChain's retrievers, search wrappers and tools, given as objects."""

from asyncio import to_thread
from inspect import Parameter, signature
from typing import Any, Protocol, runtime_checkable

from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool

from errata.core.errors import InputError
from errata.core.records import Document
from errata.tools.net.redaction import redact
from errata.tools.retrieval.langchain import read_results


@runtime_checkable
class HasResults(Protocol):
    """A search wrapper whose results are objects."""

    def results(self, query: str, *counts: int) -> Any:
        """What was found."""


@runtime_checkable
class Runs(Protocol):
    """A tool, or a search wrapper whose results are a text."""

    def run(self, query: str) -> Any:
        """What was found."""


def name_of_object(source: object) -> str:
    """What an object is called: a tool by its own name, the others by their class."""
    return source.name if isinstance(source, BaseTool) else type(source).__name__


async def ask(source: Any, query: str, k: int) -> list[Document]:
    """At most k documents that an object finds for a query.

    Raises InputError if it fails.
    """
    name = name_of_object(source)
    try:
        if isinstance(source, BaseRetriever | BaseTool):
            found = await source.ainvoke(query)
        else:
            found = await to_thread(_search, source, query, k)
    except Exception as error:  # every class raises what its client raises
        reason = redact(" ".join(str(error).split())[:500])
        raise InputError(f"{name} failed: {type(error).__name__} {reason}") from error
    documents = read_results(found, name, "corpus")
    return [document for document in documents if document.text.strip()][:k]


def _search(source: Any, query: str, k: int) -> Any:
    """What a wrapper finds; it is told how many where it takes a number."""
    if not isinstance(source, HasResults):
        return source.run(query)
    _, *more = signature(source.results).parameters.values()
    takes_count = more and more[0].kind is Parameter.POSITIONAL_OR_KEYWORD
    return source.results(query, k) if takes_count else source.results(query)
