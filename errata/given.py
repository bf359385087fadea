"""The documents that callers give: texts, files, addresses of web pages, documents, mappings."""

import os
import re
from asyncio import gather, to_thread
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, TypeGuard

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document as LangChainDocument

from errata.core.errors import InputError, PageError
from errata.core.jsonable import describe_no_list, describe_no_text, from_json
from errata.core.records import Document
from errata.tools.files.kinds import SUFFIXES
from errata.tools.net.redaction import redact
from errata.tools.retrieval.documents import read_source
from errata.tools.retrieval.langchain import from_langchain
from errata.tools.text.questions import states

Documents = Iterable[str | PurePath | Document | LangChainDocument | BaseLoader | Mapping[str, Any]]
Protected = Sequence[tuple[int, int] | str]
"""What no edit may change: stretches of the draft, by start and end in characters, or texts."""
_ADDRESS = re.compile(r"\s*(https?://\S+)\s*", re.IGNORECASE)
_SHOWN = 60
"""Characters of a question that an error shows."""


async def read_given(documents: Documents | None, encoding: str = "") -> list[Document]:
    """The caller's documents; files are read, and the pages of http and https addresses fetched.

    `encoding` is that of files that do not declare one. Only for what the caller wrote: texts of
    others go through `as_documents`, which fetches nothing. Raises InputError as that does, if a
    page cannot be read, or if a text is a file's name.
    """
    parts = await gather(*(_read(document, encoding) for document in as_list(documents)))
    return [document for part in parts for document in part]


def is_address(value: object) -> TypeGuard[str]:
    """Whether a value is the address of a page, and nothing else."""
    return isinstance(value, str) and _ADDRESS.fullmatch(value) is not None


def as_documents(documents: Documents | None) -> list[Document]:
    """The caller's texts, files and documents as Documents; raises InputError for anything else."""
    return [each for document in as_list(documents) for each in _documents(document)]


def as_list(documents: Documents | None) -> list[Any]:
    """What a caller gives as documents, one by one; raises InputError if it is a single one."""
    one: Any = str | bytes | PurePath | Document | Mapping
    if isinstance(documents, one) or hasattr(documents, "page_content"):
        raise InputError(describe_no_list("documents", documents))
    try:
        return [] if documents is None else [*documents]
    except TypeError:
        raise InputError(describe_no_list("documents", documents)) from None


def check_texts(**arguments: object) -> None:
    """Raise InputError if an argument, given by its name, is no text."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise InputError(describe_no_text(name, value))


def ask_about(question: str, draft: str) -> dict[str, Any]:
    """The input of a method that corrects; raises InputError if the question is plainly a draft."""
    check_texts(question=question, draft=draft)
    if question and not draft and states(question):
        start = question if len(question) <= _SHOWN else f"{question[:_SHOWN]}…"
        raise InputError(
            f"this reads like a draft, but came as the question: {start!r}; give it as the draft "
            "(draft=… in Python, --draft FILE), or end a question with a question mark"
        )
    return {"question": question, "draft": draft}


async def _read(value: object, encoding: str) -> list[Document]:
    if not isinstance(value, str):
        return await to_thread(_documents, value, encoding)
    if is_address(value):
        from errata.tools.files.page_parser import PageLimits
        from errata.tools.web.pages import open_pages

        [page] = await open_pages([value.strip()], PageLimits())
        if isinstance(page, PageError):
            raise InputError(f"a document could not be fetched: {page}") from page
        return [replace(page.document, source="given")]
    _check_no_name(value)
    return _documents(value)


def _check_no_name(text: str) -> None:
    """Raise InputError if a text is the name of a file, or one word that ends as such names do."""
    name = text.strip()
    is_file = os.path.isfile(name)  # noqa: PTH113  Path's raises for a long text
    if is_file or (PurePath(name).suffix.lower() in SUFFIXES and len(name.split()) == 1):
        raise InputError(f"{text!r} is the name of a file, not its text; give Path({name!r})")


def _documents(value: object, encoding: str = "") -> list[Document]:
    if isinstance(value, Mapping):
        kind = LangChainDocument if "page_content" in value else Document
        value = from_json(kind, dict(value))
    if isinstance(value, PurePath):
        return read_source(Path(value), encoding).documents
    if isinstance(value, Document):
        return [value]
    if isinstance(value, str):
        return [Document(text=value)]
    if isinstance(value, LangChainDocument):
        return [from_langchain(value, "given")]
    if isinstance(value, BaseLoader):
        return [from_langchain(document, "given") for document in _load(value)]
    raise InputError(
        "a document must be a text, a loader of LangChain's, a Path, an address or a Document; "
        f"got {type(value).__name__}"
    )


def _load(loader: BaseLoader) -> list[LangChainDocument]:
    """What a loader loads; raises InputError, as each loader has errors of its own."""
    try:
        return loader.load()
    except Exception as error:
        fault = redact(" ".join(f"{type(error).__name__} {error}".split())[:500])
        raise InputError(f"{type(loader).__name__} failed: {fault}") from error
