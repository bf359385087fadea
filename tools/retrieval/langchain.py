"""LangChain's documents as ours."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Annotated, Any

from langchain_core.documents import Document as LangChainDocument
from langchain_core.messages import BaseMessage, ToolMessage
from pydantic import BeforeValidator

from errata.core.errors import InputError
from errata.core.records import Document, Source
from errata.tools.files.decoding import without_surrogates
from errata.tools.files.rows import TEXT_FIELDS, parse_json

ADDRESSES = ("url", "link", "source", "href")
TEXTS = (*TEXT_FIELDS, "snippet", "body")
"""Where a search's result may have its address and its text, the first that it has."""


def from_langchain(document: LangChainDocument, source: Source = "corpus") -> Document:
    """A LangChain document as one of ours; the URL is its `url`, `link` or `source`."""
    metadata = {str(name).lower(): value for name, value in document.metadata.items()}
    address = next((metadata[n] for n in ADDRESSES if metadata.get(n)), "")
    return Document(
        id=_text(document.id or metadata.get("id")),
        text=_text(document.page_content),
        title=_text(metadata.get("title")),
        url=_text(address),
        source=source,
    )


def read_tool_messages(messages: Iterable[BaseMessage]) -> list[Document]:
    """What tools returned, each once: documents or results in artifact or text, else the text."""
    found = list[Document]()
    for message in messages:
        if isinstance(message, ToolMessage) and message.status != "error":
            own = [*_results(message.artifact, "given")]
            found += own or read_results(str(message.text), message.name or "", "given")
    return list(dict.fromkeys(found))


def read_results(value: object, title: str, source: Source) -> list[Document]:
    """The documents or results in what was returned, be it a text of JSON; else a text as one."""
    if not isinstance(value, str):
        return [*_results(value, source)]
    found = list[Document]()
    with suppress(InputError, RecursionError):
        found = [*_results(parse_json(value, "a result"), source)]
    return found or [Document(text=value, title=title, source=source)]


def add_tool_results(
    documents: Sequence[Document], messages: Iterable[BaseMessage]
) -> list[Document]:
    """The documents, and what tools returned that is not among them."""
    known = {document.text for document in documents}
    return [*documents, *(each for each in read_tool_messages(messages) if each.text not in known)]


def _results(value: object, source: Source) -> Iterator[Document]:
    """The documents in a value at any depth: LangChain's, and objects with a text and address."""
    if isinstance(value, LangChainDocument):
        yield from_langchain(value, source)
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(_results(each, source) for each in value)
    elif isinstance(value, dict):
        text = next((t for n in TEXTS if isinstance(t := value.get(n), str) and t.strip()), "")
        if text and any(value.get(name) for name in ADDRESSES):
            rest = {name: each for name, each in value.items() if name != "id"}
            yield from_langchain(LangChainDocument(text, metadata=rest), source)
        else:
            yield from _results([*value.values()], source)


def as_document(value: Any) -> Any:
    """A text or one of LangChain's documents, as JSON too, as ours; anything else as it is."""
    if isinstance(value, str):
        return Document(text=value)
    if isinstance(value, dict) and "page_content" in value:
        value = LangChainDocument(**value)
    return from_langchain(value, "given") if isinstance(value, LangChainDocument) else value


GivenDocument = Annotated[Document, BeforeValidator(as_document)]
"""A document of a graph's input: a record, a text, or LangChain's."""


def _text(value: object) -> str:
    return without_surrogates(str(value or ""))
