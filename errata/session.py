"""A method made ready once for many calls: validated settings, open models, one event loop."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path, PurePath
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from errata.core.errors import InputError, SettingError
from errata.core.events import Event, read_event, untold
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.core.traces import traced
from errata.given import Documents, addresses_among, ask_about, check_texts, read_given
from errata.methods import Result, method_named, module_of
from errata.running import LoopThread, run_once
from errata.settings_file import SettingsFile
from errata.tools.models.pool import Models, using

if TYPE_CHECKING:
    from errata.durable.runs import Place, Runs
    from errata.nodes.context import Context
    from errata.nodes.state import Method

Progress = Callable[[str, int, int], None]
"""Takes a step's name, how many things it has done, and of how many."""
CALL = ("question", "draft", "documents", "method", "corpus", "on_progress", "checkpoints")
"""What is given to a call or a session and is no setting."""
Protected = Sequence[tuple[int, int] | str]
"""What no edit may change: stretches of the draft, by start and end in characters, or texts."""
Kind = type[Correction] | type[Answer]
T = TypeVar("T")


class Session:
    """One method with its settings, for many calls, plain or async, from any thread.

    As a context manager it keeps its models' connections open until it ends:

        with Session("rac", model="openai:gpt-4o-mini", corpus="texts/") as session:
            for question, draft in pairs:
                session.correct(question, draft)

    Without `with` every plain call opens and closes its own; async calls share the connections of
    their event loop.

    With `checkpoints` a call that is given a name, `run=`, is stored step by step. Called again, it
    goes on from its last step if it was interrupted, and returns the same result if it has ended.
    """

    def __init__(
        self,
        method: str = "rac",
        *,
        corpus: object = None,
        on_progress: Progress | None = None,
        checkpoints: object = None,
        **settings: Any,
    ) -> None:
        """Validate the settings, which are fields of the method's Context.

        `on_progress` is called, from any thread, as the steps of a run get on. `checkpoints` keeps
        named runs: a file of SQLite, a `postgresql://` address, or an open async saver of
        LangGraph's. Raises SettingError for an unknown method or setting, for a setting that stops
        the run for a person, and if the checkpoints cannot be used.
        """
        check_texts(method=method)
        self.method: Method = method_named(method)
        texts = str(corpus) if isinstance(corpus, PurePath) else corpus
        own = {**settings, **({"corpus": texts} if texts else {})}
        if misplaced := [name for name in CALL if name in settings]:
            raise SettingError(
                f"{', '.join(misplaced)}: give it to each call, as in session.correct(draft=…)"
            )
        if fault := self.method.context.unknown_fault(settings, CALL):
            raise SettingError(fault)
        self.context: Context = self.method.context(**own)
        self._on_progress = on_progress
        if getattr(self.context, "review", "none") != "none":
            raise SettingError(
                "review stops the run for a person, and a call cannot be resumed: compile "
                f"{module_of(method)} with a checkpointer, or use the middleware or a server"
            )
        # Inside a caller's graph, do not write to that graph's checkpointer.
        self.graph = self.method.graph.copy({"checkpointer": False})
        self._opening = Lock()
        self._thread: LoopThread | None = None
        self._models: Models | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = None if checkpoints is None else _open_runs(checkpoints)

    @classmethod
    def from_file(cls, path: str | Path, method: str = "rac", **given: Any) -> Self:
        """A session with the settings of an `errata.toml` or `pyproject.toml`.

        What is `given` counts over the file. Raises InputError if the file cannot be read, and
        SettingError as the session does.
        """
        return cls(method, **SettingsFile.read(Path(path)).settings_for(method, given))

    def correct(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        *,
        run: str = "",
        protected: Protected = (),
    ) -> Correction:
        """As `errata.correct`, with the session's settings; `run` names it in the checkpoints.

        Also raises InputError if there are no checkpoints, or the name is that of another run.
        """
        return self.run(self.acorrect, question, draft, documents, run, protected)

    async def acorrect(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        run: str = "",
        protected: Protected = (),
    ) -> Correction:
        """As `errata.acorrect`, with the session's settings, and `run` as `correct` takes it."""
        request = self._request(question, draft, protected)
        return cast("Correction", await self._ainvoke(request, documents, self.context, run))

    def astream_correct(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        run: str = "",
        protected: Protected = (),
    ) -> AsyncGenerator[Event | Correction, None]:
        """As `errata.astream_correct`, with the session's settings."""
        request = self._request(question, draft, protected)
        stream = self._astream(request, documents, run, Correction)
        return cast("AsyncGenerator[Event | Correction, None]", stream)

    def astream_answer(
        self, question: str, documents: Documents | None = None, run: str = ""
    ) -> AsyncGenerator[Event | Answer, None]:
        """As `errata.astream_answer`, with the session's settings."""
        self.check_verb(corrects=False)
        check_texts(question=question)
        stream = self._astream({"question": question}, documents, run, Answer)
        return cast("AsyncGenerator[Event | Answer, None]", stream)

    def _request(self, question: str, draft: str, protected: Protected) -> dict[str, Any]:
        self.check_verb(corrects=True)
        own = {"protected": [*protected]} if protected else {}
        return {**ask_about(question, draft), **own}

    def check(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        *,
        run: str = "",
    ) -> Correction:
        """As `errata.check`, with the session's settings, and `run` as `correct` takes it."""
        return self.run(self.acheck, question, draft, documents, run)

    async def acheck(
        self,
        question: str = "",
        draft: str = "",
        documents: Documents | None = None,
        run: str = "",
    ) -> Correction:
        """As `errata.acheck`, with the session's settings, and `run` as `correct` takes it."""
        self.check_verb(corrects=True)
        checking = self.context.model_copy(update={"check_only": True})
        request = ask_about(question, draft)
        return cast("Correction", await self._ainvoke(request, documents, checking, run))

    def answer(self, question: str, documents: Documents | None = None, *, run: str = "") -> Answer:
        """As `errata.answer`, with the session's settings, and `run` as `correct` takes it."""
        return self.run(self.aanswer, question, documents, run)

    async def aanswer(
        self, question: str, documents: Documents | None = None, run: str = ""
    ) -> Answer:
        """As `errata.aanswer`, with the session's settings, and `run` as `correct` takes it."""
        self.check_verb(corrects=False)
        check_texts(question=question)
        request = {"question": question}
        done = await self._ainvoke(request, documents, self.context, run, record=Answer)
        return cast("Answer", done)

    async def _astream(
        self,
        request: Mapping[str, Any],
        documents: Documents | None,
        run: str,
        record: type[Result],
    ) -> AsyncGenerator[Event | Result, None]:
        """The events of a run, and its result; a run that nobody follows any more is cancelled."""
        events, told = asyncio.Queue[Event | None](), list[Event]()
        work = asyncio.create_task(
            self._ainvoke(request, documents, self.context, run, events.put_nowait, record)
        )
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

    async def _ainvoke(
        self,
        request: Mapping[str, Any],
        documents: Documents | None,
        context: "Context",
        run: str,
        tell: Callable[[Event], None] | None = None,
        record: Kind | None = None,
    ) -> Result:
        given = documents or ()
        record = record if record is not self.method.record else None
        async with self._place(request, given, context, run) as place:
            if place.output is not None:
                return self.method.read(place.output, record)
            inputs = None
            if not place.begun:
                read = await read_given(given, context.encoding)
                inputs = {**request, "documents": to_json(read)}
            here = self._loop is asyncio.get_running_loop()
            name = self.method.name
            about = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": name}
            # The models of an `async with`; nothing changes in other event loops.
            models = using(self._models) if self._models and here else nullcontext()
            with models, traced(f"invoke_workflow {name}", about):
                return self.method.read(await self._output(inputs, context, place, tell), record)

    @asynccontextmanager
    async def _place(
        self, request: Mapping[str, Any], given: Documents, context: "Context", run: str
    ) -> "AsyncIterator[Place]":
        """Where a call stands: at its beginning, unless it is a stored run."""
        from errata.durable.identity import identify
        from errata.durable.runs import Place

        check_texts(run=run)
        if not run:
            yield Place(self.graph)
            return
        if not self._runs:
            raise InputError(
                f"the run {run!r} has no place: open the session with checkpoints=FILE, "
                "or leave its name out"
            )
        # A page may change or be gone by the time the run goes on; its address is the same.
        addresses, others = addresses_among(given)
        documents = [*addresses, *to_json(await read_given(others, context.encoding))]
        identity = identify(self.method.name, request, documents, context)
        async with self._runs.place(run, self.graph, identity) as place:
            yield place

    async def _output(
        self,
        inputs: Mapping[str, Any] | None,
        context: "Context",
        place: "Place",
        tell: Callable[[Event], None] | None,
    ) -> Mapping[str, Any]:
        """The graph's output; its progress goes to `on_progress`, its events are told."""
        graph, options = place.graph, place.options
        if self._on_progress is None and tell is None:
            output = await graph.ainvoke(inputs, context=context, **options)
            return cast("Mapping[str, Any]", output)
        output = {}
        modes = ["custom", "values"]
        stream = graph.astream(inputs, context=context, stream_mode=modes, **options)
        async for mode, part in stream:
            if mode == "values":
                output = part
            elif tell and (event := read_event(part)):
                tell(event)
            elif self._on_progress and "errata" in part:
                done = part["errata"]
                self._on_progress(done["step"], done["done"], done["total"])
        return cast("Mapping[str, Any]", output)

    def check_verb(self, *, corrects: bool) -> None:
        """Raise SettingError if the method does not correct, or does not answer."""
        if self.method.corrects != corrects and not (self.method.answers and not corrects):
            verbs = "correct or check" if self.method.corrects else "answer"
            raise SettingError(f"{self.method.name} can {verbs}; choose another method")

    def run(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Run an async call to its end from plain code, with the session's open models."""
        return self._thread.run(call, *args) if self._thread else run_once(call, *args)

    def __enter__(self) -> Self:
        """Start the event loop of plain calls, in a thread of its own.

        Raises InputError if the session is open already.
        """
        with self._opening:
            self._check_closed()
            self._thread = LoopThread()
        if self._runs:
            try:
                self._thread.run(self._runs.aopen)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the session's connections, and end its thread."""
        thread, self._thread = self._thread, None
        if thread:
            try:
                if self._runs:
                    thread.run(self._runs.aclose)
            finally:
                thread.close()

    async def __aenter__(self) -> Self:
        """Open models for this event loop, and keep them until the session ends.

        Raises InputError if the session is open already.
        """
        with self._opening:
            self._check_closed()
            self._models, self._loop = Models(), asyncio.get_running_loop()
        if self._runs:
            try:
                await self._runs.aopen()
            except BaseException:
                await self.__aexit__()
                raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the session's connections."""
        models, self._models, self._loop = self._models, None, None
        try:
            if self._runs:
                await self._runs.aclose()
        finally:
            if models:
                await models.aclose()

    def _check_closed(self) -> None:
        if self._thread or self._models:
            raise InputError("this session is open; one `with` serves all calls and threads")


def _open_runs(checkpoints: object) -> "Runs":
    from errata.durable.runs import Runs

    return Runs(checkpoints)
