"""A method made ready once for many calls: validated settings, open models, one event loop."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from errata.errors import InputError, SettingError
from errata.methods import Method, Result, method_named
from errata.records import Answer, Correction, Document, from_json, to_json
from errata.running import LoopThread, run_once
from errata.tools.models.pool import Models, using

if TYPE_CHECKING:
    from langchain_core.documents import Document as LangChainDocument

    from errata.nodes.context import Context

Documents = Sequence["str | Document | LangChainDocument | Mapping[str, Any]"]
T = TypeVar("T")


class Session:
    """One method with its settings, for many calls, plain or async, from any thread.

    As a context manager it keeps its models' connections open until it ends:

        with Session("rac", model="openai:gpt-4o-mini", corpus="texts/") as session:
            for question, draft in pairs:
                session.correct(question, draft)

    Without `with` every plain call opens and closes its own; async calls share the connections of
    their event loop.
    """

    def __init__(self, method: str = "rac", *, corpus: object = None, **settings: Any) -> None:
        """Validate the settings, which are fields of the method's Context.

        Raises SettingError if there is no such method or setting, or one that stops for a person.
        """
        self.method: Method = method_named(method)
        texts = str(corpus) if isinstance(corpus, PurePath) else corpus
        own = {**settings, **({"corpus": texts} if texts else {})}
        self.context: Context = self.method.context.validated(own)
        if getattr(self.context, "review", "none") != "none":
            raise SettingError(
                "review stops the run for a person, and a call cannot be resumed: compile "
                f"errata.graphs.{method} with a checkpointer, or use the middleware or a server"
            )
        # Inside a graph of the caller's, its checkpointer is not ours to write to.
        self.graph = self.method.graph.copy({"checkpointer": False})
        self._thread: LoopThread | None = None
        self._models: Models | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def correct(
        self, question: str = "", draft: str = "", documents: Documents | None = None
    ) -> Correction:
        """As `errata.correct`, with the session's settings."""
        return self.run(self.acorrect, question, draft, documents)

    async def acorrect(
        self, question: str = "", draft: str = "", documents: Documents | None = None
    ) -> Correction:
        """As `errata.acorrect`, with the session's settings."""
        self.check_verb(corrects=True)
        request = {"question": question, "draft": draft}
        return cast("Correction", await self._ainvoke(request, documents, self.context))

    def check(
        self, question: str = "", draft: str = "", documents: Documents | None = None
    ) -> Correction:
        """As `errata.check`, with the session's settings."""
        return self.run(self.acheck, question, draft, documents)

    async def acheck(
        self, question: str = "", draft: str = "", documents: Documents | None = None
    ) -> Correction:
        """As `errata.acheck`, with the session's settings."""
        self.check_verb(corrects=True)
        checking = self.context.model_copy(update={"check_only": True})
        request = {"question": question, "draft": draft}
        return cast("Correction", await self._ainvoke(request, documents, checking))

    def answer(self, question: str, documents: Documents | None = None) -> Answer:
        """As `errata.answer`, with the session's settings."""
        return self.run(self.aanswer, question, documents)

    async def aanswer(self, question: str, documents: Documents | None = None) -> Answer:
        """As `errata.aanswer`, with the session's settings."""
        self.check_verb(corrects=False)
        return cast("Answer", await self._ainvoke({"question": question}, documents, self.context))

    async def _ainvoke(
        self, request: Mapping[str, str], documents: Documents | None, context: "Context"
    ) -> Result:
        inputs = {**request, "documents": documents_as_json(documents or ())}
        with self._own_models():
            return self.method.read(await self.graph.ainvoke(inputs, context=context))

    def _own_models(self) -> AbstractContextManager[None]:
        """The models of an `async with`, in its event loop; nothing changes elsewhere."""
        here = self._loop is asyncio.get_running_loop()
        return using(self._models) if self._models and here else nullcontext()

    def check_verb(self, *, corrects: bool) -> None:
        """Raise SettingError if the method does not correct, or does not answer."""
        if self.method.corrects != corrects:
            verbs = "correct or check" if self.method.corrects else "answer"
            raise SettingError(f"{self.method.name} can {verbs}; choose another method")

    def run(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Run an async call to its end from plain code, with the session's open models."""
        return self._thread.run(call, *args) if self._thread else run_once(call, *args)

    def __enter__(self) -> Self:
        """Start the event loop of plain calls, in a thread of its own.

        Raises InputError if the session is open already.
        """
        self._check_closed()
        self._thread = LoopThread()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the session's connections, and end its thread."""
        thread, self._thread = self._thread, None
        if thread:
            thread.close()

    async def __aenter__(self) -> Self:
        """Keep the models that this event loop opens for the session.

        Raises InputError if the session is open already.
        """
        self._check_closed()
        self._models, self._loop = Models(), asyncio.get_running_loop()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the session's connections."""
        models, self._models, self._loop = self._models, None, None
        if models:
            await models.aclose()

    def _check_closed(self) -> None:
        if self._thread or self._models:
            raise InputError("this session is open; one `with` serves all calls and threads")


def documents_as_json(documents: Documents) -> list[dict[str, Any]]:
    """The caller's texts and documents as JSON documents.

    Raises InputError if one is neither text nor a document.
    """
    if isinstance(documents, str | Document | Mapping):
        kind = type(documents).__name__
        raise InputError(f"documents must be a list; got one {kind}: put it in brackets")
    return [to_json(_document(document)) for document in documents]


def _document(value: object) -> Document:
    from langchain_core.documents import Document as LangChainDocument

    from errata.tools.retrieval.langchain import from_langchain

    if isinstance(value, Document):
        return value
    if isinstance(value, str):
        return Document(text=value)
    if isinstance(value, Mapping):
        return from_json(Document, dict(value))
    if isinstance(value, LangChainDocument):
        return from_langchain(value, "given")
    raise InputError(f"a document must be text or a Document; got {type(value).__name__}")
