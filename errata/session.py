"""A method made ready once for many calls: validated settings, open models, one event loop."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Self, TypeVar, cast

from errata.auto import choose
from errata.core.errors import InputError, SettingError
from errata.core.events import Event, Step, read_event, untold
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.given import Documents, Protected, ask_about, check_texts, read_given
from errata.methods import method_named, module_of
from errata.nodes.context import Context
from errata.nodes.deployment import Deployment
from errata.nodes.state import Method
from errata.running import LoopThread, plain, run_once
from errata.settings_file import SettingsFile
from errata.tools.models.pool import current_models

CALL = ("question", "draft", "documents", "method", "corpus", "on_progress")
"""What is given to a call or a session and is no setting."""
Request = dict[str, Any]
"""What a call asks of a method, without its documents."""
Record = TypeVar("Record", Answer, Correction)
T = TypeVar("T")
Progress = Callable[[str, int, int], None]
"""Takes a step's name, how many things it has done, and of how many."""
Tell = Callable[[Event], None]


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
        deployment: Deployment | None = None,
        **settings: Any,
    ) -> None:
        """Validate the settings: fields of the method's Context, and of the deployment.

        Without a `deployment` it is the environment's; a setting given by name counts over it.
        `on_progress` is called, from any thread, as the steps of a run get on. Raises SettingError
        for an unknown method or setting, and for a setting that stops the run for a person.
        """
        check_texts(method=method)
        self.method: Method = method_named(method)
        texts = str(corpus) if isinstance(corpus, PurePath) else corpus
        own = {**settings, **({"corpus": texts} if texts else {})}
        if misplaced := ", ".join(name for name in CALL if name in settings):
            raise SettingError(f"{misplaced}: give it to each call, as in session.correct(draft=…)")
        judging, self._judge = choose(own, self.method.context.ROLES)
        self.context: Context = self.method.context.of(judging, deployment, CALL)
        self._on_progress = on_progress
        if getattr(self.context, "review", "none") != "none":
            raise SettingError(
                "review stops the run for a person, and a call cannot be resumed: compile "
                f"{module_of(method)} with a checkpointer, or use a server"
            )
        # Inside a caller's graph, do not write to that graph's checkpointer.
        self.graph = self.method.graph.copy({"checkpointer": False})
        self._thread: LoopThread | None = None
        self._connections: AbstractAsyncContextManager[None] | None = None

    @classmethod
    def from_file(cls, path: str | Path, method: str = "rac", **given: Any) -> Self:
        """A session with the settings of an `errata.toml`.

        What is `given` counts over the file. Raises InputError if the file cannot be read, and
        SettingError as the session does.
        """
        return cls(method, **SettingsFile.read(Path(path)).settings_for(method, given))

    async def acorrect(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        protected: Protected = (),
    ) -> Correction:
        """As `errata.correct`, with the session's settings."""
        request = self._correcting(question, draft, protected)
        return await self.ainvoke(Correction, request, documents)

    async def acheck(
        self, question: str = "", draft: str = "", documents: Documents | None = None
    ) -> Correction:
        """As `errata.check`, with the session's settings."""
        request = self._correcting(question, draft)
        checking = self.context.model_copy(update={"check_only": True})
        return await self.ainvoke(Correction, request, documents, context=checking)

    async def aanswer(self, question: str, documents: Documents | None = None) -> Answer:
        """As `errata.answer`, with the session's settings."""
        return await self.ainvoke(Answer, self._answering(question), documents)

    correct = plain(acorrect, method=True)
    check = plain(acheck, method=True)
    answer = plain(aanswer, method=True)

    def astream_correct(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        protected: Protected = (),
    ) -> AsyncGenerator[Event | Correction, None]:
        """As `errata.astream_correct`, with the session's settings."""
        return self._stream(Correction, self._correcting(question, draft, protected), documents)

    def astream_answer(
        self, question: str, documents: Documents | None = None
    ) -> AsyncGenerator[Event | Answer, None]:
        """As `errata.astream_answer`, with the session's settings."""
        return self._stream(Answer, self._answering(question), documents)

    def _correcting(self, question: str, draft: str, protected: Protected = ()) -> Request:
        self.check_verb(corrects=True)
        return ask_about(question, draft) | ({"protected": [*protected]} if protected else {})

    def _answering(self, question: str) -> Request:
        self.check_verb(corrects=False)
        check_texts(question=question)
        return {"question": question}

    async def _stream(
        self, record: type[Record], request: Request, documents: Documents | None
    ) -> AsyncGenerator[Event | Record, None]:
        """The events of a run, and its result; a run that nobody follows any more is cancelled."""
        events, told = asyncio.Queue[Event | None](), list[Event]()
        asked = self.ainvoke(record, request, documents, tell=events.put_nowait)
        work = asyncio.create_task(asked)
        work.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while event := await events.get():
                told.append(event)
                yield event
            result = work.result()
            for event in untold(result, told):
                yield event
            yield result
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def ainvoke(
        self,
        record: type[Record],
        request: Request,
        documents: Documents | None,
        *,
        tell: Tell | None = None,
        context: Context | None = None,
    ) -> Record:
        """What the method makes of a request, as a record; its events go to `tell`."""
        context = context or self.context
        given = to_json(await read_given(documents, context.deployment.encoding))
        asked, follow = {**request, "documents": given}, self._on_progress
        async with current_models().used():
            output = await invoke(self.graph, asked, on_progress=follow, tell=tell, context=context)
        result: Answer | Correction = self.method.read(output, record)
        if self._judge and (result.documents or getattr(result, "label", "") != "unchecked"):
            result = replace(result, notes=(*result.notes, self._judge))
        return cast("Record", result)

    def check_verb(self, *, corrects: bool) -> None:
        """Raise SettingError if the method does not correct, or does not answer."""
        if self.method.corrects != corrects and not (self.method.answers and not corrects):
            verbs = "correct or check" if self.method.corrects else "answer"
            raise SettingError(f"{self.method.name} can {verbs}; choose another method")

    def run(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Run an async call to its end from plain code, with the session's open models."""
        return self._thread.run(call, *args) if self._thread else run_once(call, *args)

    def __enter__(self) -> Self:
        """Start the event loop of plain calls, in a thread; raises InputError if it is open."""
        self._check_closed()
        self._thread = LoopThread()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the session's connections, and end its thread."""
        thread, self._thread = self._thread, None
        if thread:
            thread.close()

    async def __aenter__(self) -> Self:
        """Keep the event loop's connections until it ends; raises InputError if it is open."""
        self._check_closed()
        self._connections = current_models().used(closing=True)
        await self._connections.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections, unless others in the event loop use them."""
        connections, self._connections = self._connections, None
        if connections:
            await connections.__aexit__(None, None, None)

    def _check_closed(self) -> None:
        if self._thread or self._connections:
            raise InputError("this session is open; one `with` serves all calls and threads")


async def invoke(
    graph: Any,
    inputs: Mapping[str, Any],
    *,
    on_progress: Progress | None = None,
    tell: Tell | None = None,
    **options: Any,
) -> Mapping[str, Any]:
    """A graph's output and documents; its progress goes to `on_progress`, its events to `tell`."""
    options["output_keys"] = [*graph.output_channels, "documents"]
    if on_progress is None and tell is None:
        return cast("Mapping[str, Any]", await graph.ainvoke(inputs, **options))
    output: Mapping[str, Any] = {}
    depth = sys.maxsize
    options |= {"stream_mode": ["custom", "values"], "subgraphs": True}
    async for path, mode, part in graph.astream(inputs, **options):
        if mode == "values":
            depth = min(depth, len(path))  # a sub-graph's path is longer
            output = part if len(path) == depth else output
        elif isinstance(event := read_event(part), Step):
            if on_progress:
                on_progress(event.step, event.done, event.total)
        elif event and tell:
            tell(event)
    return output
