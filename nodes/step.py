"""How a step meets the graph: settings in, plain JSON out; its time, cost and notes added up."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, update_wrapper, wraps
from inspect import signature
from time import perf_counter
from typing import Any, TypeVar

from langchain_core.runnables import Runnable
from langgraph.config import get_stream_writer
from langgraph.runtime import get_runtime
from langgraph.types import Overwrite
from pydantic import BaseModel

from errata.core.errors import BudgetError, OutOfTimeError
from errata.core.events import Event, event_json
from errata.core.jsonable import from_json, to_json
from errata.core.limits import Run, current_run, note_undone, open_run
from errata.core.records import Usage
from errata.nodes.deployment import Deployment

T = TypeVar("T")


def spend(usage: Usage) -> None:
    """Add to the bill of the run."""
    current_run().spend(usage)


def note(*texts: str) -> None:
    """Add notes to the run's, each once; outside a run nobody reads them."""
    notes = current_run().notes
    for text in texts:
        notes.setdefault(text, "")


def note_unpaid(fault: BudgetError | str) -> None:
    """Note which budget allows no more, once in a run however much that stops."""
    note_undone(f"{fault}: what needed more was left out")


async def in_thread_or(default: T, undone: str, work: Callable[..., T], *args: object) -> T:
    """What work in a thread comes to; a default, and a note, if the run's time is over first."""
    try:
        return await to_thread(work, *args)
    except OutOfTimeError as error:
        note(f"{undone}: {error}")
        return default


Update = dict[str, Any]
"""What a step changes of the state: new values by the names of its fields."""
BILLED = ("usage", "prompts", "notes", "samples")
"""State that adds up over a run, and begins anew with the next run on the same thread."""
# Without the step's annotations LangGraph hands every node the graph's own state class.
_WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__")


class Node(Runnable[Any, dict[str, Any]]):
    """A step as LangGraph runs it, inside an event loop and outside one."""

    def __init__(self, run: Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]) -> None:
        """Make a step of an async function, by whose name the graph knows it."""
        update_wrapper(self, run, assigned=_WRAPPED, updated=())
        self.name = run.__name__
        self.run = run

    async def __call__(self, state: Any) -> dict[str, Any]:
        """The update of the state, as JSON."""
        return await self.run(state)

    async def ainvoke(self, input: Any, *_: Any, **__: Any) -> dict[str, Any]:  # noqa: A002  its name
        """The update of the state, inside LangGraph's event loop."""
        return await self.run(input)

    def invoke(self, input: Any, *_: Any, **__: Any) -> dict[str, Any]:  # noqa: A002  its name
        """The update of the state for `graph.invoke`, in an event loop of its own."""
        from errata.running import run_once

        return run_once(self.run, input)


def tell_event(event: Event) -> None:
    """Put an event on the run's custom stream."""
    get_stream_writer()(event_json(event))


def step(run: Callable[..., Awaitable[Mapping[str, Any]]]) -> Node:
    """A graph's node from `run(state)` or `run(state, context)`.

    The update becomes plain JSON, so that any checkpointer can hold it; what the step spent, sent
    and noted joins `usage`, `prompts` and `notes`. Its progress goes to the run's custom stream.
    A step that runs out of the run's time changes nothing but these; that time is without what a
    person takes to decide.
    """
    name, call = run.__name__, _with_context(run)

    @wraps(run, assigned=_WRAPPED)
    async def node(state: Any) -> dict[str, Any]:
        began, write = perf_counter(), get_stream_writer()

        def progress(done: int, total: int) -> None:
            write({"errata": {"step": name, "done": done, "total": total}})

        progress(0, 1)
        spent = from_json(Usage, state.usage)
        with open_run(context_of(state).record(spent, state.samples, progress)) as record:
            try:
                update = await call(state)
            except OutOfTimeError as error:
                update = {}
                note(f"{name} was not finished: {error}")
        # LangGraph drops an unknown key without a word.
        if unknown := update.keys() - type(state).model_fields.keys():
            raise TypeError(f"{name} updates {', '.join(sorted(unknown))}, which the state has not")
        told, most = record.told
        if told < most:
            progress(most, most)
        bill = _bill(state, record, name, round(perf_counter() - began, 6))
        return {
            name: value if name == "messages" else to_json(value)
            for name, value in (*update.items(), *bill.items())
        }

    return Node(node)


def _bill(state: Any, record: Run, name: str, seconds: float) -> Update:
    """What a step adds to the run's bill, notes and samples."""
    usage = record.usage + Usage(seconds=seconds, by_role={name: {"seconds": seconds}})
    notes = [
        text
        for text, about in record.notes.items()
        if not (about and any(earlier.startswith(about) for earlier in state.notes))
    ]
    asked = {key: n for key, n in record.samples.items() if state.samples.get(key) != n}
    bill: Update = {"usage": usage, "prompts": record.prompts, "notes": notes}
    return bill | ({"samples": asked} if asked else {})


def opening(run: Callable[..., Awaitable[Mapping[str, Any]]]) -> Node:
    """A run's first node: as `step`, and all that an earlier run on the thread left is cleared."""
    receive = step(run)

    @wraps(run, assigned=_WRAPPED)
    async def node(state: Any) -> dict[str, Any]:
        kind = type(state)
        own = kind.model_fields.keys() - kind.REQUEST.model_fields.keys()
        initial = {name: to_json(kind.model_fields[name].get_default()) for name in own}
        first = state.model_copy(update={"usage": {}, "notes": [], "samples": {}})
        update = {**initial, **await receive(first)}
        stale = (name for name in BILLED if getattr(state, name))
        return update | {name: Overwrite(update[name]) for name in stale}

    return Node(node)


def route(choose: Callable[..., T]) -> Callable[[Any], T]:
    """A conditional edge from `choose(state)` or `choose(state, context)`."""
    return wraps(choose, assigned=_WRAPPED)(_with_context(choose))


def _with_context(run: Callable[..., T]) -> Callable[[Any], T]:
    """`run(state, context)` as a function of the state, if it takes a context at all."""
    takes_context = len(signature(run).parameters) > 1
    return lambda state: run(state, context_of(state)) if takes_context else run(state)


def context_of(state: BaseModel) -> Any:
    """The run's settings; the method's defaults where the caller set none or edits a past state.

    The context of a graph that has the method as a step gives the settings that it has by name.
    Raises SettingError if one cannot be used.
    """
    kind: Any = type(state)
    runtime = get_runtime()
    given: Any = runtime and runtime.context
    if not given or isinstance(given, kind.CONTEXT):
        return given or _default_context(kind)
    own = given if isinstance(given, Mapping) else getattr(given, "__dict__", {})
    deployment = getattr(given, "deployment", None)
    named = {name: own[name] for name in kind.CONTEXT.model_fields if name in own}
    return kind.CONTEXT(deployment if isinstance(deployment, Deployment) else None, **named)


@cache
def _default_context(kind: Any) -> Any:
    return kind.CONTEXT()


def add_notes(before: list[str], update: object) -> list[str]:
    """Notes, one after another; steps may run side by side."""
    return [*before, *from_json(list[str], update)]


def add_prompts(before: dict[str, str], update: object) -> dict[str, str]:
    """The digests of the templates that were sent, by name."""
    return before | from_json(dict[str, str], update)


def add_samples(before: dict[str, int], update: object) -> dict[str, int]:
    """How many samples of equal requests were asked for, the later count of each."""
    return before | from_json(dict[str, int], update)


def add_usage(before: object, update: object) -> Any:
    """The sum of two bills, both as JSON; steps may run side by side."""
    return to_json(from_json(Usage, before) + from_json(Usage, update))
