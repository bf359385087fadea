"""How a graph runs its nodes: settings in, plain JSON out; time, cost and notes added up."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar

from langchain_core.runnables import Runnable
from langgraph.config import get_stream_writer
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Overwrite
from pydantic import BaseModel

from errata.core.errors import BudgetError, OutOfTimeError
from errata.core.events import Event, Step, event_json
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
"""What a node changes of the state: new values by the names of its fields."""
BILLED = ("usage", "prompts", "notes", "samples")
"""State that adds up over a run, and begins anew with the next run on the same thread."""


class MethodGraph(StateGraph[Any, Any, Any, Any]):
    """A graph of async nodes and of routes: functions of the state, or of state and runtime.

    A node's update becomes plain JSON, so that any checkpointer can hold it; what it spent, sent
    and noted joins `usage`, `prompts` and `notes`. Its progress goes to the run's custom stream. A
    node that runs out of the run's time changes nothing but these; that time is without what a
    person takes to decide.
    """

    def add_node(self, node: Any, action: Any = None, **options: Any) -> Self:
        """Add a node or a sub-graph; a method's first node clears what an earlier run left."""
        name, run = (node, action) if action else (node.__name__, node)
        begins = not self.nodes and self.input_schema is not self.state_schema
        own: Runnable[Any, Any] = _Node(name, partial(_begin if begins else _record, name, run))
        if isinstance(run, CompiledStateGraph):
            own = _Node("as_json", _as_json) | run | _Node("as_update", _without_before)
        return super().add_node(name, own, **options)

    if TYPE_CHECKING:  # LangGraph's own wants nodes of one type

        def add_sequence(self, nodes: Sequence[Any]) -> Self:
            """Add nodes, each with an edge to the next."""

    def add_conditional_edges(self, source: str, path: Any, path_map: Any = None) -> Self:
        """Add edges that a route chooses from."""

        def route(state: Any) -> Any:
            return _call(path, state, _runtime(state))

        # By a function's parameters and types LangGraph chooses what to give it.
        route.__name__ = path.__name__
        return super().add_conditional_edges(source, route, path_map)


class _Node(Runnable[Any, Update]):
    """An async function as a node: LangGraph runs none of these outside an event loop."""

    def __init__(self, name: str, run: Callable[[Any], Coroutine[Any, Any, Update]]) -> None:
        self.name, self._run = name, run

    async def ainvoke(self, input: Any, *_: Any, **__: Any) -> Update:  # noqa: A002  its name
        return await self._run(input)

    def invoke(self, input: Any, *_: Any, **__: Any) -> Update:  # noqa: A002  its name
        from errata.running import run_once

        return run_once(self._run, input)


def tell_event(event: Event) -> None:
    """Put an event on the run's custom stream."""
    get_stream_writer()(event_json(event))


async def _record(name: str, run: Callable[..., Awaitable[Update]], state: Any) -> Update:
    """A node's update as JSON, with its share of the bill."""
    began, write = perf_counter(), get_stream_writer()

    def tell(done: int, total: int) -> None:
        write(event_json(Step(step=name, done=done, total=total)))

    tell(0, 1)
    runtime = _runtime(state)
    spent = from_json(Usage, state.before) + from_json(Usage, state.usage)
    with open_run(runtime.context.record(spent, state.samples, tell)) as record:
        try:
            update = await _call(run, state, runtime)
        except OutOfTimeError as error:
            update = {}
            note(f"{name} was not finished: {error}")
    # LangGraph drops an unknown key without a word.
    if unknown := update.keys() - type(state).model_fields.keys():
        raise TypeError(f"{name} updates {', '.join(sorted(unknown))}, which the state has not")
    done, most = record.progress
    if done < most:
        tell(most, most)
    update = update | _bill(state, record, name, round(perf_counter() - began, 6))
    return {n: value if n == "messages" else to_json(value) for n, value in update.items()}


def _bill(state: Any, record: Run, name: str, seconds: float) -> Update:
    """What a node adds to the run's bill, notes and samples."""
    usage = record.usage + Usage(seconds=seconds, by_role={name: {"seconds": seconds}})
    notes = [
        text
        for text, about in record.notes.items()
        if not (about and any(earlier.startswith(about) for earlier in state.notes))
    ]
    asked = {key: n for key, n in record.samples.items() if state.samples.get(key) != n}
    bill: Update = {"prompts": record.prompts, "notes": notes, "samples": asked}
    return {"usage": usage, **{name: value for name, value in bill.items() if value}}


async def _begin(name: str, run: Callable[..., Awaitable[Update]], state: Any) -> Update:
    """The update of a run's first node, which clears all that is not its request."""
    kind = type(state)
    own = kind.model_fields.keys() - kind.REQUEST.model_fields.keys()
    initial = {field: to_json(kind.model_fields[field].get_default()) for field in own}
    first = state.model_copy(update={"usage": {}, "notes": [], "samples": {}})
    update = {**initial, **await _record(name, run, first)}
    stale = (field for field in BILLED if getattr(state, field))
    return update | {field: Overwrite(update[field]) for field in stale}


async def _as_json(state: Any) -> Update:
    """A state as a sub-graph takes it, with a bill of its own; its checkpoints hold JSON alone."""
    before = add_usage(state.before, state.usage)
    values = {name: value if name == "messages" else to_json(value) for name, value in state}
    return values | {"before": before, "usage": {}}


async def _without_before(output: Update) -> Update:
    return {name: value for name, value in output.items() if name != "before"}


def _call(run: Callable[..., T], state: Any, runtime: Runtime[Any]) -> T:
    """What a function of the state, or of state and runtime, returns."""
    return run(state, runtime) if len(signature(run).parameters) > 1 else run(state)


def _runtime(state: BaseModel) -> Runtime[Any]:
    """LangGraph's runtime, whose context is the run's settings.

    They are the method's defaults where the caller set none or edits a past state. The context of a
    graph that has the method as a node gives the settings that it has by name. Raises SettingError
    if one cannot be used.
    """
    kind: Any = type(state)
    runtime = get_runtime() or Runtime()
    given: Any = runtime.context
    if not given:
        return runtime.override(context=_default_context(kind))
    if isinstance(given, kind.CONTEXT):
        return runtime
    own = given if isinstance(given, Mapping) else getattr(given, "__dict__", {})
    deployment = getattr(given, "deployment", None)
    named = {name: own[name] for name in kind.CONTEXT.model_fields if name in own}
    deployment = deployment if isinstance(deployment, Deployment) else None
    return runtime.override(context=kind.CONTEXT(deployment, **named))


@cache
def _default_context(kind: Any) -> Any:
    return kind.CONTEXT()


def add_notes(before: list[str], update: object) -> list[str]:
    """Notes, one after another, each once; steps may run side by side."""
    return list(dict.fromkeys([*before, *from_json(list[str], update)]))


def add_entries(before: dict[str, Any], update: object) -> dict[str, Any]:
    """The later entry under each name."""
    return before | from_json(dict[str, str | int], update)


def add_usage(before: object, update: object) -> Any:
    """The sum of two bills, both as JSON; steps may run side by side."""
    return to_json(from_json(Usage, before) + from_json(Usage, update))
