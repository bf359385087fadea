"""A method made ready once for many calls: validated settings, open models, one event loop."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from errata.errors import InputError, SettingError
from errata.given import Documents, check_texts, read_given
from errata.methods import Method, Result, method_named
from errata.records import Answer, Correction, to_json
from errata.running import LoopThread, run_once
from errata.tools.models.pool import Models, using
from errata.tools.text.messages import states

if TYPE_CHECKING:
    from errata.nodes.context import Context

Progress = Callable[[str, int, int], None]
"""Takes a step's name, how many things it has done, and of how many."""
CALL = ("question", "draft", "documents", "method", "corpus", "on_progress")
"""What is given to a call or a session and is no setting."""
SHOWN = 60
"""Characters of a question that an error shows."""
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

    def __init__(
        self,
        method: str = "rac",
        *,
        corpus: object = None,
        on_progress: Progress | None = None,
        **settings: Any,
    ) -> None:
        """Validate the settings, which are fields of the method's Context.

        `on_progress` is called, from any thread, as the steps of a run get on. Raises SettingError
        if there is no such method or setting, or one that stops for a person.
        """
        check_texts(method=method)
        self.method: Method = method_named(method)
        texts = str(corpus) if isinstance(corpus, PurePath) else corpus
        own = {**settings, **({"corpus": texts} if texts else {})}
        _check_names(settings, self.method)
        self.context: Context = self.method.context.validated(own)
        self._on_progress = on_progress
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
        request = _request(question, draft)
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
        request = _request(question, draft)
        return cast("Correction", await self._ainvoke(request, documents, checking))

    def answer(self, question: str, documents: Documents | None = None) -> Answer:
        """As `errata.answer`, with the session's settings."""
        return self.run(self.aanswer, question, documents)

    async def aanswer(self, question: str, documents: Documents | None = None) -> Answer:
        """As `errata.aanswer`, with the session's settings."""
        self.check_verb(corrects=False)
        check_texts(question=question)
        return cast("Answer", await self._ainvoke({"question": question}, documents, self.context))

    async def _ainvoke(
        self, request: Mapping[str, str], documents: Documents | None, context: "Context"
    ) -> Result:
        inputs = {
            **request,
            "documents": to_json(await read_given(documents or (), context.encoding)),
        }
        with self._own_models():
            return self.method.read(await self._output(inputs, context))

    async def _output(self, inputs: Mapping[str, Any], context: "Context") -> Mapping[str, Any]:
        """What the graph gives out; its progress goes to whoever follows the run."""
        if self._on_progress is None:
            return cast("Mapping[str, Any]", await self.graph.ainvoke(inputs, context=context))
        output: Mapping[str, Any] = {}
        modes = ["custom", "values"]
        async for mode, part in self.graph.astream(inputs, context=context, stream_mode=modes):
            if mode == "values":
                output = part
            elif "errata" in part:
                event = part["errata"]
                self._on_progress(event["step"], event["done"], event["total"])
        return output

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


def _request(question: str, draft: str) -> dict[str, str]:
    """What is asked of a method that corrects.

    Raises InputError if one is no text, or the question is plainly a draft, of which another draft
    would be written.
    """
    check_texts(question=question, draft=draft)
    if question and not draft and states(question):
        start = question if len(question) <= SHOWN else f"{question[:SHOWN]}…"
        raise InputError(
            f"this reads like a draft, but came as the question: {start!r}; give it as the draft "
            "(draft=… in Python, --draft FILE), or end a question with a question mark"
        )
    return {"question": question, "draft": draft}


def _check_names(settings: Mapping[str, Any], method: Method) -> None:
    """Raise SettingError for names of no setting, with the nearest names that there are."""
    misplaced = [name for name in CALL if name in settings]
    if misplaced:
        raise SettingError(
            f"{', '.join(misplaced)}: give it to each call, as in session.correct(draft=…)"
        )
    if fault := method.context.unknown_fault(settings, CALL):
        raise SettingError(fault)
