"""How a step meets the graph: its result as JSON, its time on the bill."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec

from errata.records import Usage, to_json

P = ParamSpec("P")


def step(
    run: Callable[P, Awaitable[Mapping[str, object]]],
) -> Callable[P, Awaitable[dict[str, Any]]]:
    """Turn what a step adds into plain JSON, so that any checkpointer can hold it.

    Adds the step's wall time to `usage`, in all and under the step's name.
    """

    @wraps(run)
    async def timed(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        began = perf_counter()
        added = dict(await run(*args, **kwargs))
        seconds = round(perf_counter() - began, 6)
        spent = added.get("usage", getattr(args[0], "usage", Usage()))
        role = {run.__name__: {"seconds": seconds}}
        added["usage"] = spent + Usage(seconds=seconds, by_role=role)  # type: ignore[operator]
        return {
            name: value if name == "messages" else to_json(value) for name, value in added.items()
        }

    return timed
