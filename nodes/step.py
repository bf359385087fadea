"""How a step meets the graph: its result as JSON, its time on the bill."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec

from errata.records import Usage, from_json, to_json

P = ParamSpec("P")
Step = Callable[P, Awaitable[dict[str, Any]]]


def step(run: Callable[P, Awaitable[Mapping[str, object]]]) -> Step[P]:
    """Turn what a step adds into plain JSON, so that any checkpointer can hold it.

    Adds the step's wall time to `usage`, in all and under the step's name.
    """

    @wraps(run)
    async def timed(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        began = perf_counter()
        added = dict(await run(*args, **kwargs))
        seconds = round(perf_counter() - began, 6)
        time = Usage(seconds=seconds, by_role={run.__name__: {"seconds": seconds}})
        added["usage"] = added.get("usage", Usage()) + time  # type: ignore[operator]
        return {
            name: value if name == "messages" else to_json(value) for name, value in added.items()
        }

    return timed


def opening(run: Callable[P, Awaitable[Mapping[str, object]]]) -> Step[P]:
    """Do as `step` does for a run's first step: the bill and the notes begin anew.

    An earlier run on the same thread may have left its own.
    """

    @wraps(run)
    async def anew(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        added = await step(run)(*args, **kwargs)
        fresh = {name: {"__overwrite__": added[name]} for name in ("usage", "notes")}
        return added | fresh

    return anew


def billed(before: object, added: object) -> Any:
    """Add what a step spent to the bill, both as JSON; steps may run side by side."""
    return to_json(from_json(Usage, before) + from_json(Usage, added))
