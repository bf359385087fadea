"""Correct and check from Python."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from pydantic import ValidationError

from errata.errors import ErrataError, InputError, SettingError
from errata.records import Answer, Correction, Document, from_json, to_json

if TYPE_CHECKING:
    from langchain_core.documents import Document as LangChainDocument

    from errata.nodes.context import Context

CORRECTING, ANSWERING = ("rac", "reex"), ("crag",)
"""The methods that correct a draft, and those that answer a question."""
Given = Sequence["str | Document | LangChainDocument | Mapping[str, Any]"]
T = TypeVar("T")
C = TypeVar("C", bound="Context")


async def acorrect(
    question: str,
    draft: str = "",
    method: str = "rac",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Correction:
    """Correct a draft by the evidence, as `correct` does, inside an event loop."""
    graph, context = prepared(method, CORRECTING, corpus, settings)
    request = {"question": question, "draft": draft, "documents": given(documents or ())}
    return result_of(Correction, await graph.ainvoke(request, context=context))


async def aanswer(
    question: str,
    method: str = "crag",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Answer:
    """Answer a question, as `answer` does, inside an event loop."""
    graph, context = prepared(method, ANSWERING, corpus, settings)
    request = {"question": question, "documents": given(documents or ())}
    return result_of(Answer, await graph.ainvoke(request, context=context))


async def acheck(
    question: str,
    draft: str = "",
    method: str = "rac",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Correction:
    """Check a draft against the evidence, as `check` does, inside an event loop."""
    settings["check_only"] = True
    return await acorrect(question, draft, method, documents, corpus, **settings)


def correct(
    question: str,
    draft: str = "",
    method: str = "rac",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Correction:
    """Correct a draft by the evidence; write one first where none is given.

    `documents` are texts, Documents (ours or LangChain's) or mappings of a Document's fields;
    `corpus` is a folder of texts, an index, or a LangChain retriever. `settings` are fields of the
    method's Context (`errata.nodes.rac.state.RacContext`).
    Works in a script, inside a running event loop and from several threads.

    Raises InputError where the input cannot be used, SettingError where a setting cannot,
    AccessError where a model's server turns us away, and ChatError or ReplyError where a model that
    had to write the draft failed.
    """
    return run(acorrect(question, draft, method, documents, corpus, **settings))


def check(
    question: str,
    draft: str = "",
    method: str = "rac",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Correction:
    """Judge a draft's claims and change nothing: the response is the draft.

    Takes and raises what `correct` does.
    """
    return run(acheck(question, draft, method, documents, corpus, **settings))


def answer(
    question: str,
    method: str = "crag",
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Answer:
    """Answer a question from what is retrieved, from the web where that is wrong, or from both.

    `documents` are what was retrieved; `corpus` is a folder of texts, an index, or a LangChain
    retriever. `settings` are fields of the method's Context
    (`errata.nodes.crag.state.CragContext`), among them `search`, which is off by default.

    Raises InputError where the input cannot be used, SettingError where a setting cannot,
    AccessError where a model's server turns us away, and ChatError or ReplyError where the model
    that had to answer failed.
    """
    return run(aanswer(question, method, documents, corpus, **settings))


def given(documents: Given) -> list[dict[str, Any]]:
    """Turn what the caller gave into documents, as JSON.

    Raises InputError where one is neither text nor a document.
    """
    if isinstance(documents, str | Document | Mapping):
        kind = type(documents).__name__
        raise InputError(f"documents must be a list; got one {kind}: put it in brackets")
    return [to_json(_document(document)) for document in documents]


def _document(value: object) -> Document:
    from langchain_core.documents import Document as LangChainDocument

    from errata.tools.retrieval.retrieve import from_langchain

    if isinstance(value, Document):
        return value
    if isinstance(value, str):
        return Document(text=value)
    if isinstance(value, Mapping):
        return from_json(Document, dict(value))
    if isinstance(value, LangChainDocument):
        return from_langchain(value, "given")
    raise InputError(f"a document must be text or a Document; got {type(value).__name__}")


def result_of(kind: type[T], out: Mapping[str, Any]) -> T:
    """Read what a graph gives as its record."""
    names = get_type_hints(kind)
    return from_json(kind, {name: out[name] for name in out if name in names})


def context_of(method: str) -> type["Context"]:
    """Give the class that holds a method's settings."""
    state = import_module(f"errata.nodes.{method}.state")
    context: type[Context] = getattr(state, f"{method.capitalize()}Context")
    return context


def prepared(
    name: str, known_methods: Sequence[str], corpus: object, settings: Mapping[str, Any]
) -> tuple[Any, "Context"]:
    """Give a method's graph, which keeps no checkpoints of its own, and its settings.

    Raises SettingError where there is no such method or setting, or one that needs a checkpointer.
    """
    if name not in known_methods:
        raise SettingError(f"no method is called {name!r}; there is {', '.join(known_methods)}")
    graph, kind = import_module(f"errata.graphs.{name}").graph, context_of(name)
    known = list(kind.model_fields)
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise SettingError(
            f"{name} has no setting {', '.join(map(repr, unknown))}; it has {', '.join(known)}"
        )
    texts = str(corpus) if isinstance(corpus, PurePath) else corpus
    context = made(kind, {**settings, **({"corpus": texts} if texts else {})})
    if getattr(context, "review", "none") != "none":
        raise SettingError(
            "review stops the run for a person, and a call cannot be resumed: compile "
            f"errata.graphs.{name} with a checkpointer, or use the middleware or a server"
        )
    # Inside a graph of the caller's, its checkpointer is not ours to write to.
    return graph.copy({"checkpointer": False}), context


def made(kind: type[C], settings: Mapping[str, Any]) -> C:
    """Make a method's settings.

    Raises SettingError where one is wrong.
    """
    try:
        return kind(**settings)
    except ValidationError as error:
        found = error.errors(include_url=False)
        for fault in found:
            ours = fault.get("ctx", {}).get("error")
            if isinstance(ours, ErrataError):
                raise ours from error
        said = [f"{'.'.join(map(str, f['loc']))}={f['input']!r}: {f['msg']}" for f in found]
        raise SettingError(f"{kind.__name__} cannot take {'; '.join(said)}") from error


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, in a thread of its own where this one already runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(closing(work))
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(copy_context().run, asyncio.run, closing(work)).result()


async def closing(work: Coroutine[Any, Any, T]) -> T:
    """Close what a run opened before its event loop ends."""
    from errata.tools.models.chat import close

    try:
        return await work
    finally:
        await close()
