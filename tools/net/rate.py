"""Rate limits for calls to a server."""

from langchain_core.rate_limiters import InMemoryRateLimiter

_KNOWN: dict[tuple[str, float], InMemoryRateLimiter] = {}


async def wait_turn(endpoint: str, per_second: float) -> None:
    """Wait until the next call to an endpoint may start; a rate of 0 never waits.

    All calls of this process to the same endpoint at the same rate take turns.
    """
    if per_second:
        new = InMemoryRateLimiter(requests_per_second=per_second)
        # One step, so that two threads cannot make two of an endpoint.
        await _KNOWN.setdefault((endpoint, per_second), new).aacquire()
